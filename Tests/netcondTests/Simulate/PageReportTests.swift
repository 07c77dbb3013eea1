import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct PageReportTests {
  typealias Times = WorkloadScenario.Times

  private static func request(_ begun: Int, _ sent: Int, _ answered: Int, _ finished: Int) -> Times {
    Times(
      begun: .milliseconds(begun), sent: .milliseconds(sent), answered: .milliseconds(answered),
      finished: .milliseconds(finished))
  }

  /// A page of a document, a script and pictures, with these times of the requests.
  private static func run(_ times: [Times]) throws -> PageRun {
    let source = try PageSourceTests.page(
      #"{"workload": [{"id": "html", "path": "/"}, {"id": "js", "path": "/a.js", "after": ["html"], "wait_ms": 10}, "#
        + #"{"id": "png", "host": "h", "path": "/b.png", "after": ["html", "js"]}, {"id": "late", "at_ms": 900}]}"#)
    return PageRun(workload: source.workload, outcome: WorkloadScenario.Outcome(times: times))
  }

  private static let times = [
    request(0, 20, 50, 100), request(110, 110, 130, 300), request(300, 340, 400, 1_000), request(900, 910, 920, 930),
  ]

  @Test func `the critical path is the chain of requests for which the last request waited`() throws {
    let run = try Self.run(Self.times)
    #expect(run.criticalPath == [0, 1, 2])
    #expect(run.telling(2) == [1, 2] && run.telling(4) == [0, 1, 2, 3])
    let shares = run.shares
    #expect(shares.pauses == .milliseconds(10) && shares.connections == .milliseconds(60))
    #expect(shares.answers == .milliseconds(110) && shares.bodies == .milliseconds(820))
  }

  @Test func `a request with its own start time is alone on its critical path`() throws {
    var times = Self.times
    times[3] = Self.request(900, 910, 920, 1_500)
    #expect(try Self.run(times).criticalPath == [3])
    times[3].finished = nil
    #expect(try Self.run(times).criticalPath.isEmpty)
  }

  @Test func `a request's bar shows when it waits for a connection, waits for the response and receives`() throws {
    let lines = PageWaterfall(run: try Self.run(Self.times)).lines(rows: 3, width: 80, style: .none)
    func bar(_ parts: (Character, Int)...) -> String { parts.map { String(repeating: $0.0, count: $0.1) }.joined() }
    // A column is 20 ms.
    #expect(
      lines == [
        "", "· waits for a connection, ░ for the answer, █ receives it; 1 s in all",
        "html                  100 ms  " + bar(("·", 1), ("░", 2), ("█", 2)),
        "a.js                  300 ms  " + bar((" ", 6), ("░", 1), ("█", 8)),
        "b.png                    1 s  " + bar((" ", 15), ("·", 2), ("░", 3), ("█", 30)),
        "and 1 more",
      ])
  }

  @Test func `a request without length at the page's end has a bar within the width`() throws {
    var times = Self.times
    times[3] = Self.request(1_000, 1_000, 1_000, 1_000)
    let lines = PageWaterfall(run: try Self.run(times)).lines(rows: 4, width: 80, style: .none)
    #expect(lines.last?.hasSuffix(" ▏") == true && lines.last?.count == 80)
  }

  @Test func `of an even number of runs, the median run is the earlier of the middle two`() throws {
    let source = try PageSourceTests.page(#"{"workload": [{"id": "html", "path": "/"}]}"#)
    let report = PageReport(
      source: source, network: .profile("3G"), seeds: SeedRange(count: 4),
      outcomes: [400, 100, 300, 200].map { .init(times: [Self.request(0, 0, 0, $0)]) }, changes: [])
    let json = report.json.lineText
    #expect(json.contains(#""median_run": {"seed": 3, "total_s": 0.2,"#), "\(json)")
  }

  @Test func `a page report fits a screen with time, hints and critical path`() async throws {
    let scratch = try Scratch()
    let requests = (0..<60).map { place in
      #"{"id": "\#(place)", "host": "h\#(place % 3)", "path": "/\#(String(repeating: "long", count: 9))\#(place).png", "#
        + #""response_bytes": \#(1_000 * place)\#(place > 0 ? #", "after": ["\#((place - 1) / 10)"]"# : "")}"#
    }
    let path = try scratch.file(
      "page.json", #"{"protocol": "h1-tls", "workload": [\#(requests.joined(separator: ", "))]}"#)
    let outcome = await Shell(width: 80).run("simulate", "--workload", path, "--profile", "4G", "--seeds", "3")
    #expect(outcome.status == .done)
    #expect(outcome.lines[0] == "page.json over 4G: 60 requests, 3 hosts, 1.77 MB, HTTP/1.1 over TLS, seeds 3")
    #expect(outcome.lines.count <= 26 && outcome.lines.allSatisfy { $0.count <= 80 }, "\(outcome.output)")
    for words in [
      "HTTP/2 instead of HTTP/1.1 over TLS ", "HTTP/3 instead of HTTP/1.1 over TLS ", "one host instead of 3 ",
      "bodies half as large ",
      "all requested at the start ", "critical path: ",
    ] {
      #expect(outcome.lines.contains { $0.hasPrefix(words) }, "\(words)")
    }
    let again = await Shell(width: 80).run("simulate", "--workload", path, "--profile", "4G", "--seeds", "3")
    #expect(again.output == outcome.output)
  }

  @Test(arguments: [("h1", "HTTP/3 with TLS instead of HTTP/1.1"), ("h3", "HTTP/2 instead of HTTP/3")])
  func `a page report names the time over the newer protocols that the page does not use`(
    client: String, change: String
  ) async throws {
    let scratch = try Scratch()
    let page = try scratch.file(
      "page.json", #"{"protocol": "\#(client)", "workload": [{"id": "a", "response_bytes": 9000}]}"#)
    let outcome = await Shell(width: 80).run("simulate", "--workload", page, "--profile", "3G", "--seeds", "2")
    #expect(outcome.lines.contains { $0.hasPrefix("\(change) ") }, "\(outcome.output)\(outcome.error)")
    #expect(!outcome.output.contains("\(client == "h3" ? "HTTP/3" : "HTTP/1.1") instead of"))
  }

  @Test func `the JSON of a simulated page has every figure and the page itself`() async throws {
    let scratch = try Scratch()
    let path = try scratch.file(
      "page.json", #"{"workload": [{"id": "a", "response_bytes": 9000}, {"id": "b", "after": ["a"]}]}"#)
    let object = try await Shell().run(
      "simulate", "--workload", path, "--link", "down 8 Mbit/s, rtt 100 ms", "--seeds", "5..<8", "--json"
    ).object
    #expect(
      object.keys.sorted() == [
        "changes", "ended", "link", "median_run", "notes", "page", "page_s", "profile", "samples_s", "seeds", "version",
      ])
    #expect(object["version"] as? Int == 1 && object["ended"] as? Int == 3)
    #expect(object["seeds"] as? [String: Int] == ["first": 5, "count": 3] && (object["notes"] as? [Any])?.count == 0)
    #expect((object["page_s"] as? [String: Any])?.count == 7 && (object["samples_s"] as? [Any])?.count == 3)
    #expect(((object["page"] as? [String: Any])?["workload"] as? [Any])?.count == 2)
    let changes = try #require(object["changes"] as? [[String: Any]])
    let words = ["HTTP/3 instead of HTTP/2", "bodies half as large", "all requested at the start"]
    #expect(changes.map { $0["change"] as? String } == words)
    let run = try #require(object["median_run"] as? [String: Any])
    #expect(run["critical_path"] as? [String] == ["a", "b"])
    let shares = ["between_s", "connections_s", "answers_s", "bodies_s"].compactMap { run[$0] as? Double }
    #expect(shares.count == 4 && abs(shares.reduce(0, +) - (run["total_s"] as? Double ?? 0)) < 1e-9)
    let requests = try #require(run["requests"] as? [String: [String: Any]])
    let times = ["begin_s", "sent_s", "first_byte_s", "end_s"].compactMap { requests["b"]?[$0] as? Double }
    #expect(times.count == 4 && times == times.sorted())
    #expect(run["total_s"] as? Double == times[3])
  }

  @Test(arguments: [
    (["--get", "1 kB"], "--workload and --get exclude each other"), (["--tls"], "--workload and --tls exclude"),
    (["--har", "x.har"], "--workload and --har exclude each other"),
    (["--cases", "x.json"], "--cases and --workload exclude each other"),
    (["--rtt-excess", "1 ms"], "--workload and --rtt-excess exclude"),
  ])
  func `--workload is refused with options that describe another transfer`(words: [String], message: String) async {
    let outcome = await Shell().run(["simulate", "--workload", "page.json"] + words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }
}
