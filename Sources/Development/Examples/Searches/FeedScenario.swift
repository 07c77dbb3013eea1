package import ExampleClients
package import NetworkConditions
import URLLoading

/// A user opens the feed: it shows all items in order.
package func readFeed(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  FeedServer.answer(on: network)
  let client = FeedClient(
    base: ExampleServer.base, session: network.session, clock: network.clock, variant: variant)
  let items = try await client.refresh()
  guard items == FeedServer.items else { throw ExampleFailure("\(items.count) items, not as they were sent") }
}

/// A feed of two pages of six items.
package enum FeedServer {
  package static let items = (0..<12).map { FeedItem(id: $0, title: "What happened at \($0) o'clock, and why") }

  /// The pages by query, encoded once.
  private static let pages: [String: StubResponse] = {
    var pages: [String: StubResponse] = [:]
    for start in stride(from: 0, to: items.count, by: 6) {
      let next = start + 6
      let page = FeedPage(items: Array(items[start..<next]), next: next < items.count ? "\(next)" : nil)
      pages[start == 0 ? "" : "after=\(start)"] = .json(page)
    }
    return pages
  }()

  static func answer(on network: SimulatedNetwork) {
    network.stub(
      .get, "https://api.example.com/feed",
      with: .handler { (request: URLRequest) -> StubResponse in pages[request.url?.query ?? ""] ?? .status(404) })
  }
}
