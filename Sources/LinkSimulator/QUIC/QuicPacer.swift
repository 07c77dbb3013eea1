/// Spreads a congestion window's packets over a round trip, at 5/4 of the window's rate (RFC 9002, section 7.7).
struct QuicPacer: Sendable {
  enum Kind {
    /// A token bucket, from which ten packets may leave at once (quic-go, `internal/congestion/pacer.go`).
    case bucket
    /// A burst of up to ten packets, then a pause for its length (ngtcp2, `ngtcp2_conn_update_pkt_tx_time`).
    case bursts
  }

  /// The number of packets in a full burst.
  private static let burst: Int64 = 10
  /// The bucket's shortest wait in nanoseconds (`MinPacingDelay`), and the shortest round trip that is paced.
  private static let shortest: Int64 = 1_000_000
  /// The largest burst in bytes (ngtcp2, `set_pacing_rate`).
  private static let greatestBurst: Int64 = 65_536

  private let kind: Kind
  /// The rate that was computed last, for this window in bytes and round trip.
  private var latest: (rate: Int64, window: Int64, smoothed: Int64) = (0, 0, 1)
  private var budget: Int64 = 0
  private var lastSent = Int64.min
  /// The bytes of the current burst; `resumesAt` is the time for the next one.
  private var together: Int64 = 0
  private var resumesAt = Int64.min
  /// The packet size of the current burst, which one system call sends; `isSplit` marks a larger last packet.
  private var segment: Int64 = 0
  private var isSplit = false

  init(_ kind: Kind = .bucket) { self.kind = kind }

  /// The pacing rate in bytes per second; 0 disables pacing while the round trip is unknown or below 1 ms.
  @inline(__always)
  private mutating func rate(window: Int, datagram: Int64, smoothed: Int64) -> Int64 {
    guard smoothed >= Self.shortest else { return 0 }
    let bytes = Int64(window) * datagram
    if latest.window != bytes || latest.smoothed != smoothed {
      latest = (bytes * 5 / 4 * 1_000_000_000 / smoothed, bytes, smoothed)
    }
    return latest.rate
  }

  private func greatest(rate: Int64, datagram: Int64) -> Int64 {
    max(Self.burst * datagram, rate * 2 / 1_000)
  }

  private func budget(rate: Int64, datagram: Int64, at now: Int64) -> Int64 {
    let most = greatest(rate: rate, datagram: datagram)
    guard lastSent > .min, rate > 0 else { return most }
    let since = now - lastSent
    let (earned, overflows) = rate.multipliedReportingOverflow(by: since)
    // The bucket is full.
    if since >= 1_000_000_000 || overflows || earned > (most - budget) * 1_000_000_000 { return most }
    return min(most, budget + earned / 1_000_000_000)
  }

  /// The earliest time for the next full packet; `now` if it may leave at once.
  @inline(__always)
  mutating func departure(window: Int, datagram: Int64, smoothed: Int64, at now: Int64) -> Int64 {
    if kind == .bursts, together == 0 { return smoothed >= Self.shortest ? max(now, resumesAt) : now }
    return nextDeparture(window: window, datagram: datagram, smoothed: smoothed, at: now)
  }

  private mutating func nextDeparture(window: Int, datagram: Int64, smoothed: Int64, at now: Int64) -> Int64 {
    if kind == .bursts {
      guard smoothed >= Self.shortest else { return now }
      if together >= Self.burst * datagram,
        together >= Self.quantum(window: window, datagram: datagram, smoothed: smoothed)
      {
        rests(window: window, datagram: datagram, smoothed: smoothed, at: now)
      }
      return max(now, resumesAt)
    }
    let rate = rate(window: window, datagram: datagram, smoothed: smoothed)
    guard rate > 0, budget(rate: rate, datagram: datagram, at: now) < datagram else { return now }
    return max(now, lastSent + max(Self.shortest, ((datagram - budget) * 1_000_000_000 + rate - 1) / rate))
  }

  /// The bytes of a burst: ten packets, or the bytes of a millisecond if more.
  private static func quantum(window: Int, datagram: Int64, smoothed: Int64) -> Int64 {
    let carried = Int64(window) * datagram * 5 / 4 * shortest / smoothed
    return max(burst * datagram, min(greatestBurst, carried))
  }

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

  /// Ends a burst, and computes when the next may start.
  ///
  /// curl ends a burst with a packet shorter than the others, since GSO uses one size. After a larger packet, which is
  /// a path MTU probe, it does not (`Curl_vquic_send_tail_split`).
  @inline(__always)
  mutating func rests(window: Int, datagram: Int64, smoothed: Int64, at now: Int64) {
    guard together > 0, !isSplit else { return }
    if smoothed >= Self.shortest { resumesAt = now + together * smoothed * 4 / 5 / (Int64(window) * datagram) }
    (together, segment) = (0, 0)
  }
}
