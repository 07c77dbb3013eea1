import RetryPolicies
import Testing

@testable import RetryBenchmark

struct LoadChartTests {
  /// The chart of one trial with a request in each of 20 seconds; those from 5 s to 10 s fail.
  private func chart(outages: [Range<Duration>] = [], brownOuts: [Range<Duration>] = []) -> (
    title: String, high: Int, hasBand: Bool
  ) {
    let requests = (0..<20).map { second in
      let (start, end) = (Duration.seconds(second), Duration.milliseconds(second * 1_000 + 100))
      let isGood = !(5..<10).contains(second)
      let trace = AttemptTrace(
        kind: .original, start: start, end: end, outcomeClass: isGood ? .success : .transientFailure,
        outcome: isGood ? "200" : "503")
      return RequestRecord(start: start, end: end, isSuccess: isGood, attempts: [trace])
    }
    var metrics = PolicyMetrics(policy: "none", profile: "wifi")
    metrics.add(TrialRecord(seed: 1, requests: requests, outages: outages, brownOuts: brownOuts))
    let report = RetryReport(
      seeds: 1..<2, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [metrics])
    let chart = LoadChart(metrics: [metrics], report: report).chart
    let curve = chart.body.first { $0.contains("class=\"curve") } ?? ""
    // Places of the curve in the upper half, where it is not zero.
    let heights = curve.matches(of: /,([0-9.]+)/).compactMap { Double($0.1) }
    let hasBand = chart.body.contains { $0.contains("class=\"outage\"") }
    return (chart.title, heights.count { $0 < 100 }, hasBand)
  }

  @Test func `the load is drawn around outages, and over the whole trial where there are only brown-outs`() {
    let trouble = [Duration.seconds(5)..<Duration.seconds(10)]
    let (outage, brownOut) = (chart(outages: trouble), chart(brownOuts: trouble))
    #expect(outage.title == "Load around an outage" && brownOut.title == "Load over time")
    #expect(outage.hasBand && !brownOut.hasBand)
    #expect(outage.high > 10 && brownOut.high > 10, "\(outage.high), \(brownOut.high)")
  }

  @Test(arguments: [
    (1, 1, "gives up after 3 s, 2 attempts"), (1, 2, "0 of 2 requests succeed, 4 attempts"),
    (40, 1, "0 of 40 requests succeed, 80 attempts"),
    (41, 1, "0 of 41 requests succeed, 82 attempts; the first 40 of 41 clients"),
    (1, 100, "0 of 100 requests succeed, 200 attempts"),
    (1, 101, "0 of 101 requests succeed, 202 attempts; the first 100 requests of each"),
  ])
  func `a trial's chart counts requests and attempts, and says which clients and requests it leaves out`(
    clients: Int, each: Int, note: String
  ) {
    let attempt = AttemptTrace(
      kind: .original, start: .zero, end: .seconds(3), outcomeClass: .transientFailure, outcome: "503")
    let requests = (0..<clients * each).map { number in
      RequestRecord(
        client: number / each, start: .zero, end: .seconds(3), isSuccess: false, attempts: [attempt, attempt])
    }
    let course = NamedTrial(profile: "wifi", policy: "none", trial: TrialRecord(seed: 1, requests: requests))
    #expect(TrialChart(course, until: .seconds(3)).text.contains("\(note)<"))
  }
}
