import Foundation
import Internals
import Testing

@testable import FailureSearch

/// The texts of a report with known counts.
struct ExplorationReportTests {
  private static let json = """
    {"exploration": 4, "scenario": "pay", "profile": "3G", "bound": 2, "kinds": ["refused", "stall", "tls"],
    "reduction": "classes", "shardCount": 3, "shards": [1], "levels": [
    {"points": 1200, "classes": 4, "run": 6, "alike": 0}, {"points": 40, "classes": 2, "run": 2, "alike": 1}],
    "behaviours": [
    {"words": "no answer; fails: Bad: #", "isFailure": true, "points": 1, "classes": 1, "example": ["x", "y"],
    "place": [0, 1]},
    {"words": "no answer; fails: Worse", "isFailure": true, "points": 30, "classes": 2, "example": ["z"], "place": [1]},
    {"words": "all is well", "isFailure": false, "points": 1209, "classes": 3, "example": ["o"], "place": [2]}],
    "failures": [
    {"fingerprint": "Worse", "points": 30, "example": ["z"], "summary": "Worse, when z", "text": "Worse, drawn",
    "token": "netcond1:z", "code": "", "place": [1]},
    {"fingerprint": "Bad: #", "points": 1, "example": ["x", "y"], "summary": "Bad: 7, when x, y",
    "text": "Bad: 7, drawn", "token": "netcond1:x", "code": "", "place": [0, 1]}],
    "checked": 2, "splits": [], "omissions": ["b", "a"],
    "lengths": [{"kind": "stall", "nanoseconds": 2000000000}, {"kind": "stall"},
    {"kind": "stall", "nanoseconds": 1500000000}],
    "waits": [1000000000], "isPartial": true, "virtualTime": 90500000000, "usual": "all is well", "length": 100000000,
    "steps": [{"name": "GET /a", "start": 0, "end": 50000000}, {"name": "GET /b", "start": 50000000, "end": 100000000},
    {"name": "GET /c", "start": 100000000, "end": 100000000}],
    "marks": [
    {"kind": "stall", "first": 20000000, "last": 60000000, "points": 30, "behaviour": "no answer; fails: Worse",
    "isFailure": true, "place": [1]},
    {"kind": "stall", "first": 10000000, "last": 10000000, "points": 2, "behaviour": "all is well", "isFailure": false,
    "place": [2]},
    {"kind": "refused", "first": 50000000, "last": 50000000, "points": 1, "behaviour": "another", "isFailure": false,
    "place": [3]}], "hash": "h"}
    """

  /// The report with some of its texts replaced.
  private static func report(_ changes: [String: String] = [:]) throws -> ExplorationReport {
    var text = json
    for (old, new) in changes {
      try #require(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return try ExplorationReport(json: Data(text.utf8))
  }

  private static let effort = """
    Of these: single faults 1,200 in 4 classes, pairs 40 in 2 classes.
    One point of each class was run, and 2 others, which behaved as their classes do.
    The runs took 90 s of the client's time.
    """

  @Test func `a report's summary counts classes, points, errors and runs, and lists what was and was not tried`() throws
  {
    let report = try Self.report()
    #expect(
      report.summary == """
        It was interrupted. Of what was covered until then: 3 of 6 classes break pay under "3G", shard 1 of 3, \
        with 2 errors: 31 of 1,240 points. 8 points were run. 1,232 more, in 6 classes, are only assumed to behave as \
        these do. 1 course was not followed further, because it was like others. Faults with a length ended just \
        before, just after and well after each of the client's waits (1 s). Besides these, only these lengths were \
        tried: stall 2 s, for ever. Not covered: b; a.
        """)
    let jittered = try Self.report(["[1000000000]": "[1311946360]"]).summary
    #expect(jittered.contains("waits (1.31 s)") && jittered.contains("stall 2 s, for ever, 1.5 s."), "\(jittered)")
    #expect(report.points == 1_240 && report.failingPoints == 31 && report.classes == 6 && !report.isWhole)
  }

  @Test func `a report that was interrupted before its first point claims nothing`() throws {
    var report = try Self.report()
    (report.failures, report.levels) = ([], [])
    #expect(report.headline == #"It was interrupted under "3G", shard 1 of 3, before any fault was tried."#)
  }

  @Test func `a report in which each point was run counts points, not classes`() throws {
    let all = [
      #""run": 6"#: #""run": 1200"#, #""run": 2, "alike": 1"#: #""run": 40, "alike": 0"#,
      #""isPartial": true"#: #""isPartial": false"#,
      #""shardCount": 3"#: #""shardCount": 1"#,
    ]
    let report = try Self.report(all)
    #expect(report.headline == #"31 of 1,240 points break pay under "3G", with 2 errors."#)
    #expect(!report.text.contains("One point of each class"))
    var alike = all
    alike[#""run": 2, "alike": 1"#] = #""run": 40, "alike": 2"#
    #expect(
      try Self.report(alike).headline.hasSuffix(
        "1,240 points were run. 2 courses were not followed further, because they were like others."))
    // An exploration without shards knows which kinds have no point.
    #expect(report.kindsText == "Kinds: refused connections, stalls at each byte. No point for: failed TLS handshakes.")
    for (key, value) in [(#""shardCount": 1"#, #""shardCount": 3"#), (#""isPartial": false"#, #""isPartial": true"#)] {
      let part = try Self.report(all.mapValues { $0 == key ? value : $0 })
      #expect(part.kindsText == "Kinds: refused connections, stalls at each byte, failed TLS handshakes.")
    }
  }

  @Test func `a report's text explains each error and ends with the behaviours and what was tried`() throws {
    let report = try Self.report()
    let scope = ([report.kindsText] + report.scope).joined(separator: "\n")
    #expect(
      report.text == """
        \(report.headline)

        30 points, for example: Worse, drawn

        Token:
        netcond1:z

        1 point: Bad: 7, drawn

        Token:
        netcond1:x

          points  classes  what the client did
        !      1        1  no answer; fails: Bad: #
        !     30        2  no answer; fails: Worse
           1,209        3  all is well

        \(Self.effort)
        \(scope)
        """)
    for (splits, words) in [(#"["a"]"#, "one class was"), (#"["a", "b"]"#, "2 classes were")] {
      #expect(
        try Self.report([#""splits": []"#: #""splits": \#(splits)"#]).text.contains(
          "showed that \(words) really several."))
    }
  }

  @Test func `a report's text lists at most ten behaviours and counts the others`() throws {
    let last = String(try #require(Self.json.split(separator: "\n").first { $0.contains("1209") }).dropLast(2))
    for (count, rest) in [(10, nil), (11, "  and 1 more behaviour"), (12, "  and 2 more behaviours")] {
      let fillers = (3..<count).map { number in
        last.replacing("all is well", with: "way \(number)").replacing("1209", with: "0")
          .replacing("\"classes\": 3", with: "\"classes\": 0").replacing("[2]", with: "[\(number)]")
      }
      let text = try Self.report([last: ([last] + fillers).joined(separator: ", ")]).text
      let lines = text.split(separator: "\n").drop { !$0.hasSuffix("what the client did") }.dropFirst()
      let shown = lines.prefix { !$0.hasPrefix("Of these") && !$0.hasPrefix("  and ") }
      #expect(shown.count == 10 && lines.first { $0.hasPrefix("  and ") }.map(String.init) == rest, "\(text)")
    }
  }

  @Test func `a printed report shows its worst error whole if that fits a screen of 48 lines`() throws {
    let whole = try (1...60).compactMap { count in
      let lines = (1...count).map { "line \($0)" }
      let text = try Self.report(["Worse, drawn": lines.joined(separator: "\\n")]).description
      return text.contains(lines.joined(separator: "\n")) ? Excerpt.height(of: text) : nil
    }
    #expect(whole.max() == 48)
  }

  @Test func `a long URL in a report is shortened, and a total below ten seconds is in milliseconds`()
    throws
  {
    let url = "https://a.example/\(String(repeating: "x", count: 120))"
    let report = try Self.report([#""example": ["x", "y"]"#: #""example": ["\#(url): reset", "y"]"#])
    #expect(!report.description.contains(url))
    let short = try Self.report(["90500000000": "874000000"])
    #expect(short.text.contains("The runs took 874 ms of the client's time."))
  }

  @Test func `a printed report with two errors shows the worst and counts the other`() throws {
    let report = try Self.report()
    #expect(
      report.description == """
        \(report.headline.wrapped(to: 100).joined(separator: "\n"))

        1 point when x; y
          no answer; fails: Bad: #
        30 points, for example when z
          no answer; fails: Worse

        30 points, for example: Worse, drawn

        Token:
        netcond1:z

        The other errors:
          1 point: Bad: #

        `failures` has each error with its test, and `ExplorationPage` draws everything that was tried.
        """)
    #expect(
      report.annotations(known: ["no answer; fails: Worse"]) == [
        "::error title=pay under 3G::1 point: no answer; fails: Bad: #%0ABad: 7, when x, y%0ANETCOND_REPLAY=netcond1:x",
        "::warning title=pay under 3G::30 points: no answer; fails: Worse%0AWorse, when z%0ANETCOND_REPLAY=netcond1:z",
      ])
  }

  @Test func `a report in JUnit XML has a test case for each behaviour, and known failures pass`() throws {
    let report = try Self.report()
    #expect(
      report.junit(known: ["no answer; fails: Worse"]) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="every fault: pay under 3G" tests="3" failures="1" skipped="0" errors="0">
          <testcase classname="pay" name="1 point: no answer; fails: Bad: #">
            <failure message="when x; y">1 point: Bad: 7, drawn

        Token:
        netcond1:x</failure>
          </testcase>
          <testcase classname="pay" name="30 points: no answer; fails: Worse"/>
          <testcase classname="pay" name="1,209 points: all is well"/>
          <system-out>\(report.summary.replacing("\"", with: "&quot;").replacing("'", with: "&#39;"))</system-out>
        </testsuite>

        """)
    #expect(report.junit().contains(#" failures="2" "#))
  }

  @Test(arguments: [
    (#""bound": 2"#, #""bound": 3"#), (#""shards": [1]"#, #""shards": [0]"#), (#""shards": [1]"#, #""shards": [4]"#),
    (#""shards": [1]"#, #""shards": [2, 2]"#), (#""shards": [1]"#, #""shards": []"#),
    (#""shardCount": 3"#, #""shardCount": 0"#), (#""exploration": 4"#, #""exploration": 5"#),
  ])
  func `a report that contradicts itself is refused`(old: String, new: String) throws {
    #expect(throws: (any Error).self) { try Self.report([old: new]) }
  }

  @Test func `merging two shards adds their counts and keeps the example that comes first`() throws {
    var report = try Self.report([#""isPartial": true"#: #""isPartial": false"#])
    let other = try Self.report([
      #""shards": [1]"#: #""shards": [2]"#, #""place": [1]"#: #""place": [0]"#,
      #""example": ["z"]"#: #""example": ["first"]"#,
      #""place": [2]"#: #""place": [3]"#, #""example": ["o"]"#: #""example": ["later"]"#,
    ])
    try report.merge(other)
    #expect(report.shards == [1, 2] && report.shardCount == 3 && report.isPartial)
    #expect(report.levels.map(\.points) == [2_400, 80] && report.levels.map(\.classes) == [8, 4])
    #expect(report.levels.map(\.run) == [12, 4] && report.levels.map(\.alike) == [0, 1])
    #expect(report.virtualTime == 181_000_000_000 && report.checked == 4 && report.marks.count == 6)
    #expect(report.behaviours.map(\.points) == [60, 2, 2_418] && report.behaviours.map(\.classes) == [4, 2, 6])
    #expect(report.behaviours.map(\.example) == [["first"], ["x", "y"], ["o"]])
    #expect(report.failures.map(\.points) == [60, 2] && report.failures[0].example == ["first"])
    #expect(
      report.omissions == ["a", "b"] && report.lengths.map(\.nanoseconds) == [1_500_000_000, 2_000_000_000, nil])
    #expect(report.marks.map(\.points) == [1, 1, 30, 30, 2, 2])
    let third = try Self.report([#""shards": [1]"#: #""shards": [3]"#, "90500000000": "\(Int64.max)"])
    try report.merge(third)
    #expect(report.shards == [1] && report.shardCount == 1 && report.virtualTime == .max)
  }

  @Test(arguments: [
    (#""scenario": "pay""#, #""scenario": "buy""#, "its scenario is buy, not pay"),
    (#""profile": "3G""#, #""profile": "4G""#, "its profile is 4G, not 3G"),
    (#""shardCount": 3"#, #""shardCount": 4"#, "its number of shards is 4, not 3"),
    (#""kinds": ["refused", "#, #""kinds": ["#, "it tries different faults"),
    (#""reduction": "classes""#, #""reduction": "none""#, "it tries different faults"),
    (#""hash": "h""#, #""hash": "i""#, "its client behaves differently without a fault"),
  ])
  func `shards of different explorations cannot be merged`(old: String, new: String, reason: String) throws {
    var report = try Self.report()
    let other = try Self.report([old: new, #""shards": [1]"#: #""shards": [2]"#])
    #expect(throws: ExplorationReport.MergeError.different(reason)) { try report.merge(other) }
  }

  @Test func `a shard cannot be merged twice`() throws {
    var report = try Self.report()
    #expect(throws: ExplorationReport.MergeError.twice(1)) { try report.merge(Self.report()) }
  }

  /// 586 points of width are 100 ms.
  @Test func `an exploration's map shows steps and faults at their times, a lane for each outcome`() throws {
    let picture = ExplorationPage(try Self.report()).picture
    let lines = picture.split(separator: "\n").filter { $0.contains("<title>") || $0.hasPrefix("<line class=\"grid\"") }
    #expect(
      lines == [
        #"<g><title>GET /a</title><rect class="step" x="118" y="18" width="293" height="14" rx="2"/></g>"#,
        #"<g><title>GET /b</title><rect class="step" x="411" y="36" width="293" height="14" rx="2"/></g>"#,
        #"<g><title>GET /c</title><rect class="step" x="704" y="54" width="2" height="14" rx="2"/></g>"#,
        #"<line class="grid" x1="118" y1="102" x2="704" y2="102"/>"#,
        #"<g><title>1 point: another</title><circle class="other" cx="409.5" cy="91" r="3.5"/></g>"#,
        #"<line class="grid" x1="118" y1="135" x2="704" y2="135"/>"#,
        #"<g><title>30 points: no answer; fails: Worse</title><line class="span" x1="235.2" y1="113" x2="469.6" y2="113"/>"#
          + #"<line class="failing" x1="350.5" y1="109" x2="358.5" y2="117"/>"#
          + #"<line class="failing" x1="350.5" y1="117" x2="358.5" y2="109"/></g>"#,
        #"<g><title>2 points: all is well</title><circle class="same" cx="178.5" cy="124" r="2.5"/></g>"#,
      ])
  }
}
