import NetworkConditions
import NetworkConditionsXCTest
import Pictures
import TimelineReports
import URLLoading
import XCTest

// The examples of the documentation, word for word, so that they compile and do what they say.

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

final class SharedSessionXCTests: XCTestCase {
  private let network = SimulatedNetwork("3G", seed: 42, pace: .immediate)
  private var interception: SharedSessionInterception?

  override func setUpWithError() throws {
    network.stub("/feed", with: .bytes(count: 20_000))
    interception = try network.interceptSharedSession()
  }

  override func tearDown() {
    interception?.end()
  }

  func testTheSharedSessionRunsOver3G() async throws {
    let feed = try await URLSession.shared.data(from: URL(string: "https://api.example.com/feed")!).0
    XCTAssertEqual(feed.count, 20_000)
    let picture = TimelinePicture(network.timeline).text
    XCTAssert(try Picture.isCurrent("xctest.svg", of: "NetworkConditionsXCTest", picture))
  }
}
