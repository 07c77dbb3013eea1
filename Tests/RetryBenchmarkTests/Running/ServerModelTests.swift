import NetworkConditions
import Testing

@testable import RetryBenchmark

struct ServerModelTests {
  @Test func `an outage or a brown-out may begin when the previous one ends, but not earlier`() {
    func problems(_ begin: Int) -> [String?] {
      let times: [Range<Duration>] = [.seconds(1)..<(.seconds(2)), .milliseconds(begin)..<(.seconds(3))]
      return [
        ServerModel(outages: times).problem,
        ServerModel(brownOuts: times.map { ServerModel.BrownOut($0, factor: 2) }).problem,
      ]
    }
    #expect(problems(2_000) == [nil, nil])
    let wrong = "that overlap or are out of order"
    #expect(problems(1_999) == ["outages \(wrong)", "brown-outs \(wrong)"])
  }

  @Test func `an outage may be as long as a year, but not longer`() {
    let problems = [0, 1].map { more in
      ServerModel(outages: [.zero..<(.seconds(365 * 24 * 3_600) + .nanoseconds(more))]).problem
    }
    let early = [0, 1].map { more in
      ServerModel(outages: [.zero - .seconds(365 * 24 * 3_600) - .nanoseconds(more)..<(.zero)]).problem
    }
    #expect(problems == [nil, "a server that is slow or down for more than a year: write less"] && early == problems)
  }
}
