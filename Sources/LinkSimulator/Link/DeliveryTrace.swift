/// A recorded list of the times at which a link can deliver packets, repeated after its period.
///
/// At each opportunity the link carries a number of waiting bytes; unused capacity is lost. Mahimahi replays cellular
/// links in this way (Netravali et al., "Mahimahi: Accurate Record-and-Replay for HTTP", USENIX ATC 2015).
public struct DeliveryTrace: Hashable, Sendable {
  /// The times of the opportunities in nanoseconds, in ascending order, from 0 to ``period``.
  public let offsets: [Int64]
  /// The trace's length before it repeats, above zero.
  public let period: Duration
  /// How many bytes of IP packets one opportunity carries, above zero.
  public let bytesPerOpportunity: Int

  /// The bytes of one Mahimahi opportunity: a packet of 1500 bytes.
  ///
  /// Mahimahi's source counts 1504, which includes the header of a TUN device.
  public static let mahimahiBytes = 1_500

  /// Creates a trace; `nil` when the offsets are empty, descend or leave the period, or another value is not above 0.
  public init?(offsets: [Int64], period: Duration, bytesPerOpportunity: Int = DeliveryTrace.mahimahiBytes) {
    let length = period.wholeNanoseconds
    guard let first = offsets.first, let last = offsets.last, first >= 0, last <= length, length > 0,
      bytesPerOpportunity > 0
    else { return nil }
    var before = first
    for offset in offsets {
      guard offset >= before else { return nil }
      before = offset
    }
    self.offsets = offsets
    self.period = period
    self.bytesPerOpportunity = bytesPerOpportunity
  }

  /// The same trace as seen by a network that begins `time` nanoseconds into it; `time` must be above 0.
  package func starting(at time: Int64) -> DeliveryTrace {
    let length = period.wholeNanoseconds
    let moved = offsets.map { offset in
      let left = offset - time % length
      return (left < 0 ? left + length : left) % length
    }.sorted()
    return DeliveryTrace(offsets: moved, period: period, bytesPerOpportunity: bytesPerOpportunity) ?? self
  }

  /// The mean rate over a period if every opportunity is used, rounded down to a bit per second.
  public var meanRate: Bandwidth {
    let bits = Int128(offsets.count) * Int128(bytesPerOpportunity) * 8 * 1_000_000_000
    let rate = bits / Int128(period.wholeNanoseconds)
    return Bandwidth(bitsPerSecond: Int64(clamping: rate)) ?? .maximum
  }
}
