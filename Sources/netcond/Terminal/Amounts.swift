import Foundation
import Internals
import LinkSimulator

enum Amounts {
  /// A count of bytes in decimal units, such as `300 kB`.
  static func bytes(_ count: Int64) -> String {
    FigureText.bytes(Double(count))
  }

  /// A rate in bits per second, such as `780 kbit/s`; `nil` is unlimited.
  static func rate(_ rate: Bandwidth?) -> String {
    FigureText.rate(rate.map { Double($0.bitsPerSecond) })
  }

  /// A stretch of time, such as `40 ms`, `3.21 s` or `2 min 5 s`.
  static func time(_ duration: Duration) -> String {
    FigureText.time(nanoseconds: duration.wholeNanoseconds, zero: "0 ms", secondsBelow: 99.95)
  }

  /// Formats a duration as a clock: `0:07`, `12:34`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 360_000 else { return "--:--" }
    let whole = Int(max(0, seconds).rounded(.up))
    guard whole >= 3600 else { return String(format: "%d:%02d", whole / 60, whole % 60) }
    return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }

  /// A share in per cent, such as `0.1 %`.
  static func percent(_ share: Double) -> String {
    "\(digits(share * 100)) %"
  }

  /// Three significant digits, at most two decimals, without trailing zeros.
  static func digits(_ value: Double) -> String {
    FigureText.digits(value, atMost: 2)
  }
}
