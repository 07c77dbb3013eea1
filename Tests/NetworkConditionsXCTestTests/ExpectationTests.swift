import Foundation
import NetworkConditions
import URLLoading
import XCTest
import struct Internals.Mutex

@testable import NetworkConditionsXCTest

final class ExpectationTests: NetworkTestCase {
  override func setUpWithError() throws {
    if let obstacle = CaptureMode.obstacle { throw XCTSkip("\(obstacle)") }
  }

  func testAnAwaitedExpectationIsFulfilledAtTheInstantOfItsCallback() async throws {
    try await withNetwork("3G", seed: 1) { network in
      network.stub("/feed", with: .bytes(count: 20_000))
      let answered = XCTestExpectation(description: "the feed has loaded")
      let instant = Mutex(0.0)
      network.session.dataTask(with: URL(string: "https://api.example.com/feed")!) { _, _, _ in
        instant.withLock { $0 = Date().timeIntervalSince1970 }
        answered.fulfill()
      }.resume()
      let result = await XCTWaiter.fulfillment(of: [answered], timeout: 30)
      XCTAssertEqual(result, .completed)
      XCTAssertEqual(Date().timeIntervalSince1970, instant.withLock { $0 })
    }
  }

  func testExpectationsThatAreAwaitedSideBySideEndAtTheirTimeouts() async throws {
    try await withNetwork("3G", seed: 1) { network in
      @Sendable func wait(_ timeout: TimeInterval) async -> TimeInterval {
        let begin = Date()
        let result = await XCTWaiter.fulfillment(of: [XCTestExpectation(description: "never")], timeout: timeout)
        XCTAssertEqual(result, .timedOut)
        return Date().timeIntervalSince(begin)
      }
      async let shorter = wait(0.5)
      async let longer = wait(2)
      let times = await (shorter, longer)
      XCTAssertEqual(times.0, 0.5, accuracy: 0.02)
      XCTAssertEqual(times.1, 2, accuracy: 0.02)
    }
  }
}
