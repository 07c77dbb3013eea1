import NetworkConditions

/// A decimal number as digits and a power of ten, so that nothing is rounded before its unit is known.
///
/// It is read as strtod(3) reads decimal numbers.
struct DecimalNumber: Hashable, Sendable {
  /// The significant digits as one whole number; digits after the nineteenth are dropped.
  let digits: UInt64
  let exponent: Int
  let isNegative: Bool
}

extension DecimalNumber {
  private static let mostDigits = 19

  init?(_ text: String) {
    guard let (number, rest) = Self.prefix(of: text), rest.isEmpty else { return nil }
    self = number
  }

  /// Reads the number at the beginning of a text, and returns it with the rest; `nil` when there is none.
  static func prefix(of text: String) -> (number: DecimalNumber, rest: String)? {
    var bytes = Array(text.utf8)[...]
    let sign = bytes.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    var digits: UInt64 = 0
    var kept = 0
    var exponent = 0
    var count = 0
    var isFraction = false
    while let byte = bytes.first {
      if byte == UInt8(ascii: "."), !isFraction, count > 0 || bytes.dropFirst().first?.isDigit == true {
        isFraction = true
      } else if byte.isDigit {
        count += 1
        if kept < mostDigits {
          digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
          if digits > 0 { kept += 1 }
          if isFraction { exponent -= 1 }
        } else if !isFraction {
          exponent += 1
        }
      } else {
        break
      }
      bytes = bytes.dropFirst()
    }
    guard count > 0 else { return nil }
    if let power = power(&bytes) { exponent = exponent.addingReportingOverflow(power).partialValue }
    let number = DecimalNumber(digits: digits, exponent: exponent, isNegative: sign == UInt8(ascii: "-"))
    return (number, String(decoding: bytes, as: UTF8.self))
  }

  /// Reads an exponent such as `e-3`; `nil` if no number follows the letter `e`, which then belongs to the unit.
  private static func power(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") else { return nil }
    var rest = bytes.dropFirst()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard rest.first?.isDigit == true else { return nil }
    var power = 0
    while let byte = rest.first, byte.isDigit {
      // With a larger exponent every number is zero or too large. The sum must not overflow.
      power = min(power * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
      rest = rest.dropFirst()
    }
    bytes = rest
    return isNegative ? -power : power
  }

  var isZero: Bool { digits == 0 }

  /// Returns the number times a fraction, rounded half up; `nil` when it is negative or above `limit`.
  func count(times factor: UInt64 = 1, over divisor: UInt64 = 1, limit: Int64 = .max) -> Int64? {
    if digits == 0 { return 0 }
    guard !isNegative else { return nil }
    var numerator = UInt128(digits) * UInt128(factor)
    var denominator = UInt128(divisor)
    if exponent >= 0 {
      guard exponent <= 38, let scaled = Self.scaled(numerator, by: exponent) else { return nil }
      numerator = scaled
    } else {
      // If the divisor exceeds 128 bits, the result is less than a half.
      guard -exponent <= 38, let scaled = Self.scaled(denominator, by: -exponent) else { return 0 }
      denominator = scaled
    }
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    let rounded = quotient + (remainder >= denominator - remainder ? 1 : 0)
    return rounded <= UInt128(limit) ? Int64(rounded) : nil
  }

  private static func scaled(_ value: UInt128, by exponent: Int) -> UInt128? {
    var value = value
    for _ in 0..<exponent {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
    }
    return value
  }

  var percent: Probability? {
    // -0 becomes 0.
    Probability(double(timesTenTo: -2)).map { $0 == .zero ? .zero : $0 }
  }

  func double(timesTenTo power: Int = 0) -> Double {
    Double("\(isNegative ? "-" : "")\(digits)e\(exponent + power)") ?? .infinity
  }
}

extension Duration {
  var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 + (wholeNanoseconds % 1_000_000 >= 500_000 ? 1 : 0) }

  var millisecondText: String { DecimalText.of(Int128(wholeNanoseconds), places: 6) }

  var secondText: String { DecimalText.of(Int128(wholeNanoseconds), places: 9) }
}

extension Probability {
  var percentText: String { String(formatText.dropLast(2)) }
}

extension Bandwidth {
  var bytesPerSecondText: String { DecimalText.of(Int128(bitsPerSecond) * 125, places: 3) }

  var kilobitsPerSecondText: String { DecimalText.of(Int128(bitsPerSecond), places: 3) }
}
