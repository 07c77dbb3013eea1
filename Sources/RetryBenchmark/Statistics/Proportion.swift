/// How many of all did it.
public struct Proportion: Mergeable, Hashable, Sendable, Codable {
  /// How many did.
  public private(set) var successes: Int
  /// How many there were.
  public private(set) var total: Int

  /// Creates a proportion; there are no more successes than trials.
  public init(successes: Int = 0, of total: Int = 0) {
    precondition(successes >= 0 && successes <= total, "successes are from none to all")
    self.successes = successes
    self.total = total
  }

  /// Counts one.
  public mutating func add(_ success: Bool) {
    total += 1
    if success { successes += 1 }
  }

  /// Adds the counts of another part.
  public mutating func merge(_ other: Proportion) {
    successes += other.successes
    total += other.total
  }

  /// The share.
  public var rate: Double? {
    total > 0 ? Double(successes) / Double(total) : nil
  }

  /// Reads a proportion.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    successes = try container.decode(Int.self, forKey: .successes)
    total = try container.decode(Int.self, forKey: .total)
    guard successes >= 0, successes <= total else {
      throw DecodingError.dataCorruptedError(
        forKey: .successes, in: container, debugDescription: "\(successes) of \(total); successes are from none to all")
    }
  }

  private enum CodingKeys: String, CodingKey {
    case successes, total
  }
}
