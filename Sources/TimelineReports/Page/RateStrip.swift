import HTMLPages
import Internals
import NetworkConditions

/// A chart of the link over time: arrivals as an area, the link's rate as a line, outages as bands, losses as marks.
struct RateStrip {
  private let timeline: Timeline
  private let scale: TimeScale
  private let spans: [ConditionSpan]
  private let rates: [Double]
  /// The rate at the upper edge of the chart, in bits per second.
  private let top: Double

  private static let (height, fringe) = (100.0, 7.0)
  static let whole = height + fringe

  init(_ timeline: Timeline, _ scale: TimeScale, _ spans: [ConditionSpan]) {
    self.timeline = timeline
    self.scale = scale
    self.spans = spans
    rates = Arrivals(timeline, in: scale.extent, stretches: 250).bitsPerSecond
    let peak = rates.max() ?? 0
    let limit = spans.compactMap(\.rate).max() ?? 0
    // On the scale of a fast link small arrivals would be invisible. The line of its rate is then above the drawing.
    top = max(1, peak > 0 && limit > peak * 8 ? peak * 1.3 : max(peak, limit) * 1.08)
  }

  var hiddenLimit: Double? {
    spans.compactMap(\.rate).max().flatMap { $0 > top ? $0 : nil }
  }

  /// Whether data ever arrived faster than the link's rate, because a lost or late packet had delayed earlier bytes.
  var exceedsLimit: Bool {
    let width = Double(scale.extent.upperBound - scale.extent.lowerBound) / Double(rates.count)
    // A transfer's history counts bytes per slice; the chart spreads them evenly over the slice.
    let slice = timeline.transfers.map(\.rate.sliceNanoseconds).max() ?? 0
    return rates.enumerated().contains { index, rate in
      let begin = scale.extent.lowerBound + Int64(Double(index) * width)
      // Bytes that were on the way at a change arrive under the new conditions.
      let near = spans.filter {
        $0.start < begin + Int64(width) + slice && begin - slice - $0.end < $0.conditions.down.delay.wholeNanoseconds
      }
      return !near.isEmpty && near.allSatisfy { $0.rate.map { rate > $0 * 1.02 } ?? false }
    }
  }

  private var axis: Axis { Axis(0...top, from: Self.height, to: 0) }

  var labels: [(place: Double, text: String)] {
    axis.ticks(3).map { (axis($0), abs($0) < top / 1_000 ? "0" : FigureText.rate($0)) }
  }

  var drawing: String {
    let grid = labels.map { "M0 \(Markup.point($0.place))H1000" }.joined()
    return """
      \(Bands.shading(spans, scale, height: Self.whole))
      <path class="grid" d="\(grid)"/>
      \(area(axis))
      \(limitLine(axis))
      \(losses(from: Self.height + 2, to: Self.whole))
      """
  }

  var text: String {
    let labels = labels.map { label in
      let share = TimeScale.percent(label.place / Self.whole)
      return "<span class=\"\(label.text == "0" ? "y zero" : "y")\" style=\"top:\(share)\">\(label.text)</span>"
    }
    return """
      <div class="plot strip">
      <svg viewBox="0 0 1000 \(Markup.point(Self.whole))" preserveAspectRatio="none" role="img" \
      aria-label="Rate of arrival over time">
      \(drawing)
      </svg>
      \(labels.joined())
      </div>
      """
  }

  private func area(_ axis: Axis) -> String {
    guard rates.contains(where: { $0 > 0 }) else { return "" }
    let step = 1000 / Double(rates.count)
    var path = "M0 \(Markup.point(Self.height))"
    var last = Markup.point(Self.height)
    for (index, rate) in rates.enumerated() {
      let y = Markup.point(axis(rate))
      if y != last { path += "H\(Markup.point(Double(index) * step))V\(y)" }
      last = y
    }
    path += "H1000V\(Markup.point(Self.height))z"
    return Markup.drawing("arrived", path)
  }

  /// Draws the link's rate; the line has gaps where there is no limit or where it lies above the drawing.
  private func limitLine(_ axis: Axis) -> String {
    var path = ""
    var last: String?
    for span in spans {
      guard let rate = span.rate, rate <= top else {
        last = nil
        continue
      }
      let y = Markup.point(axis(rate))
      if last == nil { path += "M\(scale.x(span.start)) \(y)" } else if y != last { path += "V\(y)" }
      path += "H\(scale.x(span.end))"
      last = y
    }
    return Markup.drawing("limit", path)
  }

  private func losses(from upper: Double, to lower: Double) -> String {
    let times = timeline.events.lazy.compactMap { event -> Int64? in
      if case .packetLost = event.kind { event.time.nanoseconds } else { nil }
    }
    return scale.marks("k", times, from: upper, to: lower)
  }
}
