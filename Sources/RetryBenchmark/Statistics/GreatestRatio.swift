/// The greatest of many ratios of whole numbers, compared exactly and kept in lowest terms.
public struct GreatestRatio: Mergeable, Hashable, Sendable, Codable {
  /// The upper number of the greatest ratio.
  public private(set) var numerator = 0
  /// The lower number of the greatest ratio.
  public private(set) var denominator = 1

  /// Creates one that has seen nothing, which is 0.
  public init() {}

  /// Sees a ratio of a number that is not negative to one that is positive.
  public mutating func add(_ upper: Int, per lower: Int) {
    precondition(upper >= 0 && lower > 0, "a ratio of what is not negative to what is positive")
    let mine = numerator.multipliedFullWidth(by: lower)
    let other = upper.multipliedFullWidth(by: denominator)
    guard (mine.high, mine.low) < (other.high, other.low) else { return }
    var (a, b) = (upper, lower)
    while b > 0 { (a, b) = (b, a % b) }
    (numerator, denominator) = (upper / a, lower / a)
  }

  /// Sees the greatest of another part.
  public mutating func merge(_ other: GreatestRatio) {
    add(other.numerator, per: other.denominator)
  }

  /// The ratio.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// Reads a ratio.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    numerator = try container.decode(Int.self, forKey: .numerator)
    denominator = try container.decode(Int.self, forKey: .denominator)
    guard numerator >= 0, denominator > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .denominator, in: container,
        debugDescription: "\(numerator)/\(denominator) is no ratio of what is not negative to what is positive")
    }
  }

  private enum CodingKeys: String, CodingKey {
    case numerator, denominator
  }
}
