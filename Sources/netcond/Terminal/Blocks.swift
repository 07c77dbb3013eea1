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
