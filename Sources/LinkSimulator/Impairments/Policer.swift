/// A limit on a rate that drops what is too much, and delays nothing: a token bucket, as the generic cell rate algorithm of
/// ITU-T I.371 has it.
struct Policer: Sendable {
  /// So much time of the rate may pass in one burst: what Cisco recommends for its `rate-limit`.
  static let burst: Int64 = 1_500_000_000

  /// When all that has passed would have passed at the rate itself.
  private var paidUntil: Int64 = 0

  /// Whether a packet of so many bytes passes at a time, in nanoseconds.
  mutating func admits(_ bytes: Int64, at time: Int64, rate: Bandwidth) -> Bool {
    guard rate > .zero else { return false }
    let next = max(paidUntil, time) + bytes * 8_000_000_000 / rate.bitsPerSecond
    guard next - time <= Self.burst else { return false }
    paidUntil = next
    return true
  }
}
