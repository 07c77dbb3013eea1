/// Times that stand beneath each other.
enum Seconds {
  /// A time in seconds with three decimals, so that the digits of a column stand in line.
  static func text(_ nanoseconds: Int64) -> String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: max(0, 3 - fraction.count)))\(fraction) s"
  }
}
