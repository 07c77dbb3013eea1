/// How many of a number of trials were successes.
public struct Proportion: Hashable, Sendable {
  /// The number of successes.
  public let successes: Int
  /// The number of trials.
  public let total: Int

  /// The successes divided by the trials, from 0 to 1; `nil` without trials.
  public var rate: Double? {
    total > 0 ? Double(successes) / Double(total) : nil
  }
}
