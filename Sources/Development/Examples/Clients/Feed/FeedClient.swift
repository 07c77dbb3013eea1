package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Loads a feed page by page: each attempt has a timeout, each page several attempts, and the whole a deadline.
package struct FeedClient: Sendable {
  private let base: URL
  private let session: URLSession
  private let clock: any Clock<Duration>
  private let cache: FeedCache
  private let variant: Variant
  private let timeout = Duration.seconds(5)
  private let attempts = 8
  private let patience = Duration.seconds(60)

  package init(
    base: URL, session: URLSession, clock: any Clock<Duration>, cache: FeedCache = FeedCache(),
    variant: Variant = .fixed
  ) {
    self.base = base
    self.session = session
    self.clock = clock
    self.cache = cache
    self.variant = variant
  }

  /// All items of the feed, the newest first.
  package func refresh() async throws -> [FeedItem] {
    try await clock.deadline(after: patience).limit {
      var items: [FeedItem] = []
      var cursor: String?
      repeat {
        let page = try await page(at: cursor)
        items += page.items
        cursor = page.next
      } while cursor != nil
      return items
    }
  }

  private func page(at cursor: String?) async throws -> FeedPage {
    if let known = await cache.page(at: cursor) { return known }
    var backoff = Backoff()
    var attempt = 1
    var deadline = clock.deadline(after: timeout)
    while true {
      if variant == .fixed { deadline = clock.deadline(after: timeout) }
      do {
        let page = try await deadline.limit { try await load(cursor) }
        await cache.store(page, at: cursor)
        return page
      } catch let error as URLError where error.code != .cancelled && attempt < attempts {
        attempt += 1
        try await clock.sleep(for: backoff.next())
      }
    }
  }

  private func load(_ cursor: String?) async throws -> FeedPage {
    var url = base.appendingPathComponent("feed")
    if let cursor { url.append(queryItems: [URLQueryItem(name: "after", value: cursor)]) }
    let (data, response) = try await session.data(for: URLRequest(url: url))
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(FeedPage.self, from: data)
  }
}

/// One entry of the feed.
package struct FeedItem: Codable, Hashable, Sendable {
  package let id: Int
  package let title: String

  package init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// A page of the feed, and where the next one begins.
package struct FeedPage: Codable, Hashable, Sendable {
  package let items: [FeedItem]
  /// The cursor of the next page; `nil` on the last.
  package let next: String?

  package init(items: [FeedItem], next: String?) {
    self.items = items
    self.next = next
  }
}

/// The pages that were loaded before, by their cursors; the first page has none, and is not kept, since it changes.
package actor FeedCache {
  private var pages: [String: FeedPage] = [:]

  package init() {}

  func page(at cursor: String?) -> FeedPage? {
    cursor.flatMap { pages[$0] }
  }

  func store(_ page: FeedPage, at cursor: String?) {
    if let cursor { pages[cursor] = page }
  }
}
