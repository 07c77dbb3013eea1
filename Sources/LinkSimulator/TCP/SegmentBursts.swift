/// How segments leave in bursts: the kernel makes packets of several segments, which the device cuts (GSO).
///
/// A burst is about a millisecond's worth, at least two segments and at most half the window; the last segment of one
/// carries PSH, which a receiver acknowledges as soon as it is read. When less than a burst may be sent and the last
/// one went a moment ago, the sender waits for the next acknowledgement instead (net/ipv4/tcp_output.c:
/// `tcp_tso_autosize`, `tcp_cwnd_test`, `tcp_tso_should_defer`, `__tcp_transmit_skb`).
struct SegmentBursts: Sendable {
  /// The least size of a burst (tcp_min_tso_segs).
  private static let least = 2
  /// The greatest packet (GSO_LEGACY_MAX_SIZE less the headers).
  private static let greatestBytes: Int64 = 65_215
  /// A sender does not wait when it sent longer ago or must wait longer.
  private static let recent: Int64 = 1_000_000
  /// A third of the window is enough to send at once (tcp_tso_win_divisor).
  private static let divisor = 3

  /// The size of a burst in segments.
  private(set) var size = Self.least
  /// How many segments of the present burst are still to be sent.
  private(set) var left = 0
  private var length = 0

  /// Takes the rate at which the window empties in a round trip (`tcp_update_pacing_rate`).
  @inline(__always)
  mutating func update(
    window: Int, threshold: Int, packetsOut: Int, smoothed: Int64, minimumRoundTrip: Int64
  ) {
    // Twice the window in slow start, 1.2 times later, each round trip; a burst is what that is in 2^-10 s.
    let segments =
      Int64(max(window, packetsOut)) * (window < threshold >> 1 ? 10 : 6) * 1_000_000_000
    size = Self.least
    guard smoothed > 0 else { return }
    let isNear = minimumRoundTrip < 32 * 512_000
    if segments < 5 * 1024 * 3 * smoothed, !isNear { return }
    var bytes = segments * Int64(Packet.maximumPayload) / (5 * 1024 * smoothed)
    // The nearer the other side, the larger the burst (tcp_tso_rtt_log).
    if isNear { bytes += Self.greatestBytes >> (minimumRoundTrip / 512_000) }
    size = max(Self.least, Int(min(bytes, Self.greatestBytes)) / Packet.maximumPayload)
  }

  /// Takes the size that pacing gives.
  @inline(__always)
  mutating func update(size: Int) {
    self.size = size
  }

  /// Begins a burst of at most this many segments.
  @inline(__always)
  mutating func begin(window: Int, inFlight: Int, unsent: Int64) {
    let segments = min(max(window >> 1, 1), window - inFlight, size)
    let whole = (unsent + Int64(Packet.maximumPayload) - 1) / Int64(Packet.maximumPayload)
    left = Int(min(Int64(segments), whole))
    length = left
  }

  /// A segment was sent; `true` when it ends a burst of several.
  mutating func advance() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return left == 0 && length > 1
  }

  /// No more can be sent now.
  mutating func end() {
    left = 0
  }

  /// Whether to wait for more room: only when the next acknowledgement is due soon (in the form of Linux 6.18).
  func shouldWait(room: Int, window: Int, sinceSent: Int64, sinceHead: Int64, smoothed: Int64)
    -> Bool
  {
    room < size && sinceSent <= Self.recent && room * Self.divisor < window
      && smoothed - sinceHead <= min(smoothed >> 1, Self.recent)
  }
}
