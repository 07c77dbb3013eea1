import Foundation
import Internals
import LinkSimulator

struct Histogram: Equatable {
  let start: Int64
  /// The length of each bin in nanoseconds: 1, 2 or 5 times a power of ten.
  let step: Int64
  let counts: [Int]
  let beyond: Int

  var end: Int64 { start + step * Int64(counts.count) }

  /// Counts the samples in at most `most` bins; `nil` when there is none, or when all are equal.
  init?(_ distribution: Distribution, most: Int) {
    let samples = distribution.samples.compactMap { $0?.wholeNanoseconds }.sorted()
    guard let first = samples.first, let greatest = samples.last, first < greatest, most > 0 else { return nil }
    // Leaves out a few outliers, which would squeeze all other samples into one column.
    let usual = samples[(samples.count - 1) * 99 / 100]
    let last = usual > first && (greatest - first) / 3 > usual - first ? usual : greatest
    // Enough bins to show the steps of timers: twice as many as Rice's rule gives.
    let wanted = min(most, max(8, Int(4 * cbrt(Double(samples.count)))))
    var step = Blocks.round(atLeast: (last - first) / Int64(wanted) + 1)
    var bounds = Self.bounds(first, last, step)
    while bounds.count > most {
      step = Blocks.round(atLeast: step + 1)
      bounds = Self.bounds(first, last, step)
    }
    var counts = Array(repeating: 0, count: bounds.count)
    var beyond = 0
    for sample in samples {
      let place = Int((sample - bounds.start) / step)
      if place < counts.count { counts[place] += 1 } else { beyond += 1 }
    }
    self.start = bounds.start
    self.step = step
    self.counts = counts
    self.beyond = beyond
  }

  private static func bounds(_ first: Int64, _ last: Int64, _ step: Int64) -> (start: Int64, count: Int) {
    (first / step * step, Int(last / step - first / step) + 1)
  }

}

struct HistogramDrawing {
  let distribution: Distribution

  private static let margin = 9
  private static let height = 6
  private static let widest = 4

  /// The lines, at most `width` characters long; a sentence where a drawing would show nothing; empty without samples.
  func lines(width: Int, style: Style) -> [String] {
    // The axis's last label needs room at the right.
    let room = max(16, min(100, width - Self.margin - 5))
    if let sentence { return [sentence] }
    // A bin has at least two columns, so that the drawing fills most of its width.
    guard let histogram = Histogram(distribution, most: room / 2) else { return [] }
    let each = max(2, min(Self.widest, room / histogram.counts.count))
    var lines = columns(histogram, each, style) + axis(histogram, each, style)
    if histogram.beyond > 0, let greatest = distribution.greatest {
      let text = "\(histogram.beyond) more, the last after \(Amounts.time(greatest))"
      lines.append(style(.faint, String(repeating: " ", count: Self.margin) + text))
    }
    return lines
  }

  private var sentence: String? {
    guard let least = distribution.least, let greatest = distribution.greatest else { return nil }
    let isWhole = distribution.count == distribution.samples.count
    guard distribution.count > 1 else {
      return "\(isWhole ? "the one run" : "the one run that ended") took \(Amounts.time(least))"
    }
    let runs = "all \(distribution.count) runs\(isWhole ? "" : " that ended")"
    if least == greatest { return "\(runs) took the same \(Amounts.time(least))" }
    guard Amounts.time(least) == Amounts.time(greatest) else { return nil }
    return "\(runs) took \(Amounts.time(least)), within \(Amounts.time(greatest - least))"
  }

  private func columns(_ histogram: Histogram, _ each: Int, _ style: Style) -> [String] {
    let values = histogram.counts.flatMap { Array(repeating: Double($0), count: each) }
    return Blocks.rows(values, height: Self.height).enumerated().map { index, row in
      let label =
        switch index {
        case 0: "\(histogram.counts.max() ?? 0)"
        case Self.height - 1: "runs"
        default: ""
        }
      let side = label.padded(to: Self.margin - 2, right: true) + " " + (index == 0 ? "┤" : "│")
      return style(.faint, side) + style(.down, row.withoutTrailingSpaces)
    }
  }

  private func axis(_ histogram: Histogram, _ each: Int, _ style: Style) -> [String] {
    let count = histogram.counts.count * each
    let wanted = (histogram.end - histogram.start) / Int64(max(2, count / 12))
    // The distance of the ticks is a round multiple of the histogram's step.
    let tick = Blocks.round(atLeast: (wanted + histogram.step - 1) / histogram.step) * histogram.step
    let first = (histogram.start + tick - 1) / tick * tick
    let ticks = stride(from: first, through: histogram.end, by: Int64.Stride(tick)).map { time in
      let column = Int((time - histogram.start) / histogram.step) * each
      let label = Self.label(time, tick: tick, upTo: histogram.end)
      return (column, label, Self.margin + column - label.count / 2)
    }
    return Blocks.axis(
      ticks, columns: count, margin: Self.margin, room: 5, end: histogram.beyond > 0 ? "→" : "┤", style)
  }

  /// A time in the unit of the greatest one, with the digits that the tick distance needs, such as `1.5365 s`.
  static func label(_ time: Int64, tick: Int64, upTo end: Int64) -> String {
    if time == 0 { return "0" }
    let (places, name) = end >= 1_000_000_000 ? (9, "s") : end >= 1_000_000 ? (6, "ms") : (3, "µs")
    let unit = (0..<places).reduce(Int64(1)) { power, _ in power * 10 }
    var needed = 0
    var least = unit
    while needed < places, tick % least != 0 {
      needed += 1
      least /= 10
    }
    return "\(DecimalText.of(time / least, places: needed, keepsZeros: true)) \(name)"
  }
}
