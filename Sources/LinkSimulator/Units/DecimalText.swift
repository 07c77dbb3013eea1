/// Whole counts as decimal numbers, with every digit that they have.
package enum DecimalText {
  /// Writes a count of the smallest unit with its point moved to the left: 1500 with 3 places is `1.5`.
  ///
  /// - Parameter keepsZeros: whether zeros at the end stay, so that the digits of a column stand in line.
  package static func of(_ count: some FixedWidthInteger, places: Int, keepsZeros: Bool = false) -> String {
    let digits = String(count.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
    var fraction = padded.suffix(places)
    while !keepsZeros, fraction.last == "0" { fraction.removeLast() }
    return "\(count < 0 ? "-" : "")\(padded.dropLast(places))\(fraction.isEmpty ? "" : ".")\(fraction)"
  }

  /// Writes a time in seconds with three decimals, such as `3.210 s`.
  package static func seconds(_ nanoseconds: Int64) -> String {
    "\(of((nanoseconds / 500_000 + 1) / 2, places: 3, keepsZeros: true)) s"
  }
}

extension Double {
  /// The value without a trailing `.0`, the way a person writes it.
  package var shortDescription: String {
    self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}
