import NetworkConditions
import NetworkConditionsXCTest
import URLLoading
import XCTest

// The example of the documentation, word for word, so that it compiles and does what it says.

private struct FeedClient: Sendable {
  var session: URLSession
  var clock: any Clock<Duration>

  /// Tries again until it has the feed.
  func feed() async throws -> Data {
    let request = URLRequest(url: URL(string: "https://api.example.com/feed")!, timeoutInterval: 10)
    while true {
      do {
        return try await session.data(for: request).0
      } catch is URLError {}
      try await clock.sleep(for: .seconds(1))
    }
  }
}

final class FeedXCTests: NetworkTestCase {
  func testTheFeedSurvivesATunnel() async throws {
    try await withNetwork("tunnel", seeds: 0..<200) { network in
      network.stub("/feed", with: .bytes(count: 20_000))
      let client = FeedClient(session: network.session, clock: network.clock)
      let feed = try await client.feed()
      XCTAssertEqual(feed.count, 20_000)
    }
  }
}
