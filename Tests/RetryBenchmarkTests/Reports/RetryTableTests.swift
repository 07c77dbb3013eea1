import Internals
import NetworkConditions
import Testing

@testable import RetryBenchmark

struct RetryTableTests {
  @Test func `the table of an interrupted run shows dashes for the times of a policy without trials`() async throws {
    let whole = try await RetryBenchmark(profiles: ["3G"], seeds: 0..<2).run(["none"])
    let report = RetryReport(
      seeds: 0..<2, workload: whole.workload, server: whole.server, parts: [.init(0, of: 1)], isPartial: true,
      results: whole.results + [PolicyMetrics(policy: "full-jitter", profile: "3G")])
    let lines = RetryTable(report: report, showsAll: true).lines(width: 100, style: .none)
    let heading = try #require(lines.firstIndex { $0.hasPrefix("answered within") })
    let rows = lines[(heading + 1)...(heading + 2)].map { $0.split(separator: " ") }
    #expect(rows.map(\.first) == ["none", "full-jitter"])
    #expect(rows[0].count > 2 && rows[1].count == rows[0].count && rows[1].dropFirst().allSatisfy { $0 == "–" })
    let sentence = "Interrupted: 0 to 2 of 2 seeds are in these figures."
    #expect(lines.contains(sentence) && HTMLReport(report).text.contains(">\(sentence)<"))
    #expect(!RetryTable(report: whole).lines(width: 100, style: .none).contains { $0.hasPrefix("Interrupted") })
  }

  @Test(arguments: [
    (2, 1, 3, "2 1–3"), (2, 1, .infinity, "2 1–∞"), (.infinity, 12, .infinity, "never 12–∞"),
    (.infinity, .infinity, .infinity, "never"),
  ])
  func `a time is shown with its interval, which may have no upper bound`(
    value: Double, low: Double, high: Double, text: String
  ) {
    #expect(RetryTable.withInterval(Estimate(value: value, interval: low...high, seeds: 40)) == text)
    #expect(RetryTable.withInterval(nil) == "–")
  }

  @Test func `a policy's name of up to 28 characters stands in the table, a longer one below it`() {
    let names = [28, 29].map { String(repeating: "n", count: $0) }
    let report = RetryReport(
      seeds: 0..<1, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: names.map { PolicyMetrics(policy: $0, profile: "3G") })
    let lines = RetryTable(report: report).lines(width: 100, style: .none)
    #expect(lines.contains("policy 1: \(names[1])") && !lines.contains { $0.hasPrefix("policy 2") })
    #expect(lines.contains { $0.hasPrefix("policy 1 ") } && lines.contains { $0.hasPrefix("\(names[0]) ") })
    let long = RetryReport(
      seeds: 0..<1, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: names.reversed().map { PolicyMetrics(policy: $0, profile: "3G") })
    let all = RetryTable(report: long, showsAll: true).lines(width: 100, style: .none)
    #expect(all.contains { $0.hasPrefix("against policy 1 ") }, "\(all)")
  }

  @Test func `a table omits a column only if the terminal is narrower than all columns`() {
    let report = RetryReport(
      seeds: 0..<1, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [PolicyMetrics(policy: String(repeating: "n", count: 28), profile: "3G")])
    func heading(_ width: Int) -> String? {
      RetryTable(report: report, showsAll: true).lines(width: width, style: .none).first { $0.hasPrefix("3G  ") }
    }
    let whole = heading(200) ?? ""
    #expect(whole.count > 60 && whole.hasSuffix("waste") && heading(whole.count) == whole, "\(whole)")
    #expect(heading(whole.count - 1).map { $0.count < whole.count - 1 } == true)
  }
  @Test func `a table is at least 60 characters wide`() {
    let report = RetryReport(
      seeds: 0..<1, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [PolicyMetrics(policy: "none", profile: "3G")])
    let table = RetryTable(report: report)
    #expect(table.lines(width: 10, style: .none) == table.lines(width: 60, style: .none))
  }

  @Test func `each line of the reason for a candidate that is left out is a line of the table`() {
    let report = RetryReport(
      seeds: 0..<1, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [PolicyMetrics(policy: "none", profile: "3G")],
      leftOut: [.init(policy: "ours", profile: "3G", isWaiting: false, reason: "It never ends.\nTo repeat it: token")])
    let lines = RetryTable(report: report).lines(width: 100, style: .none)
    #expect(lines.contains("ours is left out. It never ends.") && lines.contains("To repeat it: token"))
  }
}
