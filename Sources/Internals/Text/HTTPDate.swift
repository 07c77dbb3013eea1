/// The dates of HTTP (RFC 9110, section 5.6.7), as seconds since 1970.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// The end of the year 9999, the last date that can be written.
  package static let last = 253_402_300_799.0

  /// Writes a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int) -> String {
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let (year, month, day) = CivilDate.date(days)
    let second = seconds - days * 86_400
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { digits($0) }.joined(separator: ":")
    return "\(weekdays[(days % 7 + 7) % 7]), \(digits(day)) \(months[month - 1]) \(digits(year, 4)) \(clock) GMT"
  }

  /// Reads an IMF-fixdate, or one of the obsolete forms of RFC 850 and asctime.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
    // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT
    if parts.count == 6, parts[5].uppercased() == "GMT" {
      return seconds(day: parts[1], month: parts[2], year: parts[3], time: parts[4])
    }
    // Sun Nov  6 08:49:37 1994
    guard parts.count == 5 else { return nil }
    return seconds(day: parts[2], month: parts[1], year: parts[4], time: parts[3])
  }

  private static func seconds(day: String, month: String, year: String, time: String) -> Int? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard let month = months.firstIndex(where: { $0.lowercased() == month.lowercased() }), let day = Int(day),
      let written = Int(year), clock.count == 3, (1...31).contains(day), (0...9999).contains(written),
      (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    // Two-digit years: RFC 9110 puts dates over 50 years ahead in the past; here 70 to 99 are 1970 to 1999.
    let year = year.count > 2 ? written : written + (written < 70 ? 2000 : 1900)
    let days = CivilDate.days(year, month + 1, day)
    return days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  }
}
