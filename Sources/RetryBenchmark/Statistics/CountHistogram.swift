/// How often each whole number occurred.
public struct CountHistogram: Mergeable, Hashable, Sendable {
  private var counts: [Int: Int] = [:]

  /// Counts a number, `count` times.
  mutating func add(_ value: Int, count: Int = 1) {
    precondition(count >= 0, "a count is not negative")
    if count > 0 { counts[value, default: 0] += count }
  }

  mutating func merge(_ other: CountHistogram) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// The numbers that were counted, in order, with their counts.
  public var entries: [(value: Int, count: Int)] {
    counts.sorted { $0.key < $1.key }.map { (value: $0.key, count: $0.value) }
  }

  /// How many of the counted numbers are at most `limit`.
  func count(upTo limit: Int) -> Int { counts.reduce(0) { $1.key <= limit ? $0 + $1.value : $0 } }

  /// How many numbers were counted, repeats included.
  public var total: Int { counts.values.reduce(0, +) }

  var sum: Int128 { counts.reduce(0) { $0 + Int128($1.key) * Int128($1.value) } }

  /// The greatest number that was counted.
  public var greatest: Int? { counts.keys.max() }

  /// The smallest counted number such that at least this share of all are no greater (nearest rank).
  public func quantile(_ share: Double) -> Int? {
    quantile(rank: Rank.nearest(share, of: total))
  }

  /// The number at this place of the sorted sample, counted from 1; `nil` beyond its end.
  func quantile(rank: Int) -> Int? {
    var passed = 0
    for (value, count) in entries {
      passed += count
      if passed >= rank { return value }
    }
    return nil
  }
}

extension CountHistogram: Codable {
  /// The largest total that is decoded: 2^53, which JSON holds exactly, or `Int.max` on 32-bit systems.
  private static let most = Int(clamping: Int64(1) << 53)

  /// Reads pairs of a number and its count.
  public init(from decoder: any Decoder) throws {
    self.init()
    var total = 0
    for pair in try decoder.singleValueContainer().decode([[Int]].self) {
      guard pair.count == 2, pair[1] > 0, pair[1] <= Self.most - total, counts[pair[0]] == nil else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "\(pair) is not a new number with its count"))
      }
      counts[pair[0]] = pair[1]
      total += pair[1]
    }
  }

  /// Writes pairs of a number and its count, ordered by the numbers; equal histograms give equal bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries.map { [$0.value, $0.count] })
  }
}

/// Ranks of quantiles in an ordered sample.
enum Rank {
  /// The nearest rank of a quantile, from 1: the smallest place with at least this share of the sample up to it.
  static func nearest(_ share: Double, of count: Int) -> Int {
    precondition((0...1).contains(share), "a quantile is from 0 to 1")
    return max(1, min(count, Int((share * Double(count)).rounded(.up))))
  }
}
