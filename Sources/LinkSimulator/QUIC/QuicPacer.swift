/// Spreads the packets of a congestion window over a round trip (RFC 9002, section 7.7), at 5/4 of its rate.
struct QuicPacer: Sendable {
  /// How packets are spread.
  enum Kind {
    /// As a bucket of bytes, from which ten packets may leave at once (quic-go, `internal/congestion/pacer.go`).
    case bucket
    /// Ten packets together, or what there is, and then a pause for them (ngtcp2, `ngtcp2_conn_update_pkt_tx_time`).
    case bursts
  }

  /// How many packets may leave together.
  private static let burst: Int64 = 10
  /// The shortest wait of a bucket (`MinPacingDelay`), and the shortest round trip that packets are spread over.
  private static let shortest: Int64 = 1_000_000
  /// The greatest burst (ngtcp2, `set_pacing_rate`).
  private static let greatestBurst: Int64 = 65_536

  private let kind: Kind
  private var budget: Int64 = 0
  private var lastSent = Int64.min
  /// The bytes of the burst that leaves now, and when the next may.
  private var together: Int64 = 0
  private var resumesAt = Int64.min
  /// The size that the packets of the burst have, which leave in one call; whether a larger one was the last to leave.
  private var segment: Int64 = 0
  private var isSplit = false

  init(_ kind: Kind = .bucket) { self.kind = kind }

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
  mutating func departure(window: Int, datagram: Int64, smoothed: Int64, at now: Int64) -> Int64 {
    if kind == .bursts {
      guard smoothed >= Self.shortest else { return now }
      if together >= Self.quantum(window: window, datagram: datagram, smoothed: smoothed) {
        rests(window: window, datagram: datagram, smoothed: smoothed, at: now)
      }
      return max(now, resumesAt)
    }
    let rate = rate(window: window, datagram: datagram, smoothed: smoothed)
    guard rate > 0, budget(rate: rate, datagram: datagram, at: now) < datagram else { return now }
    return max(now, lastSent + max(Self.shortest, ((datagram - budget) * 1_000_000_000 + rate - 1) / rate))
  }

  /// How many bytes leave together: ten packets, or what a millisecond carries.
  private static func quantum(window: Int, datagram: Int64, smoothed: Int64) -> Int64 {
    let carried = Int64(window) * datagram * 5 / 4 * shortest / smoothed
    return max(burst * datagram, min(greatestBurst, carried))
  }

  /// A packet leaves.
  @inline(__always)
  mutating func sent(_ size: Int64, window: Int, datagram: Int64, smoothed: Int64, at now: Int64) {
    if kind == .bursts {
      together += size
      isSplit = segment > 0 && size > segment
      if segment > 0, size < segment {
        rests(window: window, datagram: datagram, smoothed: smoothed, at: now)
      } else {
        segment = isSplit ? 0 : size
      }
      return
    }
    let rate = rate(window: window, datagram: datagram, smoothed: smoothed)
    budget = max(0, budget(rate: rate, datagram: datagram, at: now) - size)
    lastSent = now
  }

  /// A burst is over, and the next waits for it.
  ///
  /// curl ends one with a packet that is shorter than those before (GSO takes one size), and forgets to after a larger one
  /// (`Curl_vquic_send_tail_split`), which is a probe of the path.
  @inline(__always)
  mutating func rests(window: Int, datagram: Int64, smoothed: Int64, at now: Int64) {
    guard together > 0, !isSplit else { return }
    if smoothed >= Self.shortest { resumesAt = now + together * smoothed * 4 / 5 / (Int64(window) * datagram) }
    (together, segment) = (0, 0)
  }
}
