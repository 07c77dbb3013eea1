import HTMLPages
import Internals

/// The cost of success: the share of requests that succeeded, with its interval, against attempts per request.
struct TradeOffChart {
  let metrics: [PolicyMetrics]
  let report: RetryReport

  private static let bottom = 196.0

  var chart: Chart {
    let (title, note) = ("What success costs", "success with its 95 % interval, against attempts per request")
    let intervals = metrics.compactMap { $0.success.interval() }
    guard let low = intervals.map(\.lowerBound).min(), let high = intervals.map(\.upperBound).max() else {
      return Chart(title: title, note: "no request was made", height: 20, body: [])
    }
    let most = max(1.5, (metrics.compactMap(\.amplification).max() ?? 1) * 1.03)
    let least = min(1, metrics.compactMap(\.amplification).min() ?? 1)
    // The names stand to the right of the points.
    let across = Axis(least...most, from: 44, to: Markup.width - 150)
    let margin = max(0.01, (high - low) * 0.06)
    let up = Axis(max(0, low - margin)...min(1, high + margin), from: Self.bottom, to: 10)
    return Chart(
      title: title, note: note, height: Self.bottom + 34, body: axes(across, up) + points(across, up))
  }

  private func axes(_ across: Axis, _ up: Axis) -> [String] {
    var body: [String] = []
    for tick in up.ticks(5) {
      body.append(Markup.line(40, up(tick), Markup.width - 6, up(tick), "grid"))
      body.append(Markup.text(36, up(tick) + 4, "\(FigureText.digits(tick * 100)) %", "tick", anchor: "end"))
    }
    for tick in across.ticks(4) {
      body.append(Markup.line(across(tick), Self.bottom, across(tick), Self.bottom + 4, "axis"))
      body.append(
        Markup.text(across(tick), Self.bottom + 16, FigureText.digits(tick), "tick", anchor: "middle"))
    }
    body.append(Markup.line(40, Self.bottom, Markup.width - 6, Self.bottom, "axis"))
    body.append(Markup.text(Markup.width - 6, Self.bottom + 30, "attempts per request", "tick", anchor: "end"))
    return body
  }

  private func points(_ across: Axis, _ up: Axis) -> [String] {
    let points = metrics.compactMap { metrics -> (name: String, x: Double, y: Double, span: ClosedRange<Double>)? in
      guard let rate = metrics.success.rate, let interval = metrics.success.interval(),
        let attempts = metrics.amplification
      else { return nil }
      return (metrics.policy, across(attempts), up(rate), interval)
    }
    let heights = Self.apart(points.map(\.y), by: 13, from: 12, to: Self.bottom - 4)
    let x = Markup.width - 128
    var body: [String] = []
    for (point, height) in zip(points, heights) {
      let role = "s\(report.colour(of: point.name))"
      body.append(Markup.line(point.x + 6, point.y, x - 12, height, "leader"))
      let (low, high) = (up(point.span.lowerBound), up(point.span.upperBound))
      body.append(Markup.line(point.x, low, point.x, high, "whisker \(role)"))
      body.append(Markup.dot(point.x, point.y, 5, "dot \(role)"))
      // Where points lie upon each other, the dots beside the names still show every colour.
      body.append(Markup.dot(x - 7, height, 3.5, "dot \(role)"))
      body.append(Markup.text(x, height + 4, point.name, "name"))
    }
    return body
  }

  /// Heights near the wanted ones, in their order, with room for a line of text between any two.
  static func apart(_ wanted: [Double], by distance: Double, from top: Double, to bottom: Double) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    var heights = wanted
    var last = top - distance
    for index in order {
      heights[index] = max(wanted[index], last + distance)
      last = heights[index]
    }
    // What has been pushed out at the bottom goes up again.
    var next = bottom + distance
    for index in order.reversed() {
      heights[index] = min(heights[index], next - distance)
      next = heights[index]
    }
    return heights
  }
}
