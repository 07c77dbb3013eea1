/// Texts as they stand in files.
enum QuotedText {
  /// A field of comma-separated values, in quotes where it has to be (RFC 4180, section 2).
  static func csv(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"\"" } else { result.unicodeScalars.append(scalar) }
    }
    return result + "\""
  }

  /// A count of nanoseconds in a thousandth of a thousandth of the unit, exactly: `1234567` is `1234.567` at 3 places.
  static func decimal(_ nanoseconds: Int64, places: Int) -> String {
    var unit: UInt64 = 1
    for _ in 0..<places { unit *= 10 }
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: unit)
    let sign = nanoseconds < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var fraction = String(rest)
    fraction = String(repeating: "0", count: places - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return "\(sign)\(whole).\(fraction)"
  }
}
