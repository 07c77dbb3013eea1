/// Estimates the round-trip time of a QUIC connection and its probe timeout (RFC 9002, section 5), in nanoseconds.
struct QuicRoundTrip: Sendable {
  /// The round trip before there is a sample (RFC 9002, section 6.2.2).
  static let initial: Int64 = 333_000_000
  /// The granularity of timers (RFC 9002, section 6.1.2).
  static let granularity: Int64 = 1_000_000
  /// The longest time that a receiver says it puts an acknowledgement off (RFC 9000, section 18.2).
  static let greatestDelay: Int64 = 25_000_000

  private(set) var hasSample = false
  private(set) var latest: Int64 = 0
  /// The latest without the delay of its acknowledgement.
  private(set) var adjusted: Int64 = 0
  private(set) var smoothed: Int64
  private(set) var variation: Int64
  /// The smallest sample; `.max` before there is one.
  private(set) var minimum = Int64.max

  init(_ first: (smoothed: Int64, variation: Int64) = (Self.initial, Self.initial / 2)) {
    (smoothed, variation) = first
  }

  /// Takes a sample (RFC 9002, section 5.3).
  ///
  /// - Parameter delay: how long the other side says it put the acknowledgement off.
  mutating func add(_ sample: Int64, delay: Int64) {
    latest = max(1, sample)
    minimum = min(minimum, latest)
    guard hasSample else {
      hasSample = true
      adjusted = latest
      smoothed = latest
      variation = latest / 2
      return
    }
    adjusted = latest >= minimum + delay ? latest - delay : latest
    variation = (3 * variation + abs(smoothed - adjusted)) / 4
    smoothed = (7 * smoothed + adjusted) / 8
  }

  /// The smoothed round trip; 0 before there is a sample.
  var measured: Int64 { hasSample ? smoothed : 0 }

  /// How long to wait for an acknowledgement before a probe is sent (RFC 9002, section 6.2.1).
  ///
  /// - Parameter isConfirmed: whether the other side may put acknowledgements off.
  func probeTimeout(isConfirmed: Bool) -> Int64 {
    smoothed + max(4 * variation, Self.granularity) + (isConfirmed ? Self.greatestDelay : 0)
  }

  /// How much later than one that has arrived a packet may be sent before it counts as lost (RFC 9002, section 6.1.2).
  ///
  /// - Parameter adjusts: whether the latest round trip is taken without the delay of its acknowledgement (quic-go).
  func lossDelay(adjusts: Bool) -> Int64 { max(9 * max(smoothed, adjusts ? adjusted : latest) / 8, Self.granularity) }
}
