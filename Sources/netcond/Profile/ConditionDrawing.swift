import Internals
import LinkSimulator

struct ConditionDrawing {
  let schedule: ConditionSchedule

  /// The width of the labels left of the curves, in columns.
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
    // A rate without a limit is drawn a fifth higher than the greatest limit.
    let top = hasLimit ? finite : finite > 0 ? finite * 1.2 : 1
    let rows = Blocks.rows(values.map { $0.isFinite ? $0 : top }, height: height, top: top)
    let isOut = curve.columns.map { $0.outage > 0.5 }
    return rows.enumerated().map { index, row in
      let label =
        switch index {
        case 0: hasLimit ? FigureText.rate(finite) : "unlimited"
        case height - 1: name
        default: ""
        }
      let tick = index == 0 ? "┤" : "│"
      let text = label.padded(to: Self.margin - 2, right: true)
      let shown = style(index == height - 1 ? role : .faint, text)
      return "\(shown) \(style(.faint, tick))\(Self.coloured(Array(row), isOut, role, style))"
    }
  }

  private static func coloured(_ row: [Character], _ isOut: [Bool], _ role: Style.Role, _ style: Style) -> String {
    var text = ""
    for place in Blocks.stretches(row.count, { isOut[$0] == isOut[$1] }) {
      let isOut = isOut[place.lowerBound]
      let piece = String(isOut ? Array(repeating: outageMark, count: place.count) : Array(row[place]))
      // A line ends with a visible character.
      let isBlank = place.upperBound == row.count && piece.allSatisfy { $0 == " " }
      if !isBlank { text += style(isOut ? .bad : role, piece) }
    }
    return text
  }

  private func axis(_ curve: ConditionCurve, _ count: Int, _ style: Style) -> [String] {
    let seconds = curve.length / .seconds(1)
    let step = Self.step(seconds, labels: max(2, count / 12))
    var ticks: [(column: Int, label: String, begin: Int)] = []
    var time = 0.0
    while time <= seconds * 1.0001 {
      let column = Int((time / seconds * Double(count)).rounded())
      let label = Self.label(time)
      ticks.append((column, label, Self.margin + column - (column == 0 ? 0 : label.count / 2)))
      time += step
    }
    let end = curve.goesOn ? "→" : "┤"
    return Blocks.axis(ticks, columns: count, margin: Self.margin, room: 8, end: end, style)
  }

  /// Writes the phases' names under their columns; the phase's number replaces a name that is too long.
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
    return String(repeating: " ", count: Self.margin) + style(.strong, String(row).withoutTrailingSpaces)
  }

  /// The distance between ticks: a round number of seconds, minutes or hours.
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

/// The rates and outages of a schedule over a period, in columns of equal length.
struct ConditionCurve {
  struct Column: Equatable {
    /// The mean rates outside of outages, in bits per second; infinity is unlimited.
    var down = 0.0
    var up = 0.0
    /// The share of the time in which the network is out.
    var outage = 0.0
  }

  struct Span: Equatable {
    var name: String
    var index: Int
    var columns: Range<Int>
  }

  let columns: [Column]
  let spans: [Span]
  let length: Duration
  let goesOn: Bool

  /// Covers one period of a schedule; one that does not repeat ends with a part of its endless last phase.
  init(_ schedule: ConditionSchedule, columns count: Int) {
    var phases = schedule.phases
    goesOn = !schedule.repeats
    let known = phases.dropLast(goesOn ? 1 : 0).reduce(Int64(0)) { sum, phase in
      sum.addingReportingOverflow(phase.duration?.wholeNanoseconds ?? 0).partialValue
    }
    if goesOn, let last = phases.indices.last {
      let own = phases[last].duration?.wholeNanoseconds ?? 0
      phases[last].duration = .nanoseconds(max(own, known / 4, known == 0 ? 60_000_000_000 : 1))
    }
    let edges = phases.reduce(into: [Int64(0)]) { edges, phase in
      edges.append(edges[edges.count - 1] + (phase.duration?.wholeNanoseconds ?? 0))
    }
    let total = max(1, edges[edges.count - 1])
    length = .nanoseconds(total)
    let width = Double(total) / Double(max(1, count))
    columns = (0..<count).map { column in
      Self.mean(phases, edges, from: Double(column) * width, to: Double(column + 1) * width)
    }
    spans = phases.indices.map { index in
      let first = Int((Double(edges[index]) / width).rounded())
      let last = Int((Double(edges[index + 1]) / width).rounded())
      return Span(name: phases[index].name, index: index, columns: first..<max(first, last))
    }
  }

  private static func mean(
    _ phases: [ConditionSchedule.Phase], _ edges: [Int64], from begin: Double, to end: Double
  ) -> Column {
    var column = Column()
    var present = 0.0
    for index in phases.indices where Double(edges[index]) < end && Double(edges[index + 1]) > begin {
      let overlap = min(end, Double(edges[index + 1])) - max(begin, Double(edges[index]))
      let conditions = phases[index].conditions
      if conditions.outage != nil {
        column.outage += overlap
      } else if overlap > 0 {
        present += overlap
        column.down += overlap * (conditions.down.meanRate.map { Double($0.bitsPerSecond) } ?? .infinity)
        column.up += overlap * (conditions.up.meanRate.map { Double($0.bitsPerSecond) } ?? .infinity)
      }
    }
    if present > 0 {
      column.down /= present
      column.up /= present
    }
    column.outage /= end - begin
    return column
  }
}
