/// Estimates a QUIC connection's round trip and probe timeout in nanoseconds (RFC 9002, section 5).
struct QuicRoundTrip: Sendable {
  /// The assumed round trip before the first sample (RFC 9002, section 6.2.2).
  static let initial: Int64 = 333_000_000
  /// The granularity of timers (RFC 9002, section 6.1.2).
  static let granularity: Int64 = 1_000_000
  /// The longest delay of acknowledgements that a receiver announces (RFC 9000, section 18.2).
  static let greatestDelay: Int64 = 25_000_000

  private(set) var hasSample = false
  private(set) var latest: Int64 = 0
  /// The latest round trip, less the peer's acknowledgement delay.
  private(set) var adjusted: Int64 = 0
  private(set) var smoothed: Int64
  private(set) var variation: Int64
  /// The smallest sample; `.max` before the first one.
  private(set) var minimum = Int64.max

  init(_ first: (smoothed: Int64, variation: Int64) = (Self.initial, Self.initial / 2)) {
    (smoothed, variation) = first
  }

  /// Adds a round-trip sample, with the acknowledgement delay that the peer reported (RFC 9002, section 5.3).
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

  /// The smoothed round trip; 0 before the first sample.
  var measured: Int64 { hasSample ? smoothed : 0 }

  /// How long to wait before a probe; a peer may delay acknowledgements once confirmed (RFC 9002, section 6.2.1).
  func probeTimeout(isConfirmed: Bool) -> Int64 {
    smoothed + max(4 * variation, Self.granularity) + (isConfirmed ? Self.greatestDelay : 0)
  }

  /// The time after which a packet is lost if a later one was acknowledged (RFC 9002, section 6.1.2).
  ///
  /// - Parameter adjusts: whether to subtract the acknowledgement delay from the latest round trip (quic-go).
  func lossDelay(adjusts: Bool) -> Int64 { max(9 * max(smoothed, adjusts ? adjusted : latest) / 8, Self.granularity) }
}
