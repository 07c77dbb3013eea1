/// Segments leave in bursts: the kernel builds packets of several segments, which the device splits (GSO).
///
/// A burst lasts about a millisecond and has at least two segments and at most half the window. Its last segment has
/// PSH, which a receiver acknowledges at once. If less than a burst may be sent and the last one left recently, the
/// sender waits for an acknowledgement. Source: tcp_output.c: `tcp_tso_autosize`, `tcp_cwnd_test`,
/// `tcp_tso_should_defer`, `__tcp_transmit_skb`.
struct SegmentBursts: Sendable {
  /// The smallest burst in segments (tcp_min_tso_segs).
  private static let least = 2
  /// The largest burst in bytes (GSO_LEGACY_MAX_SIZE less the headers).
  private static let greatestBytes: Int64 = 65_215
  /// A sender waits only if its last burst left at most this many nanoseconds ago, and the next acknowledgement is due
  /// within the same time.
  private static let recent: Int64 = 1_000_000
  /// A sender does not wait if it may send one third of the window (tcp_tso_win_divisor).
  private static let divisor = 3

  /// The burst size in segments.
  private(set) var size = Self.least
  /// How many segments of the current burst remain to be sent.
  private(set) var left = 0
  private var length = 0

  /// Computes the burst size from the pacing rate (`tcp_update_pacing_rate`).
  @inline(__always)
  mutating func update(
    window: Int, threshold: Int, packetsOut: Int, smoothed: Int64, minimumRoundTrip: Int64
  ) {
    // The pacing rate is twice the window per round trip in slow start, later 1.2 times. A burst is 2^-10 s of it.
    let segments =
      Int64(max(window, packetsOut)) * (window < threshold >> 1 ? 10 : 6) * 1_000_000_000
    size = Self.least
    guard smoothed > 0 else { return }
    let isNear = minimumRoundTrip < 32 * 512_000
    if segments < 5 * 1024 * 3 * smoothed, !isNear { return }
    var bytes = segments * Int64(Packet.maximumPayload) / (5 * 1024 * smoothed)
    // The shorter the round trip, the larger the burst (tcp_tso_rtt_log).
    if isNear { bytes += Self.greatestBytes >> (minimumRoundTrip / 512_000) }
    size = max(Self.least, Int(min(bytes, Self.greatestBytes)) / Packet.maximumPayload)
  }

  /// Sets the burst size that a pacing algorithm asks for.
  @inline(__always)
  mutating func update(size: Int) {
    self.size = size
  }

  /// Begins a burst, limited by window, burst size and unsent bytes.
  @inline(__always)
  mutating func begin(window: Int, inFlight: Int, unsent: Int64) {
    let segments = min(max(window >> 1, 1), window - inFlight, size)
    let whole = (unsent + Int64(Packet.maximumPayload) - 1) / Int64(Packet.maximumPayload)
    left = Int(min(Int64(segments), whole))
    length = left
  }

  /// Counts a sent segment; returns whether it ends a burst of several segments.
  mutating func advance() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return left == 0 && length > 1
  }

  mutating func end() {
    left = 0
  }

  /// Whether to wait for a full burst, since the next acknowledgement is due soon (as in Linux 6.18).
  func shouldWait(room: Int, window: Int, sinceSent: Int64, sinceHead: Int64, smoothed: Int64)
    -> Bool
  {
    room < size && sinceSent <= Self.recent && room * Self.divisor < window
      && smoothed - sinceHead <= min(smoothed >> 1, Self.recent)
  }
}
