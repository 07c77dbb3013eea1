/// How many of a number of trials were successes.
public struct Proportion: Mergeable, Hashable, Sendable, Codable {
  /// The number of successes.
  public private(set) var successes: Int
  /// The number of trials.
  public private(set) var total: Int

  /// Creates a proportion; there must not be more successes than trials.
  public init(successes: Int = 0, of total: Int = 0) {
    precondition(successes >= 0 && successes <= total, "successes are from 0 to the total")
    self.successes = successes
    self.total = total
  }

  /// Counts one trial.
  public mutating func add(_ success: Bool) {
    total += 1
    if success { successes += 1 }
  }

  /// Adds the counts of another part.
  public mutating func merge(_ other: Proportion) {
    successes += other.successes
    total += other.total
  }

  /// The successes divided by the trials, from 0 to 1; `nil` without trials.
  public var rate: Double? {
    total > 0 ? Double(successes) / Double(total) : nil
  }

  /// Reads a proportion, and throws if there are more successes than trials.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    successes = try container.decode(Int.self, forKey: .successes)
    total = try container.decode(Int.self, forKey: .total)
    guard successes >= 0, successes <= total else {
      throw DecodingError.dataCorruptedError(
        forKey: .successes, in: container,
        debugDescription: "\(successes) of \(total); successes are from 0 to the total")
    }
  }

  private enum CodingKeys: String, CodingKey {
    case successes, total
  }
}
