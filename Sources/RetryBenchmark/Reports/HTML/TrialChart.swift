import Foundation
import HTMLPages
import Internals
import RetryPolicies

/// A chart of one trial over time: a row for each client, a bar for each attempt, and the outages.
struct TrialChart {
  private let named: NamedTrial
  /// The last instant that is drawn, the same for charts beside each other.
  private let end: Duration

  init(_ named: NamedTrial, until end: Duration) {
    self.named = named
    self.end = max(.milliseconds(1), end)
  }

  private static let mostClients = 40
  private static let mostRequests = 100
  private static let left = 8.0

  var text: String {
    let clients = Dictionary(grouping: named.trial.requests, by: \.client).sorted { $0.key < $1.key }
    let across = Axis(0...end.inSeconds, from: Self.left, to: Markup.width - 8)
    let isRoomy = clients.count <= 3
    var rows: [String] = []
    var top = 4.0
    for (_, requests) in clients.prefix(Self.mostClients) {
      let row = Row(
        requests: Array(requests.sorted { ($0.start, $0.end) < ($1.start, $1.end) }.prefix(Self.mostRequests)),
        isRoomy: isRoomy, across: across)
      rows += row.marks(top)
      top += row.height
    }
    let bottom = max(top, 20)
    return Markup.figure(
      named.policy, note(clients.count), height: bottom + 34, outages(across, bottom) + axis(across, bottom) + rows)
  }

  private func note(_ clients: Int) -> String {
    let requests = named.trial.requests
    let attempts = requests.reduce(0) { $0 + $1.attempts.count }
    let successes = requests.count(where: \.isSuccess)
    var result: String
    if requests.count == 1, let only = requests.first {
      result =
        "\(only.isSuccess ? "succeeds" : "gives up") after \(FigureText.digits((only.end - only.start).inSeconds)) s"
    } else {
      result = "\(successes) of \(requests.count) requests succeed"
    }
    result += ", \(FigureText.count(attempts, "attempt"))"
    if clients > Self.mostClients { result += "; the first \(Self.mostClients) of \(clients) clients" }
    if requests.count > clients * Self.mostRequests { result += "; the first \(Self.mostRequests) requests of each" }
    return result
  }

  private func outages(_ across: Axis, _ bottom: Double) -> [String] {
    named.trial.outages.filter { $0.lowerBound < end }.map { outage in
      let (from, to) = (across(outage.lowerBound.inSeconds), across(min(end, outage.upperBound).inSeconds))
      return Markup.box(from, 0, to - from, bottom, "outage")
    }
  }

  private func axis(_ across: Axis, _ bottom: Double) -> [String] {
    [Markup.line(Self.left, bottom, Markup.width - 8, bottom, "axis")] + across.ruler(6, at: bottom)
      + [Markup.text(Markup.width - 8, bottom + 30, "seconds", "tick", anchor: "end")]
  }

  static var key: String {
    let entries = AttemptMark.all.map { "<li><span class=\"chip \($0.role)\"></span>\($0.name)</li>" }
    return "<ul class=\"key\">\(entries.joined())<li><span class=\"chip band\"></span>network or server out</li>"
      + "<li><span class=\"chip outlined\"></span>hedge</li></ul>"
  }
}

/// The requests of one client; attempts that overlap are drawn below each other.
private struct Row {
  let requests: [RequestRecord]
  /// Whether the chart has room to print each attempt's outcome.
  let isRoomy: Bool
  let across: Axis

  private var bar: Double { isRoomy ? 10 : 4 }
  private var pitch: Double { isRoomy ? 25 : 5 }

  /// Each attempt, with the number of the line in which it is drawn.
  private var lines: [(attempt: AttemptTrace, line: Int)] {
    var ends: [Duration] = []
    return requests.flatMap(\.attempts).sorted { ($0.start, $0.end) < ($1.start, $1.end) }.map { attempt in
      let line = ends.firstIndex { $0 <= attempt.start } ?? ends.count
      if line == ends.count { ends.append(attempt.end) } else { ends[line] = attempt.end }
      return (attempt, line)
    }
  }

  var height: Double { Double((lines.map(\.line).max() ?? 0) + 1) * pitch + (isRoomy ? 2 : 3) }

  func marks(_ top: Double) -> [String] {
    var marks = requests.map { request in
      Markup.line(place(request.start), top + bar / 2, place(request.end), top + bar / 2, "wait")
    }
    var labelled: [Int: Double] = [:]
    for (attempt, line) in lines {
      let y = top + Double(line) * pitch
      let (from, to) = (place(attempt.start), max(place(attempt.end), place(attempt.start) + 1.5))
      let mark = AttemptMark(attempt)
      let hedge = attempt.kind == .hedge ? " hedge" : ""
      let words = "\(attempt.kind.rawValue), \(seconds(attempt.start)) to \(seconds(attempt.end)) s: \(mark.outcome)"
      marks.append(Markup.titled(Markup.box(from, y, to - from, bar, "\(mark.role)\(hedge)", rounding: 1.5), words))
      guard isRoomy else { continue }
      let isLate = from > Markup.width * 0.6
      // A label that would cover the one before is only in the bar's title.
      let length = Double(mark.outcome.count) * 5.6
      let start = isLate ? to - length : from
      guard start >= labelled[line, default: 0] else { continue }
      labelled[line] = start + length
      marks.append(
        Markup.text(isLate ? to : from, y + bar + 10, mark.outcome, "tick", anchor: isLate ? "end" : "start"))
    }
    for request in requests where !request.isSuccess {
      let x = place(request.end)
      marks.append(Markup.line(x, top - 1, x, top + bar + 1, "end"))
    }
    return marks
  }

  private func place(_ time: Duration) -> Double { across(time.inSeconds) }

  private func seconds(_ time: Duration) -> String { FigureText.digits(time.inSeconds) }
}

private struct AttemptMark {
  let role: String
  let outcome: String

  static let all = [
    (role: "good", name: "answered"), (role: "refused", name: "error status"), (role: "lost", name: "no answer"),
    (role: "left", name: "abandoned"),
  ]

  init(_ attempt: AttemptTrace) {
    outcome = Self.words[attempt.outcome] ?? attempt.outcome
    switch attempt.outcomeClass {
    case .success: role = "good"
    case .abandoned: role = "left"
    case .transientFailure, .permanentFailure:
      role = Int(attempt.outcome).map { (100...599).contains($0) } == true ? "refused" : "lost"
    }
  }

  /// Words for the `URLError` codes of network failures.
  private static let words = [
    "-1001": "timed out", "-1003": "host not found", "-1004": "cannot connect", "-1005": "connection lost",
    "-1006": "DNS failed", "-1009": "offline", "-1011": "bad answer", "-1200": "TLS failed",
  ]
}
