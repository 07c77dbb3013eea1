import Foundation
import HTMLPages
import Internals

/// A chart of the share of requests answered within each time; a curve for each candidate.
struct AnswerChart {
  let metrics: [PolicyMetrics]
  let report: RetryReport

  private static let bottom = 196.0

  var chart: Chart {
    let title = "Answered within"
    let curves = metrics.compactMap { one in one.answerTimes.map { (name: one.policy, points: $0.curve) } }
    let times = curves.flatMap { $0.points.map(\.seconds) }
    guard let least = times.min(), let most = times.max() else {
      return Chart(title: title, note: "no request succeeded", height: 20, body: [])
    }
    let low = max(1e-6, least)
    let across = Axis(
      low * 0.8...max(low * 4, most * 1.1), isLogarithmic: true, from: 44, to: Markup.width - 150)
    let up = Axis(0...1, from: Self.bottom, to: 10)
    var body = axes(across, up)
    var ends: [(name: String, x: Double, y: Double)] = []
    var lines: [[(x: Double, y: Double)]] = []
    for curve in curves {
      // A sample of 101 points is enough for a screen; there may be thousands of bins.
      let last = curve.points.last?.share ?? 0
      let points = (0...100).compactMap { step -> (x: Double, y: Double)? in
        let (low, high) = (across.range.lowerBound, across.range.upperBound)
        let value = low * pow(high / low, Double(step) / 100)
        let share = curve.points.last { $0.seconds <= value }?.share ?? 0
        return (x: across(value), y: up(share))
      }
      lines.append(points)
      ends.append((name: curve.name, x: across.end, y: up(last)))
    }
    for (index, shift) in SeriesStyle.shifts(lines, within: 1.5, by: 3).enumerated() {
      let points = lines[index].map { (x: $0.x, y: $0.y + shift) }
      body.append(Markup.path(points, "curve \(SeriesStyle(report, curves[index].name).role)"))
      ends[index].y += shift
    }
    body += SeriesStyle.labels(ends, at: Markup.width - 128, in: report, from: 12, to: Self.bottom - 4)
    return Chart(
      title: title, note: "share of all requests, failures included; log scale; equal lines side by side",
      height: Self.bottom + 34, body: body)
  }

  private func axes(_ across: Axis, _ up: Axis) -> [String] {
    var body = up.grid(5, to: across.end) { "\(FigureText.digits($0 * 100)) %" }
    var last = -Double.infinity
    for tick in across.ticks(4) {
      body.append(Markup.line(across(tick), 10, across(tick), Self.bottom, "grid"))
      // A label needs about this much room.
      guard across(tick) - last >= 44 else { continue }
      last = across(tick)
      body.append(Markup.text(across(tick), Self.bottom + 16, Self.label(tick), "tick", anchor: "middle"))
    }
    return body + [Markup.line(40, Self.bottom, across.end, Self.bottom, "axis")]
  }

  private static func label(_ seconds: Double) -> String {
    seconds < 0.9995 ? "\(FigureText.digits(seconds * 1000)) ms" : "\(FigureText.digits(seconds)) s"
  }
}
