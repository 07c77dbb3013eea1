package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Loads a feed page by page, with a timeout per attempt, several attempts per page and one overall deadline.
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

  /// All items, the newest first.
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

/// A page of the feed with the cursor of the next page.
package struct FeedPage: Codable, Hashable, Sendable {
  package let items: [FeedItem]
  /// The cursor of the next page; `nil` on the last.
  package let next: String?

  package init(items: [FeedItem], next: String?) {
    self.items = items
    self.next = next
  }
}

/// The loaded pages by cursor; the first page has no cursor and is not cached, since it changes.
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
