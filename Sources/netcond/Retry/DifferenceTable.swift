import RetryBenchmark

/// By how much policies differ from the first one, in pairs of one seed: in success, time and attempts.
struct DifferenceTable {
  let figures: [PolicyFigures]

  var table: Table {
    var table = Table([
      .init(title: "against \(figures.first?.policy.printable ?? "")"), .init(title: "success"), .init(title: "time"),
      .init(title: "attempts"),
    ])
    table.rows = figures.dropFirst().map { row in
      [
        Table.Cell(row.policy, .strong), Self.cell(row.difference, per: 100, moreIsGood: true),
        Self.cell(row.latencyDifference), Self.cell(row.attemptsDifference),
      ]
    }
    return table
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
