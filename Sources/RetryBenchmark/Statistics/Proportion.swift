/// How many of a number of trials were successes.
public struct Proportion: Hashable, Sendable {
  /// The number of successes.
  public let successes: Int
  /// The number of trials.
  public let total: Int

  init(successes: Int, of total: Int) {
    precondition(successes >= 0 && successes <= total, "successes are from 0 to the total")
    self.successes = successes
    self.total = total
  }

  /// The successes divided by the trials, from 0 to 1; `nil` without trials.
  public var rate: Double? {
    total > 0 ? Double(successes) / Double(total) : nil
  }
}
