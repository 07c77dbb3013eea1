/// Quantiles of a stream of whole numbers in bounded memory, to within 0.4 %, the same in whichever order they came.
///
/// A histogram whose bins grow with the numbers, as HdrHistogram's (Tene, 2012): each power of two is divided into 128
/// bins. Below 256 every number has its own; above, the middle of a bin is at most 1/256 of the number away from it.
/// There are at most 7,296 bins, of which only those that hold something are kept. Count, sum, least and greatest are
/// exact.
public struct QuantileSketch: Mergeable, Hashable, Sendable {
  /// The relative error of a quantile, at most.
  public static let relativeError = 1.0 / 256
  private static let bits = 7

  private var bins = CountHistogram()
  /// How many numbers there are.
  public private(set) var count = 0
  /// Their exact sum.
  public private(set) var sum: Int128 = 0
  /// The least.
  public private(set) var least: Int?
  /// The greatest.
  public private(set) var greatest: Int?

  /// Creates an empty sketch.
  public init() {}

  /// Adds a number that is not negative, such as nanoseconds.
  public mutating func add(_ value: Int) {
    precondition(value >= 0, "a sketch holds no negative numbers")
    bins.add(Self.bin(of: value))
    count += 1
    sum += Int128(value)
    least = min(least ?? value, value)
    greatest = max(greatest ?? value, value)
  }

  /// Adds the numbers of another part.
  public mutating func merge(_ other: QuantileSketch) {
    bins.merge(other.bins)
    count += other.count
    sum += other.sum
    least = [least, other.least].compactMap(\.self).min()
    greatest = [greatest, other.greatest].compactMap(\.self).max()
  }

  /// The number that at least this share of all do not pass (nearest rank), to within ``relativeError``.
  public func quantile(_ share: Double) -> Int? {
    guard let least, let greatest, let bin = bins.quantile(share) else { return nil }
    return min(max(Self.middle(ofBin: bin), least), greatest)
  }

  /// The mean.
  public var mean: Double? {
    count > 0 ? Double(sum) / Double(count) : nil
  }

  /// Which bin a number belongs to: itself below 256, then 128 for each power of two.
  static func bin(of value: Int) -> Int {
    guard value >= 1 << (bits + 1) else { return value }
    let shift = Int.bitWidth - 1 - value.leadingZeroBitCount - bits
    return (shift << bits) + (value >> shift)
  }

  /// The number in the middle of a bin.
  static func middle(ofBin bin: Int) -> Int {
    guard bin >= 1 << (bits + 1) else { return bin }
    let shift = (bin >> bits) - 1
    let low = (bin - (shift << bits)) << shift
    return low + (1 << shift) / 2
  }
}

extension QuantileSketch: Codable {
  private enum Key: String, CodingKey {
    case bins, count, sum, least, greatest
  }

  /// Reads a sketch; one whose parts contradict each other is refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    bins = try container.decode(CountHistogram.self, forKey: .bins)
    count = try container.decode(Int.self, forKey: .count)
    least = try container.decodeIfPresent(Int.self, forKey: .least)
    greatest = try container.decodeIfPresent(Int.self, forKey: .greatest)
    let text = try container.decode(String.self, forKey: .sum)
    guard let sum = Int128(text), bins.total == count, least.map(Self.bin) == bins.entries.first?.value,
      greatest.map(Self.bin) == bins.entries.last?.value, (least ?? 0) >= 0,
      (Int128(count) * Int128(least ?? 0)...Int128(count) * Int128(max(least ?? 0, greatest ?? 0))).contains(sum)
    else {
      throw DecodingError.dataCorruptedError(forKey: .count, in: container, debugDescription: "the parts disagree")
    }
    self.sum = sum
  }

  /// Writes the bins in their order, and the sum as text, since JSON's numbers end before it does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(bins, forKey: .bins)
    try container.encode(count, forKey: .count)
    try container.encode(String(sum), forKey: .sum)
    try container.encodeIfPresent(least, forKey: .least)
    try container.encodeIfPresent(greatest, forKey: .greatest)
  }
}
