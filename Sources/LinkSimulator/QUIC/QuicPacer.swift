/// Spreads the packets of a congestion window over a round trip (RFC 9002, section 7.7), as a bucket of bytes.
///
/// The rate is 5/4 of the window in a round trip; a burst of ten packets may leave at once. Both are quic-go's
/// (`internal/congestion/pacer.go`), and the RFC's examples.
struct QuicPacer: Sendable {
  /// How many packets may leave together.
  private static let burst: Int64 = 10
  /// The shortest wait (`MinPacingDelay`).
  private static let shortest: Int64 = 1_000_000

  private var budget: Int64 = 0
  private var lastSent = Int64.min

  /// Bytes in a second; 0 where nothing is held back: no round trip is known, or one that is shorter than any wait.
  private func rate(window: Int, datagram: Int64, smoothed: Int64) -> Int64 {
    smoothed >= Self.shortest ? Int64(window) * datagram * 5 / 4 * 1_000_000_000 / smoothed : 0
  }

  private func greatest(rate: Int64, datagram: Int64) -> Int64 {
    max(Self.burst * datagram, rate * 2 / 1_000)
  }

  private func budget(rate: Int64, datagram: Int64, at now: Int64) -> Int64 {
    let most = greatest(rate: rate, datagram: datagram)
    guard lastSent > .min, rate > 0 else { return most }
    let since = now - lastSent
    // Enough to fill the bucket; the product below then cannot overflow.
    if since >= 1_000_000_000 || since > (most - budget) * 1_000_000_000 / rate { return most }
    return min(most, budget + rate * since / 1_000_000_000)
  }

  /// When the next full packet may leave; not after `now` when it may leave at once.
  func departure(window: Int, datagram: Int64, smoothed: Int64, at now: Int64) -> Int64 {
    let rate = rate(window: window, datagram: datagram, smoothed: smoothed)
    guard rate > 0, budget(rate: rate, datagram: datagram, at: now) < datagram else { return now }
    return max(now, lastSent + max(Self.shortest, ((datagram - budget) * 1_000_000_000 + rate - 1) / rate))
  }

  /// A packet leaves.
  mutating func sent(_ size: Int64, window: Int, datagram: Int64, smoothed: Int64, at now: Int64) {
    let rate = rate(window: window, datagram: datagram, smoothed: smoothed)
    budget = max(0, budget(rate: rate, datagram: datagram, at: now) - size)
    lastSent = now
  }
}
