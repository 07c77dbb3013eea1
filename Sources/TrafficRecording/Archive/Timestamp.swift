import Foundation
import Internals

/// Reads and writes dates as HAR has them: ISO 8601 with a time zone.
///
/// Foundation's `ISO8601FormatStyle` accepts the hour 25 and any text after the zone, refuses dates without seconds or
/// zone, and writes no microseconds.
enum Timestamp {
  /// Reads a date such as `2026-01-31T23:59:59.123+01:00`, in UTC without a zone; `nil` when the text is not a date.
  static func parse(_ text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int) -> Int? {
      guard rest.count >= digits else { return nil }
      var value = 0
      for byte in rest.prefix(digits) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      rest = rest.dropFirst(digits)
      return value
    }
    func take(_ characters: String) -> UInt8? {
      guard let first = rest.first, characters.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil, let day = number(2),
      take("Tt ") != nil, let hour = number(2), take(":") != nil, let minute = number(2),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60
    else { return nil }
    var seconds = 0.0
    if take(":") != nil {
      guard let whole = number(2), whole <= 60 else { return nil }
      seconds = Double(whole)
      if take(".,") != nil {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let fraction = Double("0." + String(decoding: digits, as: UTF8.self)) else { return nil }
        seconds += fraction
        rest = rest.dropFirst(digits.count)
      }
    }
    var offset = 0
    if take("Zz") == nil, let sign = take("+-") {
      guard let hours = number(2) else { return nil }
      _ = take(":")
      let minutes = rest.isEmpty ? 0 : number(2)
      guard let minutes, hours < 24, minutes < 60 else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }
    guard rest.isEmpty else { return nil }
    let days = CivilDate.days(year, month, day)
    // Split in two: the compiler takes more than half a second for the whole expression.
    let minutes = Int64(days) * 1_440 + Int64(hour) * 60 + Int64(minute)
    return Date(timeIntervalSince1970: Double(minutes * 60 - Int64(offset)) + seconds)
  }

  static func text(_ date: Date) -> String {
    // A date outside the years 1 to 9999 is moved to the nearest date within them.
    let seconds = min(max(date.timeIntervalSince1970, -yearOne), 253_402_300_799)
    let (days, microseconds) = (Int64((seconds * 1e6).rounded()) + Int64(yearOne) * 1_000_000)
      .quotientAndRemainder(dividingBy: 86_400_000_000)
    let (year, month, day) = CivilDate.date(Int(days) - 719_162)
    let (second, fraction) = (Int(microseconds / 1_000_000), Int(microseconds % 1_000_000))
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", year, month, day, second / 3_600, second / 60 % 60, second % 60,
      fraction)
  }

  /// How many seconds before 1970 the year 1 begins.
  private static let yearOne = 62_135_596_800.0
}
