extension Probability {
  /// Reads a probability in per cent, such as `0.1 %`.
  ///
  /// - Throws: an error with a right example, for a missing or unknown unit, a negative number, or one above 100 %.
  public init(parsing text: String) throws(ProfileError) {
    let quantity = try QuantityText(text, .probability)
    guard quantity.unit == "%" else { throw quantity.kind.error("\(text.quoted) is not a probability") }
    // Move the point in the text instead of dividing, so that "7 %" is exactly the `Double` 0.07.
    let value = Double("\(quantity.digits)e-\(quantity.decimals + 2)") ?? 2
    guard let probability = Probability(value) else { throw quantity.kind.error("\(text.quoted) is more than 100 %") }
    self = probability
  }

  package var formatText: String {
    // Take the shortest text of this number, such as 0.07 or 1e-05, and move its point two places to the right.
    let parts = "\(value)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let digits = Array("\(mantissa[0])\(fraction)")
    let point = mantissa[0].count + 2 + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    var text: String
    if point <= 0 {
      text = "0." + String(repeating: "0", count: -point) + String(digits)
    } else if point >= digits.count {
      text = String(digits) + String(repeating: "0", count: point - digits.count)
    } else {
      text = String(digits[..<point]) + "." + String(digits[point...])
    }
    while text.count > 1, text.first == "0", text.dropFirst().first != "." { text.removeFirst() }
    return text + " %"
  }
}
