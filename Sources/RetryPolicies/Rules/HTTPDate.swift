import Foundation
import Internals

/// Reads the dates of HTTP (RFC 9110, section 5.6.7): IMF-fixdate, and the obsolete forms of RFC 850 and asctime.
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  static func date(_ text: String) -> Date? {
    let parts = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
    // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT
    if parts.count == 6, parts[5].uppercased() == "GMT" {
      return date(day: parts[1], month: parts[2], year: parts[3], time: parts[4])
    }
    // Sun Nov  6 08:49:37 1994
    guard parts.count == 5 else { return nil }
    return date(day: parts[2], month: parts[1], year: parts[4], time: parts[3])
  }

  private static func date(day: String, month: String, year: String, time: String) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard let month = months.firstIndex(of: month.lowercased()), let day = Int(day), let written = Int(year),
      clock.count == 3, (1...31).contains(day), (0...9999).contains(written), (0...23).contains(clock[0]),
      (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    // Two-digit years: RFC 9110 puts dates over 50 years ahead in the past; here 70 to 99 are 1970 to 1999.
    let year = year.count > 2 ? written : written + (written < 70 ? 2000 : 1900)
    let days = CivilDate.days(year, month + 1, day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]))
  }
}
