import LinkSimulator

/// A picture of rates and outages over time: two curves, the phases' names, and an axis.
struct ConditionDrawing {
  let schedule: ConditionSchedule

  /// How wide what stands left of the curves is.
  private static let margin = 13
  private static let downHeight = 5
  private static let upHeight = 3
  private static let outageMark: Character = "╱"

  func lines(width: Int, style: Style) -> [String] {
    let count = max(16, min(100, width - Self.margin - 4))
    let curve = ConditionCurve(schedule, columns: count)
    var lines = panel("down", curve, \.down, height: Self.downHeight, role: .down, style)
    lines.append("")
    lines += panel("up", curve, \.up, height: Self.upHeight, role: .up, style)
    lines += axis(curve, count, style)
    lines.append(names(curve, count, style))
    return lines
  }

  private func panel(
    _ name: String, _ curve: ConditionCurve, _ rate: KeyPath<ConditionCurve.Column, Double>, height: Int,
    role: Style.Role, _ style: Style
  ) -> [String] {
    let values = curve.columns.map { $0.outage > 0.5 ? 0 : $0[keyPath: rate] }
    let finite = values.filter(\.isFinite).max() ?? 0
    let hasLimit = values.allSatisfy(\.isFinite)
    // Beside a limit, what has none stands a fifth higher than the greatest of them.
    let top = hasLimit ? finite : finite > 0 ? finite * 1.2 : 1
    let rows = Blocks.rows(values.map { $0.isFinite ? $0 : top }, height: height, top: top)
    let isOut = curve.columns.map { $0.outage > 0.5 }
    return rows.enumerated().map { index, row in
      let label =
        switch index {
        case 0: hasLimit ? Amounts.rate(finite) : "unlimited"
        case height - 1: name
        default: ""
        }
      let tick = index == 0 ? "┤" : "│"
      let text = label.padded(to: Self.margin - 2, right: true)
      let shown = style(index == height - 1 ? role : .faint, text)
      return "\(shown) \(style(.faint, tick))\(Self.coloured(Array(row), isOut, role, style))"
    }
  }

  /// A row in which the columns of an outage are hatched.
  private static func coloured(_ row: [Character], _ isOut: [Bool], _ role: Style.Role, _ style: Style) -> String {
    var text = ""
    var begin = 0
    while begin < row.count {
      let end = (begin..<row.count).first { isOut[$0] != isOut[begin] } ?? row.count
      let piece = String(isOut[begin] ? Array(repeating: outageMark, count: end - begin) : Array(row[begin..<end]))
      // Nothing stands at the end of a line but what can be seen.
      let isBlank = end == row.count && !isOut[begin] && piece.allSatisfy { $0 == " " }
      if isBlank { break }
      text += style(isOut[begin] ? .bad : role, piece)
      begin = end
    }
    return text
  }

  private func axis(_ curve: ConditionCurve, _ count: Int, _ style: Style) -> [String] {
    let seconds = curve.length / .seconds(1)
    let step = Self.step(seconds, labels: max(2, count / 12))
    var line = Array(repeating: Character("─"), count: count)
    var labels = Array(repeating: Character(" "), count: Self.margin + count + 8)
    var time = 0.0
    while time <= seconds * 1.0001 {
      let column = Int((time / seconds * Double(count)).rounded())
      if column < count { line[column] = "┬" }
      let text = Array(Self.label(time))
      let begin = Self.margin + column - (column == 0 ? 0 : text.count / 2)
      for (offset, character) in text.enumerated() where begin + offset < labels.count {
        labels[begin + offset] = character
      }
      time += step
    }
    let end = curve.goesOn ? "→" : "┤"
    let indent = String(repeating: " ", count: Self.margin - 1)
    while labels.last == " " { labels.removeLast() }
    return [style(.faint, "\(indent)└\(String(line))\(end)"), style(.faint, String(labels))]
  }

  /// The phases' names under their columns; where a name has no room its number stands, which the list explains.
  private func names(_ curve: ConditionCurve, _ count: Int, _ style: Style) -> String {
    var row = Array(repeating: Character(" "), count: count)
    for span in curve.spans {
      let room = span.columns.count - 1
      let number = "\(span.index + 1)"
      let name = span.name.printable
      let text = !name.isEmpty && name.count <= room ? name : number.count <= room + 1 ? number : ""
      let begin = span.columns.lowerBound + max(0, (span.columns.count - text.count) / 2)
      for (offset, character) in text.enumerated() where begin + offset < count { row[begin + offset] = character }
    }
    while row.last == " " { row.removeLast() }
    return String(repeating: " ", count: Self.margin) + style(.strong, String(row))
  }

  /// The distance of the ticks: a round number of seconds, minutes or hours.
  static func step(_ seconds: Double, labels: Int) -> Double {
    let wanted = seconds / Double(labels)
    let round: [Double] = [
      0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
      7200, 14_400, 21_600, 43_200, 86_400,
    ]
    return round.first { $0 >= wanted } ?? (wanted / 86_400).rounded(.up) * 86_400
  }

  private static func label(_ seconds: Double) -> String {
    seconds == 0 ? "0" : Amounts.time(.milliseconds(Int64((seconds * 1000).rounded())))
  }
}
