import NetworkConditions
import RetryBenchmark

/// A report as a table for each profile.
struct RetryTable {
  let report: RetryReport

  /// The lines, at most `width` characters long from 80 on; where there is little room, the last columns are left out.
  func lines(width: Int, style: Style) -> [String] {
    let width = max(60, width)
    var lines = [style(.strong, head)]
    lines += Help.wrap(circumstances, to: min(width, 100)).map { style(.faint, $0) }
    if report.isPartial { lines.append(style(.warning, "partial: interrupted before all trials were done")) }
    for profile in report.profiles {
      lines += ["", style(.strong, profile.printable)]
      let figures = report.figures(of: profile)
      lines += table(figures, width).lines(width: width, style: style)
      if figures.count > 1 { lines += DifferenceTable(figures: figures).table.lines(width: width, style: style) }
      lines += Help.wrap(report.headline(of: profile).printable, to: min(width, 100)).map { style(.strong, $0) }
      lines += report.findings(of: profile).flatMap { Help.wrap($0.printable, to: min(width, 100)) }
    }
    return lines + [""] + Help.wrap(legend, to: min(width, 100)).map { style(.faint, $0) }
  }

  private var head: String {
    let workload = report.workload
    let clients = workload.clients == 1 ? "one client" : "\(workload.clients) clients"
    let many = workload.requestsPerClient == 1 ? "" : ", \(workload.requestsPerClient) requests each"
    return "\(workload.method) \(Amounts.bytes(Int64(workload.responseBytes))) by \(clients)\(many), "
      + "\(Amounts.count(Int64(report.seeds.count), "seed"))"
  }

  private var circumstances: String {
    var words = ["server: \(report.server.text)"]
    words += report.server.outages.map { outage in
      "down from \(Amounts.time(outage.lowerBound)) to \(Amounts.time(outage.upperBound))"
    }
    if case .poisson(let length) = report.workload.arrival {
      words.append("arrival over \(Amounts.time(length))")
    } else if report.workload.clients > 1 {
      words.append("all arrive together")
    }
    if let deadline = report.workload.deadline { words.append("deadline \(Amounts.time(deadline))") }
    if let part = report.parts.first, part.count > 1 {
      let numbers = report.parts.map { "\($0.index + 1)" }.joined(separator: ", ")
      words.append("share\(report.parts.count == 1 ? "" : "s") \(numbers) of \(part.count)")
    }
    return words.joined(separator: "; ")
  }

  private var legend: String {
    let first = report.policies.first.map(\.printable) ?? ""
    let isAlone = report.workload.clients == 1 && report.server.capacity == nil
    let hint =
      isAlone
      ? " Which wait is best shows where many clients meet a busy server: --profile wifi --clients 50 --server '20 ms, "
        + "4 at once, queue 10, 503'." : ""
    return "Success in %, with its 95 % interval. Times in seconds: p50, p90 and p99 of requests that succeeded, quit "
      + "the p50 until one was given up. Tries: attempts per request, mean and p99; peak: most attempts per new request in "
      + "any second; waste: bytes of attempts that brought nothing, per request. Against \(first): points of success, mean "
      + "seconds and attempts more, in pairs of one seed, with the 95 % interval; noise: chance alone may have done it."
      + hint
  }

  /// A column, and how soon it is left out: the greatest rank first.
  private typealias Field = (title: String, rank: Int, cell: @Sendable (PolicyFigures) -> Table.Cell)

  private static let fields: [Field] = [
    ("success", 0, { success($0) }), ("p50", 0, { Table.Cell(seconds($0.latency?.p50)) }),
    ("p90", 2, { Table.Cell(seconds($0.latency?.p90)) }), ("p99", 0, { Table.Cell(seconds($0.latency?.p99)) }),
    ("quit", 3, { Table.Cell(seconds($0.timeToGiveUp)) }),
    ("tries", 0, { Table.Cell("\($0.attempts.map(Amounts.digits) ?? "–") \($0.attempts99.map { "\($0)" } ?? "–")") }),
    ("peak", 4, { Table.Cell(Amounts.digits($0.worstSecond)) }),
    ("waste", 1, { Table.Cell($0.wastedBytes.map { Amounts.bytes(Int64($0.rounded())) } ?? "–") }),
  ]

  private func table(_ figures: [PolicyFigures], _ width: Int) -> Table {
    var fields = Self.fields
    while true {
      let table = Table(
        columns: [.left("policy")] + fields.map { .right($0.title) },
        rows: figures.map { row in [Table.Cell(row.policy, .strong)] + fields.map { $0.cell(row) } })
      let taken = table.widths.reduce(-2) { $0 + $1 + 2 }
      let last = fields.max { $0.rank < $1.rank }?.rank ?? 0
      if taken <= width || last == 0 { return table }
      fields.removeAll { $0.rank == last }
    }
  }

  private static func success(_ figures: PolicyFigures) -> Table.Cell {
    guard let rate = figures.success.rate, let interval = figures.success.interval() else { return "–" }
    let bounds = [interval.lowerBound, interval.upperBound].map { Amounts.digits($0 * 100) }.joined(separator: "–")
    return Table.Cell("\(percent(rate)) \(bounds)", rate >= 0.99 ? .good : rate < 0.5 ? .bad : nil)
  }

  /// A rate that is not 100 is not written so.
  private static func percent(_ rate: Double) -> String {
    let text = Amounts.digits((rate * 1000).rounded() / 10)
    return text == "100" && rate < 1 ? "99.9" : text
  }

  private static func seconds(_ time: Duration?) -> String {
    guard let time else { return "–" }
    let seconds = Double(time.wholeNanoseconds) / 1e9
    guard seconds < 0.0995 else { return Amounts.digits(seconds) }
    return "0.\(String(1000 + Int((seconds * 1000).rounded())).dropFirst())"
  }
}

/// By how much policies differ from the first one, in pairs of one seed: in success, time and attempts.
struct DifferenceTable {
  let figures: [PolicyFigures]

  var table: Table {
    Table(
      columns: [
        .left("against \(figures.first?.policy.printable ?? "")"), .left("success"), .left("time"), .left("attempts"),
      ],
      rows: figures.dropFirst().map { row in
        [
          Table.Cell(row.policy, .strong), Self.cell(row.difference, per: 100, moreIsGood: true),
          Self.cell(row.latencyDifference), Self.cell(row.attemptsDifference),
        ]
      })
  }

  private static func cell(
    _ difference: PolicyFigures.Difference?, per scale: Double = 1, moreIsGood: Bool = false
  ) -> Table.Cell {
    guard let difference else { return Table.Cell("–", .faint) }
    if difference.isNone { return Table.Cell("same", .faint) }
    let (low, high) = (difference.interval.lowerBound * scale, difference.interval.upperBound * scale)
    let interval = "\(signed(low, plus: ""))..\(signed(high, plus: ""))"
    guard difference.isBeyondNoise else { return Table.Cell("noise \(interval)", .faint) }
    let isGood = (difference.mean > 0) == moreIsGood
    return Table.Cell("\(signed(difference.mean * scale)) \(interval)", isGood ? .good : .bad)
  }

  /// A number with its sign, such as `+12.5`.
  private static func signed(_ value: Double, plus: String = "+") -> String {
    let size = Amounts.digits(abs(value))
    return size == "0" ? "0" : (value < 0 ? "−" : plus) + size
  }
}
