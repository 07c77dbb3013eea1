import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct WorkloadFileTests {
  static let link = #"{"name": "x", "down": {"rate": "8 Mbit/s", "delay": "50 ms"}, "up": {"delay": "50 ms"}}"#
  static let first = #"{"id": "0", "host": "a", "method": "GET", "path": "/1000.bin", "response_bytes": 1000}"#

  /// The JSON of a case with some fields replaced; an empty text removes the field.
  static func text(_ changes: [String: String] = [:]) -> String {
    let fields = [
      ("name", #""page""#), ("kind", #""page-h1""#), ("link", link), ("protocol", #""h1""#),
      ("connections_per_host", "4"), ("congestion_control", #""bbr""#),
      (
        "apparatus",
        #"{"rtt_excess_ms": 0.2, "server_think_ms": 0.06, "connect_delay_ms": 0.04, "client_delay_ms": 0.02}"#
      ),
      ("workload", #"[\#(first), {"id": "b", "method": "PUT", "request_bytes": 7, "after": ["0"], "wait_ms": 1.5}]"#),
      ("runs", #"[{"total": 0.9, "finish": {"0": 0.5, "b": 0.9}}, {"total": null, "finish": {"0": 0.5, "b": null}}]"#),
    ]
    let written = fields.compactMap { key, value -> String? in
      let value = changes[key] ?? value
      return value.isEmpty ? nil : "\"\(key)\": \(value)"
    }
    return "{\(written.joined(separator: ", "))}"
  }

  static func cases(_ cases: [String]) throws -> [WorkloadCase] {
    let scratch = try Scratch()
    let path = try scratch.file("cases.json", #"{"cases": [\#(cases.joined(separator: ", "))]}"#)
    return try WorkloadCase.all(CaseFile.list(contentsOf: path), excess: .microseconds(150), limit: .seconds(180))
  }

  @Test func `a workload case has its requests, its link and the measured times`() throws {
    let item = try Self.cases([Self.text()])[0]
    let workload = item.workload
    #expect(item.name == "page" && item.kind == "page-h1" && workload.client == .http1)
    #expect(workload.configuration.connectionsPerHost == 4 && workload.configuration.congestionControl == .bbr)
    #expect(workload.costs.thinking == .microseconds(60) && workload.costs.connect == .microseconds(40))
    #expect(workload.costs.reaction == .microseconds(20) && workload.costs.call == .microseconds(20))
    #expect(workload.schedule.phases[0].conditions.up.delay == .microseconds(50_040))
    #expect(workload.costs.waking == .microseconds(50) && workload.schedule.phases[0].conditions.up.jitter != nil)
    #expect(workload.requests.map(\.id) == ["0", "b"] && workload.requests.map(\.method) == [.get, .put])
    #expect(workload.requests[1].after == [0] && workload.requests[1].wait == .microseconds(1_500))
    #expect(workload.requests[1].requestBytes == 7 && workload.requests[0].responseBytes == 1_000)
    #expect(item.runs == [[0.5, 0.9], [0.5, .infinity]])
  }

  @Test(arguments: [
    ("protocol", #""h4""#, #"cases[0].protocol: "h4" is not a protocol; write "h1" or "h1-tls" or "h2""#),
    ("protocol", #""H2""#, #"cases[0].protocol: "H2" is not a protocol; write "h1" or "h1-tls" or "h2""#),
    ("workload", "[]", "cases[0].workload: a workload has 1 to 10000 requests, not 0"),
    (
      "workload", "[\(first), \(first)]",
      #"workload[1].id: "0" is also the name of another request; each needs its own"#
    ),
    (
      "workload", #"[{"id": "0", "after": ["1"]}]"#,
      #"workload[0].after[0]: "1" is not a request before this one; list it earlier"#
    ),
    ("workload", #"[{"id": "0", "method": "POST"}]"#, #""POST" is not a method of a workload; write "GET" or "PUT""#),
    (
      "workload", #"[{"id": "0", "request_bytes": 9}]"#,
      #"workload[0].request_bytes: a GET sends no body; write "method": "PUT" beside it"#
    ),
    ("congestion_control", #""vegas""#, #""vegas" is not simulated; write "cubic""#),
    ("name", "", #"cases[0]: the key "name" is missing"#), ("link", "", #"the key "link" is missing"#),
  ])
  func `an error in a workload case names the place and the correction`(
    key: String, value: String, message: String
  ) throws {
    let error = try #require(throws: (any Error).self) { try Self.cases([Self.text([key: value])]) }
    #expect("\(error)".contains(message), "\(error)")
  }

  @Test func `two workload cases with the same name are refused`() throws {
    let error = try #require(throws: (any Error).self) { try Self.cases([Self.text(), Self.text()]) }
    #expect("\(error)".contains(#"cases[1]: "page" is also the name of another case"#), "\(error)")
  }

  @Test func `a workload that never ended when measured has a dash for its time`() throws {
    let cases = try Self.cases([Self.text(["runs": #"[{"finish": {"0": 0.5, "b": null}}]"#])])
    let outcomes = [[WorkloadScenario.Outcome(times: [.init(finished: .seconds(1)), .init(finished: .seconds(2))])]]
    let report = WorkloadReport(cases: cases, seeds: SeedRange(count: 1), outcomes: outcomes)
    let lines = report.lines(width: 100, style: Style(isOn: false))
    #expect(lines.last == "page         –        2 s  100 %          100 %")
  }

  @Test func `the worst of the simulated workload cases is listed first`() throws {
    let runs = ["runs": #"[{"finish": {"0": 1, "b": 2}}]"#]
    let cases = try Self.cases(["near", "far", "same"].map { Self.text(runs.merging(["name": "\"\($0)\""]) { $1 }) })
    let outcomes = [2.2, 3, 2].map { end in
      [WorkloadScenario.Outcome(times: [.init(finished: .seconds(1)), .init(finished: .seconds(end))])]
    }
    let report = WorkloadReport(cases: cases, seeds: SeedRange(count: 1), outcomes: outcomes)
    let lines = report.lines(width: 100, style: .none)
    #expect(lines.suffix(3).map { $0.prefix { $0 != " " } } == ["far", "near", "same"], "\(lines)")
  }

  @Test func `a workload case whose requests end at wrong times counts as bad, even if its whole time is right`() throws
  {
    let runs = ["runs": #"[{"finish": {"0": 1, "b": 2}}]"#]
    let cases = try Self.cases(["whole", "parts"].map { Self.text(runs.merging(["name": "\"\($0)\""]) { $1 }) })
    // The first case misses its whole time by a tenth; the second one misses only its requests' times, by more.
    let outcomes = [(1, 2.2), (2, 1)].map { first, end in
      [WorkloadScenario.Outcome(times: [.init(finished: .seconds(first)), .init(finished: .seconds(end))])]
    }
    let report = WorkloadReport(cases: cases, seeds: SeedRange(count: 1), outcomes: outcomes)
    let lines = report.lines(width: 100, style: .none)
    #expect(lines.suffix(2).map { $0.prefix { $0 != " " } } == ["parts", "whole"], "\(lines)")
  }

  @Test func `a workload without measurements gets its median time and its 90th percentile`() throws {
    let outcomes = (1...20).map { end in
      WorkloadScenario.Outcome(times: [.init(finished: .seconds(1)), .init(finished: .seconds(end))])
    }
    let cases = try Self.cases([Self.text(["runs": ""])])
    let report = WorkloadReport(cases: cases, seeds: SeedRange(count: 20), outcomes: [outcomes])
    let lines = report.lines(width: 100, style: .none)
    #expect(lines.last?.split(separator: " ") == ["page", "2", "10.5", "s", "19", "s"], "\(lines)")
  }

  @Test func `the JSON of a workload report lists each case's runs by its name`() throws {
    let cases = try Self.cases([Self.text()])
    let outcomes = [
      [
        WorkloadScenario.Outcome(times: [.init(finished: .seconds(1)), .init(finished: .seconds(2))]),
        .init(times: [.init(), .init()]),
      ]
    ]
    let report = WorkloadReport(cases: cases, seeds: SeedRange(count: 2), outcomes: outcomes)
    #expect(
      report.json.lineText
        == #"{"cases": {"page": {"runs": [{"total": 2, "finish": {"0": 1, "b": 2}}, "#
        + #"{"total": null, "finish": {"0": null, "b": null}}]}}}"#)
  }
}
