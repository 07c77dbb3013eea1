import LinkSimulator

/// Quantiles of a stream of times in bounded memory, to within 0.4 %, the same in whichever order they came.
///
/// A histogram of whole nanoseconds whose bins grow with the numbers, as HdrHistogram's (Tene, 2012): each power of two is divided into 128
/// bins. Below 256 every number has its own; above, the middle of a bin is at most 1/256 of the number away from it.
/// There are at most 7,296 bins, of which only those that hold something are kept. Count, sum, least and greatest are
/// exact.
public struct QuantileSketch: Mergeable, Hashable, Sendable {
  /// The relative error of a quantile, at most.
  public static let relativeError = 1.0 / 256
  private static let bits = 7

  private var bins = CountHistogram()
  /// How many times there are.
  public private(set) var count = 0
  /// Their exact sum, in nanoseconds.
  public private(set) var sum: Int128 = 0
  /// The least.
  public private(set) var least: Duration?
  /// The greatest.
  public private(set) var greatest: Duration?

  /// Creates an empty sketch.
  public init() {}

  /// Adds a time that is not negative.
  public mutating func add(_ time: Duration) {
    precondition(time >= .zero, "a sketch holds no negative times")
    bins.add(Self.bin(of: time))
    count += 1
    sum += Int128(time.wholeNanoseconds)
    least = min(least ?? time, time)
    greatest = max(greatest ?? time, time)
  }

  /// Adds the times of another part.
  public mutating func merge(_ other: QuantileSketch) {
    bins.merge(other.bins)
    count += other.count
    sum += other.sum
    least = [least, other.least].compactMap(\.self).min()
    greatest = [greatest, other.greatest].compactMap(\.self).max()
  }

  /// The time that at least this share of all do not pass (nearest rank), to within ``relativeError``.
  public func quantile(_ share: Double) -> Duration? {
    guard let least, let greatest, let bin = bins.quantile(share) else { return nil }
    return min(max(.nanoseconds(Self.middle(ofBin: bin)), least), greatest)
  }

  /// The mean.
  public var mean: Duration? {
    count > 0 ? .nanoseconds(sum) / count : nil
  }

  /// Which bin a time belongs to.
  static func bin(of time: Duration) -> Int { bin(of: time.wholeNanoseconds) }

  /// Which bin a number belongs to: itself below 256, then 128 for each power of two.
  static func bin(of value: Int64) -> Int {
    guard value >= 1 << (bits + 1) else { return Int(value) }
    let shift = Int64.bitWidth - 1 - value.leadingZeroBitCount - bits
    return (shift << bits) + Int(value >> shift)
  }

  /// The number in the middle of a bin.
  static func middle(ofBin bin: Int) -> Int64 {
    guard bin >= 1 << (bits + 1) else { return Int64(bin) }
    let shift = (bin >> bits) - 1
    let low = Int64(bin - (shift << bits)) << shift
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
    least = try container.decodeIfPresent(Duration.self, forKey: .least)
    greatest = try container.decodeIfPresent(Duration.self, forKey: .greatest)
    let text = try container.decode(String.self, forKey: .sum)
    let (low, high) = (least ?? .zero, max(least ?? .zero, greatest ?? .zero))
    guard let sum = Int128(text), bins.total == count, least.map(Self.bin) == bins.entries.first?.value,
      greatest.map(Self.bin) == bins.entries.last?.value, low >= .zero,
      (Int128(count) * Int128(low.wholeNanoseconds)...Int128(count) * Int128(high.wholeNanoseconds)).contains(sum)
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
