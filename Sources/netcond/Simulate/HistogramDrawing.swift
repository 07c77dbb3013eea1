import LinkSimulator

/// A picture of a histogram: columns, and an axis of time with round numbers.
struct HistogramDrawing {
  let distribution: Distribution

  /// How wide what stands left of the columns is.
  private static let margin = 9
  private static let height = 6
  /// A stretch is not drawn wider than this.
  private static let widest = 4

  /// The lines, at most `width` characters long; a sentence when a picture would say nothing, and none without a time.
  func lines(width: Int, style: Style) -> [String] {
    // What the last label of the axis needs stays free at the right.
    let room = max(16, min(100, width - Self.margin - 5))
    if let sentence { return [sentence] }
    // A stretch is two columns wide at least, so that a picture is never much narrower than its room.
    guard let histogram = Histogram(distribution, most: room / 2) else { return [] }
    let each = max(2, min(Self.widest, room / histogram.counts.count))
    var lines = columns(histogram, each, style) + axis(histogram, each, style)
    if histogram.beyond > 0, let greatest = distribution.greatest {
      let text = "\(histogram.beyond) more, the last after \(Amounts.time(greatest))"
      lines.append(style(.faint, String(repeating: " ", count: Self.margin) + text))
    }
    return lines
  }

  /// What there is to say when a picture would say nothing.
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
      var row = row
      while row.last == " " { row.removeLast() }
      let side = label.padded(to: Self.margin - 2, right: true) + " " + (index == 0 ? "┤" : "│")
      return style(.faint, side) + style(.down, row)
    }
  }

  private func axis(_ histogram: Histogram, _ each: Int, _ style: Style) -> [String] {
    let count = histogram.counts.count * each
    let tick = Self.tick(histogram, labels: max(2, count / 12))
    var line = Array(repeating: Character("─"), count: count)
    var labels = Array(repeating: Character(" "), count: Self.margin + count + 5)
    var time = (histogram.start + tick - 1) / tick * tick
    while time <= histogram.end {
      let column = Int((time - histogram.start) / histogram.step) * each
      if column < count { line[column] = "┬" }
      let text = Array(Self.label(time, tick: tick, upTo: histogram.end))
      let begin = Self.margin + column - text.count / 2
      if begin >= 0, begin + text.count <= labels.count {
        labels.replaceSubrange(begin..<begin + text.count, with: text)
      }
      time += tick
    }
    while labels.last == " " { labels.removeLast() }
    let indent = String(repeating: " ", count: Self.margin - 1)
    let end = histogram.beyond > 0 ? "→" : "┤"
    return [style(.faint, "\(indent)└\(String(line))\(end)"), style(.faint, String(labels))]
  }

  /// The distance of the labels: a round multiple of the histogram's step.
  private static func tick(_ histogram: Histogram, labels: Int) -> Int64 {
    let wanted = (histogram.end - histogram.start) / Int64(labels)
    var factor: Int64 = 1
    while true {
      for digit: Int64 in [1, 2, 5] where digit * factor * histogram.step >= wanted {
        return digit * factor * histogram.step
      }
      factor *= 10
    }
  }

  /// A time in the unit of the greatest, with as many digits as the distance of the labels needs, such as `1.5365 s`.
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
