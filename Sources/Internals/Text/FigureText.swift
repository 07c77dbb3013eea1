import Foundation

package enum FigureText {
  /// Formats a number with three significant digits, but at most `most` decimals, without trailing zeros.
  package static func digits(_ value: Double, atMost most: Int = 3) -> String {
    let size = abs(value)
    let places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.0995 || size == 0 ? 2 : most
    var text = String(format: "%.\(places)f", value)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// Formats a byte count with a decimal unit; `nil` is a dash.
  package static func bytes(_ count: Double?) -> String {
    guard let count else { return "–" }
    return scaled(count < 999.5 ? count.rounded() : count, ["B", "kB", "MB", "GB", "TB"])
  }

  /// Formats a share as per cent; rounding never yields 100 for less than all, or 0 for more than none.
  package static func percent(_ share: Double) -> String {
    let tenths = (share * 1000).rounded()
    if share < 1, tenths >= 1000 { return "99.9" }
    if share > 0, tenths <= 0 { return "0.1" }
    return digits(tenths / 10)
  }

  /// Formats a number with commas between groups of three digits.
  package static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    let groups = digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }
    return (count < 0 ? "-" : "") + groups.joined()
  }

  /// Formats a count with its noun, such as `1 seed` or `20 seeds`.
  package static func count(_ number: some BinaryInteger, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  /// A text that stands for several equal ones, such as `usleep (3 times)`.
  package static func repeated(_ text: String, _ count: Int) -> String {
    count == 1 ? text : "\(text) (\(count) times)"
  }

  /// Formats a rate in bits per second with a decimal unit; `nil` is "unlimited".
  package static func rate(_ bitsPerSecond: Double?) -> String {
    bitsPerSecond.map { scaled($0, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]) } ?? "unlimited"
  }

  private static func scaled(_ value: Double, _ units: [String]) -> String {
    var value = value
    var index = 0
    while value >= 999.5, index < units.count - 1 {
      value /= 1000
      index += 1
    }
    return "\(digits(value)) \(units[index])"
  }

  /// Formats a duration such as `40 ms`, `3.21 s` or `2 min 5 s`, with minutes from `limit` seconds on.
  package static func time(nanoseconds: Int64, zero: String = "0 s", secondsBelow limit: Double = 119.5) -> String {
    let seconds = Double(nanoseconds) / 1e9
    switch seconds {
    case 0: return zero
    case ..<0.000_999_5: return "\(digits(seconds * 1e6)) µs"
    case ..<0.999_5: return "\(digits(seconds * 1e3)) ms"
    case ..<limit: return "\(digits(seconds)) s"
    default: break
    }
    let whole = Int64(seconds.rounded())
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")].filter { $0.0 > 0 }
    return parts.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}
