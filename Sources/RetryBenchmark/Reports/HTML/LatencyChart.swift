import Foundation
import HTMLPages
import Internals

/// How long requests that succeeded took: for each contender a bar from the 10th to the 90th of 100, a notch at the
/// 50th, a line to the 99th.
struct LatencyChart {
  let metrics: [PolicyMetrics]
  let report: RetryReport

  private static let row = 30.0

  var chart: Chart {
    let measured = metrics.filter { $0.latency.count > 0 }
    let (title, note) = ("How long success takes", "bar p10–p90, notch p50, line to p99; log scale")
    let all = measured.flatMap { [$0.latency.quantile(0.01), $0.latency.quantile(0.99)] }.compactMap { $0 }
    guard let least = all.min(), let most = all.max() else {
      return Chart(title: title, note: "no request succeeded", height: 20, body: [])
    }
    let low = max(.microseconds(1), least).inSeconds
    let axis = Axis(
      low * 0.8...max(low * 4, most.inSeconds * 1.15), isLogarithmic: true, from: 6, to: Markup.width - 6)
    let bottom = Self.row * Double(metrics.count) + 4
    var body: [String] = []
    for tick in axis.ticks(6) {
      body.append(Markup.line(axis(tick), 0, axis(tick), bottom, "grid"))
      body.append(Markup.text(axis(tick), bottom + 14, Self.label(tick), "tick", anchor: "middle"))
    }
    for (index, metrics) in metrics.enumerated() { body += row(metrics, Double(index) * Self.row, axis) }
    return Chart(title: title, note: note, height: bottom + 20, body: body)
  }

  private func row(_ metrics: PolicyMetrics, _ top: Double, _ axis: Axis) -> [String] {
    func seconds(_ share: Double) -> Double { metrics.latency.quantile(share)?.inSeconds ?? 0 }
    func place(_ share: Double) -> Double { axis(seconds(share)) }
    let role = "s\(report.colour(of: metrics.policy))"
    guard metrics.latency.count > 0 else {
      return [Markup.text(6, top + 11, "\(metrics.policy): none succeeded", "name")]
    }
    let middle = top + 21
    let (p50, p99) = (FigureText.digits(seconds(0.5)), FigureText.digits(seconds(0.99)))
    return [
      Markup.text(6, top + 11, metrics.policy, "name"),
      Markup.text(Markup.width - 6, top + 11, "p50 \(p50) s, p99 \(p99) s", "value", anchor: "end"),
      Markup.line(place(0.9), middle, place(0.99), middle, "whisker \(role)"),
      Markup.box(place(0.1), middle - 5, max(3, place(0.9) - place(0.1)), 10, "bar \(role)", rounding: 2),
      Markup.line(place(0.5), middle - 7, place(0.5), middle + 7, "notch"),
    ]
  }

  private static func label(_ seconds: Double) -> String {
    seconds < 0.9995 ? "\(FigureText.digits(seconds * 1000)) ms" : "\(FigureText.digits(seconds)) s"
  }
}
