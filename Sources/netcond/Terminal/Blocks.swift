import Internals

/// Bars and curves out of block elements.
enum Blocks {
  private static let rising: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let growing: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

  /// A horizontal bar in eighths of a character, `width` characters long when `share` is 1.
  static func bar(_ share: Double, width: Int) -> String {
    guard share.isFinite, width > 0 else { return "" }
    let eighths = Int((max(0, min(1, share)) * Double(width) * 8).rounded())
    let whole = String(repeating: growing[8], count: eighths / 8)
    return eighths % 8 == 0 ? whole : whole + String(growing[eighths % 8])
  }

  /// A curve one line high; a value above zero is never drawn as nothing.
  static func sparkline(_ values: [Double], top: Double? = nil) -> String {
    rows(values, height: 1, top: top)[0]
  }

  /// A curve `height` lines high, from the top line down; a value above zero is never drawn as nothing.
  static func rows(_ values: [Double], height: Int, top: Double? = nil) -> [String] {
    let top = top ?? values.max() ?? 0
    let levels = values.map { value -> Int in
      guard value > 0, top > 0 else { return 0 }
      return max(1, Int((min(1, value / top) * Double(height) * 8).rounded()))
    }
    return (0..<height).reversed().map { row in
      String(levels.map { rising[max(0, min(8, $0 - row * 8))] })
    }
  }

  /// A drawing's line of time with its ticks, and the labels below it; a label without room is left out.
  ///
  /// - Parameters:
  ///   - ticks: columns, each with its label and where that begins.
  ///   - margin: how wide what stands left of the drawing is.
  ///   - room: how far labels may reach beyond the last column.
  static func axis(
    _ ticks: [(column: Int, label: String, begin: Int)], columns: Int, margin: Int, room: Int, end: String,
    _ style: Style
  ) -> [String] {
    var line = Array(repeating: Character("─"), count: columns)
    var labels = Array(repeating: Character(" "), count: margin + columns + room)
    for (column, label, begin) in ticks {
      if column < columns { line[column] = "┬" }
      let place = begin..<begin + label.count
      if begin >= 0, place.upperBound <= labels.count { labels.replaceSubrange(place, with: label) }
    }
    let indent = String(repeating: " ", count: margin - 1)
    return [style(.faint, "\(indent)└\(String(line))\(end)"), style(.faint, String(labels).withoutTrailingSpaces)]
  }

  /// The least of 1, 2 and 5 times a power of ten that is not below `least`.
  static func round(atLeast least: Int64) -> Int64 {
    var power: Int64 = 1
    while true {
      for digit: Int64 in [1, 2, 5] where digit * power >= least { return digit * power }
      guard power < 1_000_000_000_000_000_000 else { return power }
      power *= 10
    }
  }

  /// The stretches of columns, each as long as what stands in them is the same.
  static func stretches(_ count: Int, _ areSame: (Int, Int) -> Bool) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    while let begin = Optional(stretches.last?.upperBound ?? 0), begin < count {
      stretches.append(begin..<((begin..<count).first { !areSame(begin, $0) } ?? count))
    }
    return stretches
  }

  /// The values in `count` equal slices, each the mean of what falls into it by its share.
  static func resampled(_ values: [Double], to count: Int) -> [Double] {
    guard !values.isEmpty, count > 0 else { return [] }
    let step = Double(values.count) / Double(count)
    return (0..<count).map { index in
      let begin = Double(index) * step
      let end = begin + step
      var sum = 0.0
      var position = begin
      while position < end - 1e-9 {
        let cell = min(Int(position + 1e-9), values.count - 1)
        let next = min(end, Double(cell + 1))
        sum += values[cell] * (next - position)
        position = next
      }
      return sum / step
    }
  }
}
