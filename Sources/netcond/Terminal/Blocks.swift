import Internals

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

  /// A progress bar: the missing part, up to the width, is dotted.
  static func gauge(_ share: Double?, width: Int, _ role: Style.Role, _ style: Style) -> String {
    let full = share.map { bar($0, width: width) } ?? ""
    return style(role, full) + style(.faint, String(repeating: "·", count: max(0, width - full.count)))
  }

  /// A curve `height` lines high, the top line first; a value above zero is always visible.
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

  /// A drawing's time axis with its ticks, and the labels below it; a label without room is left out.
  ///
  /// - Parameters:
  ///   - ticks: the columns of the ticks, each with its label and the column where that begins.
  ///   - margin: the width left of the drawing.
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

  /// The least number not below `least` that is 1, 2 or 5 times a power of ten.
  static func round(atLeast least: Int64) -> Int64 {
    var power: Int64 = 1
    while true {
      for digit: Int64 in [1, 2, 5] where digit * power >= least { return digit * power }
      guard power < 1_000_000_000_000_000_000 else { return power }
      power *= 10
    }
  }

  /// The longest ranges of neighbouring columns with equal content.
  static func stretches(_ count: Int, _ areSame: (Int, Int) -> Bool) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    while let begin = Optional(stretches.last?.upperBound ?? 0), begin < count {
      stretches.append(begin..<((begin..<count).first { !areSame(begin, $0) } ?? count))
    }
    return stretches
  }

  /// Averages the values over `count` slices of equal length.
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
