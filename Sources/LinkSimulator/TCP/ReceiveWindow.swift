/// The receive window: it starts at 64 KiB and grows with received data.
///
/// Linux offers `rcv_ssthresh`, which grows by two segments for each arrival, up to the buffer's payload capacity. The
/// buffer grows to twice what the application read in the last round trip, plus twice that growth, plus data beyond
/// holes. Sources: tcp_input.c: `tcp_grow_window`, `tcp_rcv_space_adjust`, `tcp_rcvbuf_grow`; tcp_output.c:
/// `tcp_select_window`. Packets that wait in the buffer reduce the offer.
struct ReceiveWindow: Sendable {
  /// The window in a SYN: 64 KiB in whole segments without timestamps (`tcp_select_initial_window`).
  static let initial: Int64 = 64_240
  /// The window in a SYN-ACK: 45 full segments with timestamps, in bytes.
  static let accepted: Int64 = 45 * Int64(Packet.maximumPayload)
  /// The largest amount of data counted for one round trip.
  private static let maximum: Int64 = 16 << 20
  /// The largest receive buffer (`tcp_rmem[2]`).
  private static let maximumBuffer: Int64 = 32 << 20
  /// The unit of the window field, set by the window scale for that buffer (RFC 7323, section 2.2).
  private static let unit: Int64 = 1_024
  /// The initial receive buffer (`tcp_rmem[1]`).
  private static let initialBuffer: Int64 = 131_072
  /// The memory of a full packet: 2 KiB of data and the kernel's metadata (`skb->truesize`).
  private static let packetMemory: Int64 = 2_304
  /// The share of payload in the buffer, in 256ths (`scaling_ratio`).
  private static let payloadShare = Int64(Packet.maximumPayload) << 8 / packetMemory

  /// The window that the receiver offers, in bytes (`rcv_ssthresh`).
  private(set) var offered = Self.initial
  /// The receive buffer's size in bytes (`sk_rcvbuf`).
  private var buffer = Self.initialBuffer
  /// The longest segment received; starts at TCP_MIN_RCVMSS (`icsk_ack.rcv_mss`).
  private var longest: Int64 = 536
  /// The most bytes that the application has read in a round trip (`rcvq_space.space`).
  private var space = Int64(CongestionWindow.initial * Packet.maximumPayload)
  private var measuredFrom: Int64 = 0
  private var measuredAt: Int64 = 0
  /// The receiver's estimate of the round trip from echoed timestamps, in nanoseconds.
  private(set) var roundTrip: Int64 = 0
  private var latestEcho: Int64 = -1

  /// The payload bytes that the buffer can hold in addition to `held` packets (`tcp_space`).
  @inline(__always)
  private func room(beside held: Int) -> Int64 {
    (max(0, buffer - Int64(held) * Self.packetMemory) * Self.payloadShare) >> 8
  }

  /// Grows the window for a received segment while the buffer holds `held` packets; returns whether it grew.
  @inline(__always)
  mutating func grow(length: Int64, held: Int) -> Bool {
    guard length >= 128 else { return false }
    longest = max(longest, length)
    // After short segments only, the kernel assumes that overhead fills most of the buffer (`tcp_measure_rcv_mss`).
    let limit = room(beside: held) * longest / Int64(Packet.maximumPayload)
    guard offered < limit else { return false }
    offered = min(limit, offered + 2 * Int64(Packet.maximumPayload))
    return true
  }

  /// The window to announce; `current` is the unused part of the last announcement.
  ///
  /// It is a multiple of the unit, rounded up unless the buffer is half full, and never below `current`. `held` counts
  /// packets in the buffer.
  @inline(__always)
  func announced(held: Int, current: Int64) -> Int64 {
    let free = room(beside: held)
    var window = min(free, offered)
    if free >= room(beside: 0) >> 1 { window += Self.unit - 1 }
    window &= -Self.unit
    return window >= current ? window : (current + Self.unit - 1) & -Self.unit
  }

  mutating func begin(at now: Int64, offering: Int64) {
    offered = offering
    measuredAt = now
  }

  /// Processes a round trip from an echoed timestamp, in whole milliseconds (`tcp_rcv_rtt_measure_ts`).
  ///
  /// Only the first segment with a given echo counts, and a short one yields no sample.
  @inline(__always)
  mutating func sample(echo: Int64, isFull: Bool, now: Int64, clock: TickClock) {
    let echo = clock.milliseconds(at: echo)
    if echo == latestEcho { return }
    latestEcho = echo
    guard isFull else { return }
    let sample = max(1, clock.milliseconds(at: now) - echo) * 1_000_000
    roundTrip =
      roundTrip == 0 || sample < roundTrip ? sample : roundTrip - roundTrip >> 3 + sample >> 3
  }

  /// Records the echoed timestamp of a connection's first pure acknowledgement.
  ///
  /// It counts as a short segment, since only later ones match the kernel's expectation (`tcp_rcv_established`). So the
  /// first response yields no sample if its request was acknowledged separately.
  @inline(__always)
  mutating func noteFirst(echo: Int64, clock: TickClock) {
    if latestEcho < 0 { latestEcho = clock.milliseconds(at: echo) }
  }

  /// Adjusts the buffer after the application has read up to `read`.
  ///
  /// `queued` bytes, released by a filled hole, are still unread. The kernel measures after each copied packet and
  /// subtracts queued bytes. So a filled hole ends the measurement and counts in the next (`tcp_rcv_space_adjust` since
  /// Linux 6.16).
  @inline(__always)
  mutating func adjust(read: Int64, queued: Int64, span: Int64, now: Int64) {
    guard roundTrip > 0, now - measuredAt >= roundTrip else { return }
    remeasure(read: read, queued: queued, span: span, now: now)
  }

  private mutating func remeasure(read: Int64, queued: Int64, span: Int64, now: Int64) {
    let copied = read - measuredFrom - queued
    if copied > space {
      var wanted = min(copied, Self.maximum) << 1
      wanted += 2 * (wanted * min(copied - space, Self.maximum) / space)
      growBuffer(toOffer: wanted + span)
      space = copied
    }
    measuredFrom = read
    measuredAt = now
  }

  /// Grows the buffer for a segment that ends `span` bytes beyond the expected one (`tcp_data_queue_ofo`, Linux 6.16).
  mutating func reached(span: Int64) {
    growBuffer(toOffer: space << 1 + span)
  }

  private mutating func growBuffer(toOffer window: Int64) {
    buffer = max(buffer, min(window << 8 / Self.payloadShare, Self.maximumBuffer))
  }
}
