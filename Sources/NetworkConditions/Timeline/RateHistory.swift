/// How many bytes arrived in each of at most 128 equal slices of time; when these run out, slices are joined in pairs.
public struct RateHistory: Hashable, Sendable {
  static let capacity = 128
  private static let finest: Int64 = 10_000_000

  /// The start of the first slice.
  public let start: SimulatedInstant
  /// The length of a slice, in nanoseconds.
  public private(set) var sliceNanoseconds = RateHistory.finest
  /// The bytes that arrived in each slice, starting at ``start``.
  public private(set) var bytes: [Int64] = []

  /// The rate in each slice, in bits per second.
  public var bitsPerSecond: [Double] {
    bytes.map { Double($0) * 8e9 / Double(sliceNanoseconds) }
  }

  mutating func add(_ count: Int64, at time: SimulatedInstant) {
    let elapsed = time.nanoseconds - start.nanoseconds
    while elapsed / sliceNanoseconds >= Self.capacity { halve() }
    let index = Int(elapsed / sliceNanoseconds)
    while bytes.count <= index { bytes.append(0) }
    bytes[index] += count
  }

  private mutating func halve() {
    sliceNanoseconds *= 2
    bytes = stride(from: 0, to: bytes.count, by: 2).map { index in bytes[index...].prefix(2).reduce(0, +) }
  }
}
