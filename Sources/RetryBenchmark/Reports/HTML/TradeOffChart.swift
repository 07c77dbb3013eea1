import HTMLPages
import Internals

/// A chart of the cost of success: the share of requests that succeed against attempts per request.
///
/// A line joins the Pareto front: the candidates that no other beats in both.
struct TradeOffChart {
  let metrics: [PolicyMetrics]
  let report: RetryReport

  private static let bottom = 196.0

  private struct Point {
    let name: String
    let success: Estimate
    let attempts: Double
  }

  var chart: Chart {
    let title = "What success costs"
    let points = metrics.compactMap { one -> Point? in
      guard let success = one.estimate(of: .successRate, confidence: report.confidence),
        let attempts = one.amplification
      else { return nil }
      return Point(name: one.policy, success: success, attempts: attempts)
    }
    guard let low = points.map(\.success.interval.lowerBound).min(),
      let high = points.map(\.success.interval.upperBound).max()
    else { return Chart(title: title, note: "no request was made", height: 20, body: []) }
    let most = max(1.5, (points.map(\.attempts).max() ?? 1) * 1.03)
    let least = min(1, points.map(\.attempts).min() ?? 1)
    // The names are drawn to the right of the points.
    let across = Axis(least...most, from: 44, to: Markup.width - 150)
    let margin = max(0.01, (high - low) * 0.06)
    let up = Axis(max(0, low - margin)...min(1, high + margin), from: Self.bottom, to: 10)
    return Chart(
      title: title,
      note: "success with its interval, against attempts; the line joins those that no other beats in both; "
        + "equal ones side by side",
      height: Self.bottom + 34, body: axes(across, up) + front(points, across, up) + marks(points, across, up))
  }

  private func axes(_ across: Axis, _ up: Axis) -> [String] {
    let right = Markup.width - 6
    return up.grid(5, to: right) { "\(FigureText.digits($0 * 100)) %" } + across.ruler(4, at: Self.bottom) + [
      Markup.line(40, Self.bottom, right, Self.bottom, "axis"),
      Markup.text(right, Self.bottom + 30, "attempts per request", "tick", anchor: "end"),
    ]
  }

  private func front(_ points: [Point], _ across: Axis, _ up: Axis) -> [String] {
    let front = Self.front(points.map { ($0.attempts, $0.success.value) }).map { points[$0] }
    guard front.count > 1 else { return [] }
    return [Markup.path(front.map { (x: across($0.attempts), y: up($0.success.value)) }, "front")]
  }

  /// The Pareto front: the points that no other beats in both cost and worth, ordered by cost.
  static func front(_ points: [(cost: Double, worth: Double)]) -> [Int] {
    var best = -Double.infinity
    let order = points.indices.sorted {
      (points[$0].cost, -points[$0].worth, $0) < (points[$1].cost, -points[$1].worth, $1)
    }
    return order.filter { index in
      defer { best = max(best, points[index].worth) }
      return points[index].worth > best
    }
  }

  private func marks(_ points: [Point], _ across: Axis, _ up: Axis) -> [String] {
    var body: [String] = []
    let shifts = SeriesStyle.shifts(
      points.map { [(x: across($0.attempts), y: up($0.success.value))] }, within: 6, by: 12)
    for (point, shift) in zip(points, shifts) {
      let style = SeriesStyle(report, point.name)
      let (low, high) = (up(point.success.interval.lowerBound), up(point.success.interval.upperBound))
      let x = across(point.attempts) + shift
      body.append(Markup.line(x, low, x, high, "whisker \(style.role)"))
      body.append(style.mark(x, up(point.success.value), 5))
    }
    let ends = zip(points, shifts).map { point, shift in
      (name: point.name, x: across(point.attempts) + shift + 6, y: up(point.success.value))
    }
    return body + SeriesStyle.labels(ends, at: Markup.width - 128, in: report, from: 12, to: Self.bottom - 4)
  }

  /// The wanted heights in their order, moved at least `distance` apart.
  static func apart(_ wanted: [Double], by distance: Double, from top: Double, to bottom: Double) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    var heights = wanted
    var last = top - distance
    for index in order {
      heights[index] = max(wanted[index], last + distance)
      last = heights[index]
    }
    // Labels pushed beyond the bottom move up again.
    var next = bottom + distance
    for index in order.reversed() {
      heights[index] = min(heights[index], next - distance)
      next = heights[index]
    }
    return heights
  }
}
