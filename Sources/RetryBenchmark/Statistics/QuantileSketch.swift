import LinkSimulator

/// Quantiles of a stream of times in bounded memory, accurate to 0.4 %, independent of the order.
///
/// It is a histogram of whole nanoseconds whose bins grow with the numbers, as in HdrHistogram (Tene, 2012). Each power
/// of two has 128 bins. Numbers below 256 have their own bin. Above, a bin's middle is at most 1/256 from each of its
/// numbers. Of at most 7,296 bins only non-empty ones are kept. Count, sum, least and greatest are exact.
public struct QuantileSketch: Mergeable, Hashable, Sendable {
  private static let bits = 7

  private var bins = CountHistogram()
  /// The number of times that were added.
  public private(set) var count = 0
  /// The exact sum of all times, in nanoseconds.
  public private(set) var sum: Int128 = 0
  /// The shortest time; `nil` if there is none.
  public private(set) var least: Duration?
  /// The longest time; `nil` if there is none.
  public private(set) var greatest: Duration?

  /// Adds a time, which must not be negative.
  mutating func add(_ time: Duration) {
    precondition(time >= .zero, "a sketch holds no negative times")
    bins.add(Self.bin(of: time))
    count += 1
    sum += Int128(time.wholeNanoseconds)
    least = min(least ?? time, time)
    greatest = max(greatest ?? time, time)
  }

  mutating func merge(_ other: QuantileSketch) {
    bins.merge(other.bins)
    count += other.count
    sum += other.sum
    least = [least, other.least].compactMap(\.self).min()
    greatest = [greatest, other.greatest].compactMap(\.self).max()
  }

  /// The time such that at least this share of all are no longer (nearest rank), to within 0.4 %.
  public func quantile(_ share: Double) -> Duration? {
    guard let least, let greatest, let bin = bins.quantile(share) else { return nil }
    return min(max(.nanoseconds(Self.middle(ofBin: bin)), least), greatest)
  }

  static func bin(of time: Duration) -> Int { bin(of: time.wholeNanoseconds) }

  /// The bin of a number: the number itself below 256, then 128 bins for each power of two.
  static func bin(of value: Int64) -> Int {
    guard value >= 1 << (bits + 1) else { return Int(value) }
    let shift = Int64.bitWidth - 1 - value.leadingZeroBitCount - bits
    return (shift << bits) + Int(value >> shift)
  }

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

  /// Reads a sketch, and throws if its parts contradict each other.
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

  /// Writes the bins in order, and the sum as text, because it may exceed JSON's exact integers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(bins, forKey: .bins)
    try container.encode(count, forKey: .count)
    try container.encode(String(sum), forKey: .sum)
    try container.encodeIfPresent(least, forKey: .least)
    try container.encodeIfPresent(greatest, forKey: .greatest)
  }
}
