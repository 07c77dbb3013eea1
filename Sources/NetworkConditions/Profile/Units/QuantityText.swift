/// A quantity in text form, with a decimal number and a unit, such as `1.6 Mbit/s`.
///
/// It is kept as digits and a power of ten, so that no digit is lost before the unit is known.
struct QuantityText {
  struct Kind: Sendable {
    let name: String
    let example: String

    static let rate = Kind(name: "a rate", example: "780 kbit/s")
    static let duration = Kind(name: "a duration", example: "100 ms")
    static let probability = Kind(name: "a probability", example: "1 %")
    static let bytes = Kind(name: "a number of bytes", example: "1200 bytes")
    static let packets = Kind(name: "a number of packets", example: "100 packets")

    func error(_ reason: String) -> ProfileError {
      .quantity(reason: "\(reason); write for example \"\(example)\"")
    }
  }

  let text: String
  let kind: Kind
  let digits: UInt64
  let decimals: Int
  let unit: String

  /// The most digits: 10^18 times the largest unit still fits into 128 bits.
  private static let mostDigits = 18

  init(_ text: String, _ kind: Kind) throws(ProfileError) {
    self.text = text
    self.kind = kind
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") {
      let number = rest.dropFirst().first?.isDigit ?? false
      throw kind.error(number ? "\(text.quoted) is negative" : "\(text.quoted) is not \(kind.name)")
    }
    let whole = rest.prefix(while: \.isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if !whole.isEmpty, rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: \.isDigit)
      rest = rest.dropFirst(1 + fraction.count)
      guard !fraction.isEmpty else { throw kind.error("\(text.quoted) is not \(kind.name)") }
    }
    guard !whole.isEmpty else { throw kind.error("\(text.quoted) is not \(kind.name)") }
    while fraction.last == UInt8(ascii: "0") { fraction = fraction.dropLast() }
    let significant = (Array(whole) + Array(fraction)).drop { $0 == UInt8(ascii: "0") }
    guard significant.count <= Self.mostDigits else {
      throw kind.error("\(text.quoted) has too many digits")
    }
    digits = significant.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
    decimals = fraction.count
    while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
    unit = String(Substring(rest))
    if unit.isEmpty { throw kind.error("\(text.quoted) has no unit") }
  }

  /// The quantity in smallest units, rounded half up; `isExact` rejects fractions, for quantities that are counts.
  func count(in units: [String: UInt64], limit: (Int64, String), isExact: Bool = false) throws(ProfileError) -> Int64 {
    guard let factor = units[unit] else { throw kind.error("\(text.quoted) is not \(kind.name)") }
    // 128 bits hold 10^38; with more decimals than that, the count is 0 anyway.
    let divisor = Self.power(min(decimals, 38))
    let (quotient, remainder) = (UInt128(digits) * UInt128(factor)).quotientAndRemainder(dividingBy: divisor)
    if isExact, remainder != 0 { throw kind.error("\(text.quoted) is not a whole number") }
    let rounded = quotient + (remainder * 2 >= divisor ? 1 : 0)
    guard rounded <= UInt128(limit.0) else { throw kind.error("\(text.quoted) is more than \(limit.1)") }
    return Int64(rounded)
  }

  private static func power(_ exponent: Int) -> UInt128 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Writes a count in the largest of `units` (smallest first) in which it is at least 1.
  static func write(_ count: Int64, in units: [(places: Int, name: String)]) -> String {
    let chosen = units.last { count.magnitude >= UInt64(power($0.places)) } ?? units[0]
    return "\(DecimalText.of(count.magnitude, places: chosen.places)) \(chosen.name)"
  }
}
