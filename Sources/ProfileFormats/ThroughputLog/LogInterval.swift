import Foundation
import NetworkConditions

/// A row of a bandwidth log without a header: two times, latitude and longitude, bytes and milliseconds since the row before.
///
/// The layout of the HSDPA logs of Riiser et al. (skulddata.cs.umass.edu/traces/mmsys/2013/pathbandwidth), whose first time
/// is in seconds, and of the 4G logs of van der Hooft et al. (users.ugent.be/~jvdrhoof/dataset-4g), where it is in
/// milliseconds. What was received is the rate of the time before the row.
struct LogInterval {
  let rate: Bandwidth
  /// In nanoseconds.
  let length: Int64

  init?(_ line: TextLine) {
    let cells = line.content.split { $0 == " " || $0 == "\t" }.prefix(7).map { DecimalNumber(String($0)) }
    guard cells.count == 6, cells.allSatisfy({ $0 != nil }), let bits = cells[4]?.count(times: 8),
      let length = cells[5]?.count(times: 1_000_000, limit: Duration.longest.wholeNanoseconds), length > 0
    else { return nil }
    let rate = Int128(bits) * 1_000_000_000 / Int128(length)
    guard let rate = Bandwidth(bitsPerSecond: Int64(clamping: min(rate, Int128(Bandwidth.maximum.bitsPerSecond))))
    else {
      return nil
    }
    (self.rate, self.length) = (rate, length)
  }

  /// The time of `2019.12.16_13.40.04` in nanoseconds since 1970, as the 4G and 5G logs of Raca and others write it.
  static func date(_ text: String) -> Int64? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "_" }.map { Int($0) }
    guard text.utf8.count == 19, parts.count == 6, parts.allSatisfy({ ($0 ?? -1) >= 0 }), let year = parts[0],
      (1970...2200).contains(year)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(
      year: year, month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
    return calendar.date(from: components).map { Int64($0.timeIntervalSince1970) * 1_000_000_000 }
  }
}
