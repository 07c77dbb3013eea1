/// How many bytes arrived when, in a bounded number of equal slices of time: when they run out, each two become one.
public struct RateHistory: Hashable, Sendable {
  /// The most slices that are kept.
  static let capacity = 128
  private static let finest: Int64 = 10_000_000

  /// When the first slice begins.
  public let start: SimulatedInstant
  /// How long a slice is, in nanoseconds.
  public private(set) var sliceNanoseconds = RateHistory.finest
  /// The bytes that arrived in each slice, from ``start`` on.
  public private(set) var bytes: [Int64] = []

  init(start: SimulatedInstant) {
    self.start = start
  }

  /// The rates of the slices in bits per second.
  public var bitsPerSecond: [Double] {
    bytes.map { Double($0) * 8e9 / Double(sliceNanoseconds) }
  }

  mutating func add(_ count: Int64, at time: SimulatedInstant) {
    let elapsed = max(0, time.nanoseconds - start.nanoseconds)
    while elapsed / sliceNanoseconds >= Self.capacity { halve() }
    let index = Int(elapsed / sliceNanoseconds)
    while bytes.count <= index { bytes.append(0) }
    bytes[index] += count
  }

  private mutating func halve() {
    sliceNanoseconds *= 2
    bytes = stride(from: 0, to: bytes.count, by: 2).map { index in
      bytes[index] + (index + 1 < bytes.count ? bytes[index + 1] : 0)
    }
  }
}
