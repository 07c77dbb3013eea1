/// How much a receiver offers to take: from 64 KiB, growing with what arrives.
///
/// Linux offers `rcv_ssthresh`, which grows by two segments for each that arrives, up to what the receive buffer holds
/// beside its overhead; and the buffer grows to hold twice what the application read in the last round trip and twice
/// that growth again, and what lies beyond holes (net/ipv4/tcp_input.c: `tcp_grow_window`, `tcp_rcv_space_adjust`,
/// `tcp_rcvbuf_grow`; net/ipv4/tcp_output.c: `tcp_select_window`). Packets that wait in the buffer, beyond a hole or for
/// the application, leave less of it to offer.
struct ReceiveWindow: Sendable {
  /// The offer of a SYN: 64 KiB in whole segments, as they are without timestamps (`tcp_select_initial_window`).
  static let initial: Int64 = 64_240
  /// The offer of a SYN-ACK, when timestamps have been agreed on.
  static let accepted: Int64 = 45 * Int64(Packet.maximumPayload)
  /// The greatest amount that is looked at for one round trip.
  private static let maximum: Int64 = 16 << 20
  /// The greatest buffer (`tcp_rmem[2]`).
  private static let maximumBuffer: Int64 = 32 << 20
  /// The unit in which that buffer makes the header count windows (RFC 7323, section 2.2).
  private static let unit: Int64 = 1_024
  /// The initial buffer (`tcp_rmem[1]`).
  private static let initialBuffer: Int64 = 131_072
  /// The memory that a full packet occupies: 2 KiB of data and the kernel's record of it (`skb->truesize`).
  private static let packetMemory: Int64 = 2_304
  /// How much of the buffer is payload, in 256ths (`scaling_ratio`).
  private static let payloadShare = Int64(Packet.maximumPayload) << 8 / packetMemory

  /// How many bytes the receiver offers (`rcv_ssthresh`).
  private(set) var offered = Self.initial
  /// The size of the receive buffer (`sk_rcvbuf`).
  private var buffer = Self.initialBuffer
  /// The longest segment so far, from the least that every host takes (TCP_MIN_RCVMSS; `icsk_ack.rcv_mss`).
  private var longest: Int64 = 536
  /// The most that the application has read in a round trip (`rcvq_space.space`).
  private var space = Int64(CongestionWindow.initial * Packet.maximumPayload)
  private var measuredFrom: Int64 = 0
  private var measuredAt: Int64 = 0
  /// The receiver's own estimate of the round trip, from echoed timestamps.
  private(set) var roundTrip: Int64 = 0
  private var latestEcho: Int64 = -1

  /// The bytes that the buffer can hold beside `held` packets (`tcp_space`).
  @inline(__always)
  private func room(beside held: Int) -> Int64 {
    (max(0, buffer - Int64(held) * Self.packetMemory) * Self.payloadShare) >> 8
  }

  /// Takes a segment of data while the buffer holds so many packets; `true` when the window grew.
  @inline(__always)
  mutating func grow(length: Int64, held: Int) -> Bool {
    guard length >= 128 else { return false }
    longest = max(longest, length)
    // As long as segments are short, the kernel takes them to waste the most of the buffer (`tcp_measure_rcv_mss`).
    let limit = room(beside: held) * longest / Int64(Packet.maximumPayload)
    guard offered < limit else { return false }
    offered = min(limit, offered + 2 * Int64(Packet.maximumPayload))
    return true
  }

  /// The window to announce, where `current` bytes were announced and not used, and the buffer holds so many packets.
  ///
  /// In whole units, rounded up unless the buffer is half full, and never less than before.
  @inline(__always)
  func announced(held: Int, current: Int64) -> Int64 {
    let free = room(beside: held)
    var window = min(free, offered)
    if free >= room(beside: 0) >> 1 { window += Self.unit - 1 }
    window &= -Self.unit
    return window >= current ? window : (current + Self.unit - 1) & -Self.unit
  }

  /// The connection stands.
  mutating func begin(at now: Int64, offering: Int64) {
    offered = offering
    measuredAt = now
  }

  /// Takes a round trip measured from an echoed timestamp, in whole milliseconds (`tcp_rcv_rtt_measure_ts`).
  ///
  /// The first segment with a timestamp measures for all that bear the same one, and measures nothing when it is short.
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

  /// Takes the timestamp of an acknowledgement without data: the first one counts as a short segment, since only later
  /// ones are as the kernel expects them (`tcp_rcv_established`).
  ///
  /// So the first answer to a request measures nothing, where the request was acknowledged before.
  @inline(__always)
  mutating func noteFirst(echo: Int64, clock: TickClock) {
    if latestEcho < 0 { latestEcho = clock.milliseconds(at: echo) }
  }

  /// The application has read up to `read`, and `queued` bytes wait behind: those that a filled hole has released.
  ///
  /// The kernel measures after each packet that is copied, and takes away what is still in the queue, so a filled hole
  /// ends the measurement and counts in the next one (`tcp_rcv_space_adjust` since Linux 6.16).
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

  /// A segment beyond a hole reaches `span` bytes beyond what is expected (`tcp_data_queue_ofo` since Linux 6.16).
  mutating func reached(span: Int64) {
    growBuffer(toOffer: space << 1 + span)
  }

  private mutating func growBuffer(toOffer window: Int64) {
    buffer = max(buffer, min(window << 8 / Self.payloadShare, Self.maximumBuffer))
  }
}
