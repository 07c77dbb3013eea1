package import Internals
import LinkSimulator
import NetworkConditions

/// A report in text: headlines, a table of usual figures for each profile, and optionally all others.
package struct RetryTable {
  let report: RetryReport
  let showsAll: Bool

  package init(report: RetryReport, showsAll: Bool = false) {
    self.report = report
    self.showsAll = showsAll
  }

  /// The lines, wrapped to `width` of at least 60 characters; narrow tables leave out columns.
  package func lines(width: Int, style: Style) -> [String] {
    let width = max(60, width)
    func wrapped(_ text: String) -> [String] {
      text.split(separator: "\n").flatMap { String($0).printable.wrapped(to: min(width, 100)) }
    }
    var lines = report.profiles.flatMap { wrapped(report.headline(of: $0)).map { style(.strong, $0) } }
    if !showsAll { lines += report.cautions.flatMap(wrapped) }
    lines += report.leftOut.flatMap { wrapped("\($0)").map { style(.warning, $0) } }
    lines += [""] + wrapped(report.circumstances).map { style(.faint, $0) }
    lines += report.interruption.map(wrapped)?.map { style(.warning, $0) } ?? []
    for profile in report.profiles {
      let figures = report.figures(of: profile)
      lines += [""] + table(figures, profile, width).lines(width: width, style: style)
      lines += keys.flatMap { wrapped("\($0.label): \($0.policy)") }.map { style(.faint, $0) }
      guard showsAll else { continue }
      if let curve = curve(figures) { lines += curve.lines(width: width, style: style) }
      if let successOverTime = successOverTime(figures) { lines += successOverTime.lines(width: width, style: style) }
      if figures.count > 1 {
        lines += DifferenceTable(figures: figures, label: label).table.lines(width: width, style: style)
      }
      lines += report.ownFindings(of: profile).flatMap(wrapped)
    }
    let shared = showsAll ? report.sharedFindingsText.flatMap(wrapped) : report.decisionText.map(wrapped) ?? []
    if !shared.isEmpty { lines += [""] + shared }
    return lines + [""] + wrapped(legend).map { style(.faint, $0) }
  }

  /// The longest name in a table's column; longer ones get a short name.
  private static let longest = 28

  /// The policies whose names are too long for a column, with short names.
  private var keys: [(policy: String, label: String)] {
    let long = report.policies.filter { $0.count > Self.longest }
    return long.enumerated().map { ($1, "policy \($0 + 1)") }
  }

  private func label(_ policy: String) -> String { keys.first { $0.policy == policy }?.label ?? policy }

  private var legend: String {
    let first = report.policies.first.map(\.printable) ?? ""
    let share = FigureText.percent(report.confidence)
    let effects =
      report.workload.isIdempotent
      ? ""
      : " Twice: % that the server carried out twice or more. Unknown: % that it carried out and that failed for the caller. "
        + "≤: the end of the interval."
    guard showsAll else {
      return
        "Success in % with its \(share) % interval. p50: seconds until 50 of 100 are answered (± 0.4 %), or never. "
        + "Tries: attempts per request. Wait: seconds per answer.\(effects)"
    }
    return
      "Success in %, with its \(share) % interval; the seed is the unit of all intervals. Times in seconds: until 50, "
      + "90 and 99 of 100 requests are answered, failures included; quit: the p50 until one was given up. Tries: "
      + "attempts per request; wait: seconds callers waited per answer, also in vain; waste: bytes of attempts that "
      + "brought nothing, per request. Answered within: % of all requests"
      + (report.figures(of: report.profiles.first ?? "").contains { !$0.successOverTime.isEmpty }
        ? "; begun from: % of those begun from then on, up to the next column, that succeed" : "")
      + ". Against \(first): points of success, seconds of "
      + "wait and tries more, in pairs of one seed, with the \(share) % interval; noise: perhaps only chance."
      + effects
  }

  /// A column; those with the greatest rank are left out first.
  private typealias Field = (title: String, rank: Int, cell: @Sendable (PolicyFigures) -> Table.Cell)

  private static let fields: [Field] = [
    ("success", 0, { success($0) }), ("p50", 0, { Table.Cell(seconds($0.answers?.p50.value)) }),
    ("p90", 2, { Table.Cell(seconds($0.answers?.p90.value)) }),
    ("p99", 1, { Table.Cell(withInterval($0.answers?.p99)) }),
    ("quit", 3, { Table.Cell(seconds($0.timeToGiveUp?.value)) }),
    ("tries", 0, { Table.Cell($0.measures[.amplification].map { figure($0.value) } ?? "–") }),
    ("wait", 0, { Table.Cell(seconds($0.measures[.wait]?.value)) }),
    ("waste", 1, { Table.Cell($0.measures[.wastedBytes].map { FigureText.bytes($0.value.rounded()) } ?? "–") }),
  ]

  /// The columns that are shown only with all figures.
  private static let seldom: Set<String> = ["quit", "waste"]

  private static let effectFields: [Field] = [
    ("twice", 0, { Table.Cell(shareOrDash($0.measures[.repeatedEffects])) }),
    ("unknown", 0, { Table.Cell(shareOrDash($0.measures[.unreportedEffects])) }),
  ]

  /// A share in %, with the upper end of its interval, such as `0 ≤0.19`.
  private static func shareOrDash(_ share: Estimate?) -> String {
    share.map { "\(figure($0.value * 100)) ≤\(figure($0.interval.upperBound * 100))" } ?? "–"
  }

  private func table(_ figures: [PolicyFigures], _ profile: String, _ width: Int) -> Table {
    var fields = Self.fields.filter { showsAll || !Self.seldom.contains($0.title) }
    if !report.workload.isIdempotent { fields += Self.effectFields }
    while true {
      let table = rows(profile.printable, fields.map(\.title), figures) { row in fields.map { $0.cell(row) } }
      let taken = table.widths.reduce(-2) { $0 + $1 + 2 }
      let last = fields.max { $0.rank < $1.rank }?.rank ?? 0
      if taken <= width || last == 0 { return table }
      fields.removeAll { $0.rank == last }
    }
  }

  private func rows(
    _ title: String, _ columns: [String], _ figures: [PolicyFigures], _ cells: (PolicyFigures) -> [Table.Cell]
  ) -> Table {
    Table(
      columns: [.left(title)] + columns.map { .right($0) },
      rows: figures.map { [Table.Cell(label($0.policy), .strong)] + cells($0) })
  }

  /// The share of requests answered within each time; times after which nothing changes are left out.
  private func curve(_ figures: [PolicyFigures]) -> Table? {
    let shown = PolicyFigures.times.indices.filter { index in
      let shares = figures.compactMap { $0.within.indices.contains(index) ? $0.within[index].value : nil }
      let before = figures.compactMap {
        index > 0 && $0.within.indices.contains(index) ? $0.within[index - 1].value : 0
      }
      return shares != before
    }
    guard let last = shown.last, !shown.isEmpty else { return nil }
    let times = (shown.first ?? last)...last
    return rows("answered within", times.map { span(PolicyFigures.times[$0]) }, figures) { row in
      // A policy has no shares if it had no trial, as in an interrupted run.
      times.map { Table.Cell(row.within.indices.contains($0) ? Self.percent(row.within[$0].value) : "–") }
    }
  }

  /// The share of requests that succeed, by their start; `nil` if all started together.
  private func successOverTime(_ figures: [PolicyFigures]) -> Table? {
    guard let slices = figures.first?.successOverTime.map(\.seconds), !slices.isEmpty else { return nil }
    return rows("begun from", slices.map { "\($0.lowerBound) s" }, figures) { row in
      slices.map { slice in
        let share = row.successOverTime.first { $0.seconds == slice }?.share
        return Table.Cell(share.map(Self.percent) ?? "–")
      }
    }
  }

  private static func success(_ figures: PolicyFigures) -> Table.Cell {
    guard let success = figures.measures[.successRate] else { return "–" }
    let bounds = [success.interval.lowerBound, success.interval.upperBound].map { figure($0 * 100) }
    let role: Style.Role? = success.value >= 0.99 ? .good : success.value < 0.5 ? .bad : nil
    return Table.Cell("\(percent(success.value)) \(bounds.joined(separator: "–"))", role)
  }

  /// A rate in %; one below 1 is never shown as 100.
  private static func percent(_ rate: Double) -> String {
    let text = figure((rate * 1000).rounded() / 10)
    return text == "100" && rate < 1 ? "99.9" : text
  }

  /// A time with its interval; `40–∞` has no upper bound, because there are too few seeds.
  static func withInterval(_ time: Estimate?) -> String {
    guard let time else { return "–" }
    let (low, high) = (time.interval.lowerBound, time.interval.upperBound)
    guard time.value.isFinite || low.isFinite else { return seconds(time.value) }
    return "\(seconds(time.value)) \(seconds(low))–\(high.isFinite ? seconds(high) : "∞")"
  }

  private static func seconds(_ seconds: Double?) -> String {
    guard let seconds else { return "–" }
    guard seconds.isFinite else { return "never" }
    guard seconds < 0.0995 else { return figure(seconds) }
    return "0.\(String(1000 + Int((seconds * 1000).rounded())).dropFirst())"
  }
}

/// The paired differences of policies from the first one: in success, wait and attempts.
struct DifferenceTable {
  let figures: [PolicyFigures]
  let label: (String) -> String

  var table: Table {
    Table(
      columns: [
        .left("against \(figures.first.map { label($0.policy).printable } ?? "")"), .left("success"), .left("wait"),
        .left("tries"),
      ],
      rows: figures.dropFirst().map { row in
        [
          Table.Cell(label(row.policy), .strong), Self.cell(row.differences?[.successRate], per: 100, moreIsGood: true),
          Self.cell(row.differences?[.wait]), Self.cell(row.differences?[.amplification]),
        ]
      })
  }

  private static func cell(
    _ difference: PairedComparison?, per scale: Double = 1, moreIsGood: Bool = false
  ) -> Table.Cell {
    guard let difference else { return Table.Cell("–", .faint) }
    if let needed = difference.seedsNeeded { return Table.Cell("from \(needed) seeds", .faint) }
    let (low, high) = (difference.interval.lowerBound * scale, difference.interval.upperBound * scale)
    let interval = "\(signed(low, plus: ""))..\(signed(high, plus: ""))"
    guard difference.isBeyondNoise else { return Table.Cell("noise \(interval)", .faint) }
    let isGood = (difference.difference > 0) == moreIsGood
    return Table.Cell("\(signed(difference.difference * scale)) \(interval)", isGood ? .good : .bad)
  }

  /// A number with its sign, such as `+12.5`.
  private static func signed(_ value: Double, plus: String = "+") -> String {
    let size = figure(abs(value))
    return size == "0" ? "0" : (value < 0 ? "−" : plus) + size
  }
}

/// A figure with at most two decimals.
private func figure(_ value: Double) -> String { FigureText.digits(value, atMost: 2) }

extension RetryReport {
  /// The requests, the server, how clients arrive and wait, and the shards, in words.
  var circumstances: String {
    let clients = workload.clients == 1 ? "one client" : "\(workload.clients) clients"
    let many = workload.requestsPerClient == 1 ? "" : ", \(workload.requestsPerClient) requests each"
    let size = workload.requestBytes > 0 ? workload.requestBytes : workload.responseBytes
    let head =
      "\(workload.method) \(FigureText.bytes(Double(size))) by \(clients)\(many), \(FigureText.count(seeds.count, "seed"))"
    var words = [head, workload.circumstances(server)]
    if let part = parts.first, part.count > 1 {
      let numbers = parts.map { "\($0.index + 1)" }.joined(separator: ", ")
      words.append("shard\(parts.count == 1 ? "" : "s") \(numbers) of \(part.count)")
    }
    return words.joined(separator: "; ")
  }

  /// How many seeds the figures of an interrupted run hold; `nil` for a complete one.
  var interruption: String? {
    let counts = results.map(\.trials.count)
    guard isPartial, let least = counts.min(), let most = counts.max() else { return nil }
    let done = least == most ? FigureText.grouped(least) : "\(FigureText.grouped(least)) to \(FigureText.grouped(most))"
    return "Interrupted: \(done) of \(FigureText.count(seeds.count, "seed")) are in these figures."
  }
}

extension Workload {
  /// The server, and how clients arrive and wait, in words.
  func circumstances(_ server: ServerModel) -> String {
    var words = ["server: \(server.text)"]
    let (slow, down) = (server.brownOutsText, server.outagesText)
    if !down.isEmpty { words.append("down \(down)") }
    if !slow.isEmpty { words.append("slow \(slow)") }
    if let every { words.append("open loop: every \(every.text)") }
    if think != .seconds(0) { words.append("thinking \(think.text)") }
    switch arrival {
    case .poisson(let length): words.append("arrival over \(span(length))")
    case .evenly(let length): words.append("arrival evenly over \(span(length))")
    case .together: if clients > 1 { words.append("all arrive together") }
    }
    if let deadline { words.append("deadline \(span(deadline))") }
    if let perTry { words.append("each try up to \(span(perTry))") }
    return words.joined(separator: "; ")
  }
}

/// A time such as `40 ms` or `2 min 5 s`.
private func span(_ time: Duration) -> String {
  FigureText.time(nanoseconds: time.wholeNanoseconds, zero: "0 ms", secondsBelow: 99.95)
}

extension RetryReport: CustomStringConvertible {
  /// The first lines of the table, cut to about a screen, and the headlines of all profiles.
  public var description: String {
    let most = 46
    var lines = RetryTable(report: self).lines(width: 100, style: .none)
    lines.append("HTMLReport and CSVReport have the rest, and PolicyFigures in code.")
    guard lines.count > most else { return lines.joined(separator: "\n") }
    lines = Array(lines.prefix(most / 2)) + ["…", ""]
    let headlines = profiles.flatMap { headline(of: $0).printable.wrapped(to: 100) }
    let rest = headlines.count - most / 2
    lines += headlines.prefix(most / 2)
    return (lines + (rest > 0 ? ["and \(rest) more lines"] : [])).joined(separator: "\n")
  }
}
