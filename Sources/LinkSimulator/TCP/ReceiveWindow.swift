/// How much a receiver offers to take: from 64 KiB, growing with what arrives.
///
/// Linux offers `rcv_ssthresh`, which grows by two segments for each that arrives, up to what the receive buffer holds
/// beside its overhead; and the buffer grows to hold twice what the application read in the last round trip and twice
/// that growth again (net/ipv4/tcp_input.c: `tcp_grow_window`, `tcp_rcv_space_adjust`, `tcp_rcvbuf_grow`).
struct ReceiveWindow: Sendable {
  /// What SYN and SYN-ACK offer: 64 KiB in whole segments.
  static let initial: Int64 = 64_240
  /// The greatest window: half of `tcp_rmem`'s 32 MiB.
  private static let maximum: Int64 = 16 << 20
  /// The initial buffer (`tcp_rmem[1]`).
  private static let initialBuffer: Int64 = 131_072
  /// What a full packet occupies: 2 KiB of data and the kernel's record of it (`skb->truesize`).
  private static let packetMemory: Int64 = 2_304
  /// How much of the buffer is payload, in 256ths (`scaling_ratio`).
  private static let payloadShare = Int64(Packet.maximumPayload) << 8 / packetMemory

  /// How many bytes the receiver offers (`rcv_ssthresh`): half the initial buffer less a segment in reserve.
  private(set) var offered = Self.initialBuffer / 2 - Int64(Packet.maximumPayload)
  /// The most that it may offer: what the buffer holds beside the packet that is being read (`tcp_space`).
  private var clamp = (Self.initialBuffer - Self.packetMemory) * Self.payloadShare / 256
  /// What the application read in a round trip, at most (`rcvq_space.space`).
  private var space = Int64(CongestionWindow.initial * Packet.maximumPayload)
  private var measuredFrom: Int64 = 0
  private var measuredAt: Int64 = 0
  /// The receiver's own estimate of the round trip, from echoed timestamps.
  private(set) var roundTrip: Int64 = 0
  private var latestEcho: Int64 = -1

  /// Takes a segment of data; `true` when the window grew.
  @inline(__always)
  mutating func grow(length: Int64) -> Bool {
    guard length >= 128, offered < clamp else { return false }
    offered = min(clamp, offered + 2 * Int64(Packet.maximumPayload))
    return true
  }

  /// The connection stands.
  mutating func begin(at now: Int64) {
    measuredAt = now
  }

  /// Takes a round trip measured from an echoed timestamp, in whole milliseconds (`tcp_rcv_rtt_measure_ts`).
  @inline(__always)
  mutating func sample(echo: Int64, now: Int64, clock: TickClock) {
    let echo = clock.milliseconds(at: echo)
    if echo == latestEcho { return }
    latestEcho = echo
    let sample = max(1, clock.milliseconds(at: now) - echo) * 1_000_000
    roundTrip = roundTrip == 0 || sample < roundTrip ? sample : roundTrip - roundTrip >> 3 + sample >> 3
  }

  /// The application has read up to `read`, and `queued` bytes wait behind: those that a filled hole has released.
  ///
  /// The kernel measures after each packet that is copied, and takes away what is still in the queue, so a filled hole
  /// ends the measurement and counts in the next one (`tcp_rcv_space_adjust` since Linux 6.16).
  @inline(__always)
  mutating func adjust(read: Int64, queued: Int64, now: Int64) {
    guard roundTrip > 0, now - measuredAt >= roundTrip else { return }
    remeasure(read: read, queued: queued, now: now)
  }

  private mutating func remeasure(read: Int64, queued: Int64, now: Int64) {
    let copied = read - measuredFrom - queued
    if copied > space {
      var wanted = min(copied, Self.maximum) << 1
      wanted += 2 * (wanted * min(copied - space, Self.maximum) / space)
      clamp = max(clamp, min(wanted, Self.maximum))
      space = copied
    }
    measuredFrom = read
    measuredAt = now
  }
}
