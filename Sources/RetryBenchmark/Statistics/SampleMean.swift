/// The mean of whole numbers with its uncertainty, from exact sums.
public struct SampleMean: Mergeable, Hashable, Sendable {
  /// How many numbers there are.
  public private(set) var count = 0
  /// Their sum.
  public private(set) var sum: Int128 = 0
  /// The sum of their squares.
  public private(set) var squares: Int128 = 0

  /// Creates the mean of nothing.
  public init() {}

  /// Adds a number; of numbers up to 2^53, which is 104 days in nanoseconds, two million fit whatever they are.
  public mutating func add(_ value: Int) {
    count += 1
    sum += Int128(value)
    squares += Int128(value) * Int128(value)
  }

  /// Adds the numbers of another part.
  public mutating func merge(_ other: SampleMean) {
    count += other.count
    sum += other.sum
    squares += other.squares
  }

  /// The mean.
  public var mean: Double? {
    count > 0 ? Double(sum) / Double(count) : nil
  }

  /// The standard deviation of the numbers (n - 1 below).
  public var standardDeviation: Double? {
    guard count > 1 else { return nil }
    // n times the sum of squares less the square of the sum, in integers where they fit: nothing cancels.
    let n = Int128(count)
    let (left, leftOverflows) = n.multipliedReportingOverflow(by: squares)
    let (right, rightOverflows) = sum.multipliedReportingOverflow(by: sum)
    guard leftOverflows || rightOverflows else {
      return (Double(left - right) / Double(count) / Double(count - 1)).squareRoot()
    }
    let mean = Double(sum) / Double(count)
    return (max(0, Double(squares) - Double(count) * mean * mean) / Double(count - 1)).squareRoot()
  }

  /// The interval that holds the true mean with this confidence, for samples of some dozens or more: the mean is taken
  /// to be normally distributed.
  public func interval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    guard let mean, let standardDeviation else { return nil }
    let width =
      NormalDistribution.deviations(confidence: confidence) * standardDeviation / Double(count).squareRoot()
    return (mean - width)...(mean + width)
  }
}

extension SampleMean: Codable {
  private enum Key: String, CodingKey {
    case count, sum, squares
  }

  /// Reads exact sums.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    count = try container.decode(Int.self, forKey: .count)
    guard let sum = Int128(try container.decode(String.self, forKey: .sum)),
      let squares = Int128(try container.decode(String.self, forKey: .squares)), count >= 0,
      squares <= 1 << 112,
      sum.magnitude.multipliedFullWidth(by: sum.magnitude) <= squares.magnitude.multipliedFullWidth(by: UInt128(count)),
      squares >= 0
    else {
      throw DecodingError.dataCorruptedError(forKey: .sum, in: container, debugDescription: "sums are whole numbers")
    }
    self.sum = sum
    self.squares = squares
  }

  /// Writes the sums as text, since JSON's numbers end before they do.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count, forKey: .count)
    try container.encode(String(sum), forKey: .sum)
    try container.encode(String(squares), forKey: .squares)
  }
}

/// A statistic that can be gathered in parts.
///
/// Merging is associative and does not depend on the order: it adds integers, or takes the least or greatest. The parts
/// of a run, merged, are therefore the whole, bit for bit, however it was split.
public protocol Mergeable {
  /// Adds what another part has gathered.
  mutating func merge(_ other: Self)
}

extension Sequence where Element: Mergeable {
  /// All parts merged into a first one.
  public func merged(into first: Element) -> Element {
    reduce(into: first) { $0.merge($1) }
  }
}
