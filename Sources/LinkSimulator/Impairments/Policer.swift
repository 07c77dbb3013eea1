/// A rate limit that drops excess packets and delays none: a token bucket (ITU-T I.371, generic cell rate algorithm).
struct Policer: Sendable {
  /// The largest burst, as nanoseconds at the rate: 1.5 s, which Cisco recommends for its `rate-limit`.
  static let burst: Int64 = 1_500_000_000

  /// When the packets admitted so far would have been sent at the exact rate.
  private var paidUntil: Int64 = 0

  /// Whether a packet of `bytes` bytes passes at `time`, in nanoseconds.
  mutating func admits(_ bytes: Int64, at time: Int64, rate: Bandwidth) -> Bool {
    guard rate > .zero else { return false }
    let next = max(paidUntil, time) + bytes * 8_000_000_000 / rate.bitsPerSecond
    guard next - time <= Self.burst else { return false }
    paidUntil = next
    return true
  }
}
