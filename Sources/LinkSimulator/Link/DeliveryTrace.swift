/// When a link can deliver, as it was recorded: a list of opportunities that begins again after its period.
///
/// At each opportunity the link carries a number of bytes of whatever waits, and what is not used is lost. This is how
/// Mahimahi replays cellular links (Netravali et al., "Mahimahi: Accurate Record-and-Replay for HTTP", USENIX ATC 2015).
public struct DeliveryTrace: Hashable, Sendable {
  /// When the opportunities come, in nanoseconds from the beginning; never falling, never beyond ``period``.
  public let offsets: [Int64]
  /// After how long the first opportunity follows the last, above zero.
  public let period: Duration
  /// How many bytes of IP packets one opportunity carries, above zero.
  public let bytesPerOpportunity: Int

  /// The bytes of one of Mahimahi's opportunities: a packet of an MTU of 1500, which its source counts as 1504 with the
  /// head of a TUN device.
  public static let mahimahiBytes = 1_500

  /// Creates a trace, or nothing when there is no opportunity, one lies before another, before 0 or after the period, or
  /// when the period or the number of bytes is not above zero.
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

  /// The same trace for a network that begins so many nanoseconds, more than 0, into it.
  package func starting(at time: Int64) -> DeliveryTrace {
    let length = period.wholeNanoseconds
    let moved = offsets.map { offset in
      let left = offset - time % length
      return (left < 0 ? left + length : left) % length
    }.sorted()
    return DeliveryTrace(offsets: moved, period: period, bytesPerOpportunity: bytesPerOpportunity) ?? self
  }

  /// The mean rate over a period, rounded down to a bit per second, when all opportunities are used.
  public var meanRate: Bandwidth {
    let bits = Int128(offsets.count) * Int128(bytesPerOpportunity) * 8 * 1_000_000_000
    let rate = bits / Int128(period.wholeNanoseconds)
    return Bandwidth(bitsPerSecond: Int64(clamping: rate)) ?? .maximum
  }
}
