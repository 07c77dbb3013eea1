import Testing
import URLLoading

@testable import NetworkConditions

struct StatusTests {
  @Test func `a status fault needs a status from 100 to 599 and a non-negative Retry-After`() {
    for code in [100, 503, 599] { #expect(Status(code: code, wait: .seconds(1)).problem == nil) }
    for code in [-1, 0, 99, 600] {
      #expect(Status(code: code).problem == "\(code) is not a status; write 100 to 599")
    }
    #expect(Status(wait: .seconds(-1)).problem == "retryAfter cannot be negative: -1.0 seconds")
    #expect(Status(date: .zero).problem == nil)
    #expect(Status(date: .seconds(-1)).problem == "retryAfterDateIn cannot be negative: -1.0 seconds")
    #expect(
      Status(wait: .zero, date: .zero).problem == "retryAfter and retryAfterDateIn exclude each other")
    #expect(Status(times: 1_000).problem == nil)
    #expect(Status(times: -1).problem == "-1 is not a number of requests; write 1 to 1000")
  }

  /// The request comes 0.3 s after its start.
  private static let slow = LinkConditions(delay: .milliseconds(100))

  @Test(arguments: [(5.0, "Thu, 01 Jan 2026 00:00:06 GMT"), (86_400.5, "Fri, 02 Jan 2026 00:00:02 GMT")])
  func `a date in Retry-After is as far ahead of the answer as the fault or the stub says, rounded up`(
    wait: Double, date: String
  ) async throws {
    let fault = FaultRule(.status(code: 429, retryAfterDateIn: .seconds(wait)))
    for (faults, answer) in [([fault], StubResponse.text("ok")), ([], .status(429, retryAfterDateIn: .seconds(wait)))] {
      let profile = NetworkProfile(name: "slow", down: Self.slow, up: Self.slow, faults: faults)
      let (status, after) = try await Simulation(profile, seed: 1) { network in
        network.stub("/orders", with: answer)
        let url = try #require(URL(string: "http://shop.example.com/orders"))
        let response = try await network.session.data(from: url).1 as? HTTPURLResponse
        return (response?.statusCode, response?.value(forHTTPHeaderField: "Retry-After"))
      }.value
      #expect(status == 429)
      #expect(after == date)
    }
  }
}
