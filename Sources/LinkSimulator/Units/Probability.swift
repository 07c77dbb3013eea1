/// A probability from 0 to 1.
public struct Probability: Hashable, Comparable, Sendable {
  /// The value, from 0 to 1.
  public let value: Double

  /// The probability of an event that never happens.
  public static let zero = Probability(unchecked: 0)

  /// The probability of an event that always happens.
  public static let one = Probability(unchecked: 1)

  private init(unchecked value: Double) {
    self.value = value
  }

  /// Creates a probability; `nil` when the value is not from 0 to 1.
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
  }

  /// Creates a probability from per cent, clamped to 0...100; NaN counts as 0.
  public static func percent(_ value: Double) -> Probability {
    Probability(unchecked: value > 0 ? min(value / 100, 1) : 0)
  }

  /// Whether `lhs` is less likely than `rhs`.
  public static func < (lhs: Probability, rhs: Probability) -> Bool {
    lhs.value < rhs.value
  }
}

extension Probability: CustomStringConvertible {
  /// The probability in per cent, such as `0.1 %`.
  public var description: String {
    // Rounded to a millionth of a per cent, so that 0.07 does not become 7.000000000000001 %.
    "\(((value * 100 * 1e6).rounded() / 1e6).shortDescription) %"
  }
}
