/// Exact decimal text for integers that count fractions of a unit.
package enum DecimalText {
  /// Writes `count` with a point before its last `places` digits: 1500 with 3 is `1.5`, or `1.500` with `keepsZeros`.
  package static func of(_ count: some FixedWidthInteger, places: Int, keepsZeros: Bool = false) -> String {
    let digits = String(count.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
    var fraction = padded.suffix(places)
    while !keepsZeros, fraction.last == "0" { fraction.removeLast() }
    return "\(count < 0 ? "-" : "")\(padded.dropLast(places))\(fraction.isEmpty ? "" : ".")\(fraction)"
  }

  /// Writes a time as seconds with three decimals, such as `3.210 s`.
  package static func seconds(_ nanoseconds: Int64) -> String {
    "\(of((nanoseconds / 500_000 + 1) / 2, places: 3, keepsZeros: true)) s"
  }
}

extension Double {
  /// The value as text, without a trailing `.0`.
  package var shortDescription: String {
    self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}
