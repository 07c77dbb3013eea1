import HTMLPages

/// The style of a candidate in all charts: its colour, line dash and point shape.
///
/// Styles differ even without colours, and for more candidates than colours.
struct SeriesStyle {
  private let index: Int

  init(_ report: RetryReport, _ policy: String) {
    index = report.policies.firstIndex(of: policy) ?? 0
  }

  /// The CSS classes of the candidate's marks.
  var role: String { "s\(index % PageStyle.colours) \(Self.dashNames[(index + index / PageStyle.colours) % 4])" }

  private static let dashNames = ["solid", "dashed", "dotted", "dotdash"]

  func mark(_ x: Double, _ y: Double, _ size: Double) -> String {
    func outline(_ points: [(Double, Double)]) -> String {
      let places = points.map { "\(Markup.point(x + $0.0 * size)) \(Markup.point(y + $0.1 * size))" }
      return Markup.drawing("dot s\(index % PageStyle.colours)", "M\(places.joined(separator: "L"))Z")
    }
    switch (index + index / PageStyle.colours) % 5 {
    case 0: return Markup.dot(x, y, size, "dot s\(index % PageStyle.colours)")
    case 1: return outline([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
    case 2: return outline([(0, -1.2), (1.1, 0.9), (-1.1, 0.9)])
    case 3: return outline([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)])
    default: return outline([(-1.1, -0.9), (1.1, -0.9), (0, 1.2)])
    }
  }

  /// How far each curve is shifted so that equal curves stay visible.
  static func shifts(_ lines: [[(x: Double, y: Double)]], within distance: Double, by step: Double) -> [Double] {
    lines.enumerated().map { index, line in
      let equals = lines[..<index].count { other in
        other.count == line.count
          && zip(other, line).allSatisfy { abs($0.x - $1.x) < distance && abs($0.y - $1.y) < distance }
      }
      return Double(equals) * step
    }
  }

  /// The most letters of a name beside a chart; the key above all charts has the whole name.
  private static let longestLabel = 18

  /// Labels beside the ends of lines, moved apart, each with a mark and a thin line to its end.
  static func labels(
    _ ends: [(name: String, x: Double, y: Double)], at x: Double, in report: RetryReport, from top: Double,
    to bottom: Double
  ) -> [String] {
    let heights = TradeOffChart.apart(ends.map(\.y), by: 13, from: top, to: bottom)
    return zip(ends, heights).flatMap { end, height in
      let name = end.name.count > longestLabel ? "\(end.name.prefix(longestLabel - 1))…" : end.name
      return [
        Markup.line(end.x, end.y, x - 12, height, "leader"),
        SeriesStyle(report, end.name).mark(x - 7, height, 3.5), Markup.text(x, height + 4, name, "name"),
      ]
    }
  }

  static let sheet = """
    .dashed { stroke-dasharray: 7 3; } .dotted { stroke-dasharray: 2 3; } .dotdash { stroke-dasharray: 8 3 2 3; }
    rect.dashed, rect.dotted, rect.dotdash { stroke-dasharray: none; }
    """
}
