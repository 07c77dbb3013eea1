import NetworkConditions

extension Duration {
  /// The duration in milliseconds, with every digit it has and without a unit.
  var millisecondText: String { DecimalText.of(Int128(wholeNanoseconds), places: 6) }

  /// The duration in seconds, with every digit it has and without a unit.
  var secondText: String { DecimalText.of(Int128(wholeNanoseconds), places: 9) }
}

extension Probability {
  /// The probability in per cent, with every digit it has and without the sign.
  var percentText: String { String(formatText.dropLast(2)) }
}

extension Bandwidth {
  /// The rate in bytes per second, with every digit it has.
  var bytesPerSecondText: String { DecimalText.of(Int128(bitsPerSecond) * 125, places: 3) }

  /// The rate in decimal kilobits per second, with every digit it has.
  var kilobitsPerSecondText: String { DecimalText.of(Int128(bitsPerSecond), places: 3) }
}
