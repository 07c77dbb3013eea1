/// One end of a QUIC connection (RFC 9000, RFC 9001): a sender, a receiver, and how they come up.
///
/// The packets of the handshake share one space of numbers with all others here, and are acknowledged at once. What decides
/// the times is kept: the padding of first packets, the threefold limit before a client's address is known to be its own, and
/// how many packets the certificates take.
struct QuicEnd: Sendable {
  /// IP (20) and UDP (8).
  static let headers: Int64 = 28
  /// The least payload of a datagram with an Initial packet (RFC 9000, section 14.1).
  static let initialDatagram: Int64 = 1_200
  /// What a datagram of the handshake holds beside CRYPTO frames: long heads with connection IDs, and tags.
  private static let longOverhead: Int64 = 90
  /// What others hold beside their bytes: a short head, the tag (16), and the head of a STREAM frame.
  private static let shortOverhead: Int64 = 40
  /// An acknowledgement alone, with its head and tag.
  private static let acknowledgement: Int64 = 40
  /// For how long an endpoint waits without a packet (quic-go: `DefaultIdleTimeout`).
  static let idleTimeout: Int64 = 30_000_000_000
  /// How many times what an address has sent it is sent, until it is known to be the client's own (RFC 9000, section 8.1).
  private static let amplification: Int64 = 3
  /// How long a client with open requests is silent at most; half of the idle timeout (RFC 9000, section 10.1.2).
  private static let keepAlive = idleTimeout / 2

  /// The client's hello, and its Finished (RFC 8446, section 4.4.4).
  static let clientHello: Int64 = 280
  static let finished: Int64 = 36
  /// ServerHello, EncryptedExtensions, CertificateVerify and Finished, beside the certificates: as over TCP, without records.
  static let serverFlight: Int64 = 276
  /// What the ends send beside it of HTTP/3: the control stream with its settings, QPACK's two streams, and new connection
  /// IDs (RFC 9114, section 3.2; RFC 9204, section 4.2).
  static let clientSettings: Int64 = 110
  static let serverSettings: Int64 = 12
  /// HANDSHAKE_DONE, NEW_TOKEN and a session ticket (RFC 9001, section 4.1.2).
  static let confirmation: Int64 = 260
  /// The bytes that a full packet carries at first.
  static let firstCapacity = QuicStack.server.datagram - shortOverhead

  enum Phase: UInt8 {
    case idle
    case handshaking
    case established
    case closed
  }

  let isClient: Bool
  private(set) var phase = Phase.idle
  var sender: QuicSender
  private(set) var receiver = QuicReceiver()
  /// The payload of a full datagram.
  private var datagram: Int64
  private let stack: QuicStack
  /// Which of the stack's probes of larger datagrams is next, the one that is out, and when the last was sent.
  private var nextProbe = 0
  private var probe: (number: Int, size: Int64)?
  private var probedAt: Int64 = 0
  /// Bytes received and sent before the client's address is known to be its own.
  private var received: Int64 = 0
  private var paid: Int64 = 0
  private var isValidated: Bool
  /// Whether the client has Initial packets still to acknowledge.
  private var pads: Bool
  /// When the idle time began, and whether the next packet that is sent restarts it (RFC 9000, section 10.1).
  private var idleSince: Int64 = 0
  private var restartsIdle = true
  /// Whether it asks from time to time whether the other end is there.
  var keepsAlive = false
  /// How long it computes when it has a packet of the handshake.
  var computing: Int64 = 0

  init(isClient: Bool, control: PathConfiguration.CongestionControl, clock: TickClock) {
    self.isClient = isClient
    isValidated = isClient
    pads = isClient
    stack = isClient ? .client : .server
    datagram = stack.datagram
    sender = QuicSender(control, stack: stack, clock: clock)
  }

  /// Whether the other end may put acknowledgements off.
  private var isConfirmed: Bool { phase == .established }
  /// Whether a client must keep asking (RFC 9002, section 6.2.2.1).
  private var mustProbe: Bool { isClient && phase == .handshaking }

  /// Whether a packet may be sent to an address that is perhaps not the client's: quic-go looks before each, so that the last
  /// may go beyond the limit (`isAmplificationLimited`).
  private var mayPay: Bool { isValidated || paid < Self.amplification * received }

  /// The bytes that a full packet carries.
  @inline(__always)
  var capacity: Int64 {
    phase == .established ? datagram - Self.shortOverhead : datagram - Self.longOverhead
  }

  mutating func begin(at now: Int64) {
    phase = .handshaking
    idleSince = now
    sender.begin(at: now)
  }

  /// The handshake is done.
  mutating func establish(at now: Int64) {
    guard phase != .established else { return }
    phase = .established
    isValidated = true
    probedAt = now
    sender.begin(at: now)
  }

  mutating func close() {
    phase = .closed
  }

  // MARK: Packets

  /// Takes a packet: what it acknowledges, then what it carries.
  mutating func receive(_ packet: borrowing Packet, at now: Int64) {
    guard phase != .closed else { return }
    if phase == .idle { begin(at: now) }
    (idleSince, restartsIdle) = (now, true)
    received += Int64(packet.size) - Self.headers
    // A client that answers has shown that it is where it says (RFC 9000, section 8.1).
    if !isClient, packet.echo >= 0 { isValidated = true }
    sender.acknowledge(packet, isConfirmed: isConfirmed, at: now)
    if let probe, !sender.isOut(probe.number) { settleProbe(probe) }
    let smoothed = sender.roundTrip.smoothed
    receiver.receive(
      packet, at: now, delay: min(QuicRoundTrip.greatestDelay, max(smoothed / 8, QuicRoundTrip.granularity)),
      computing: isConfirmed ? nil : computing, roundTrip: sender.roundTrip.measured)
  }

  /// The next packet to send, if one may leave: what was lost, new bytes, a probe, an acknowledgement alone.
  ///
  /// - Parameter written: how many bytes the application has handed over.
  mutating func nextPacket(
    written: Int64, owner: Int32, flow: Int32, at now: Int64
  ) -> (packet: Packet, again: Retransmission?)? {
    guard phase == .handshaking || phase == .established else { return nil }
    guard mayPay else { return nil }
    let capacity = capacity
    let isProbe = sender.probesDue > 0
    if isProbe { sender.repeatOldest() }
    let range = sender.nextRange(written: written, capacity: capacity, datagram: datagram, at: now)
    var asks = range != nil || sender.probesDue > 0
    let larger = asks ? nil : probeSize(at: now)
    if larger != nil { asks = true }
    guard asks || receiver.mustAcknowledge else { return nil }
    let carried = range ?? sender.sent..<sender.sent
    let count = carried.upperBound - carried.lowerBound
    var payload = asks ? count + (datagram - capacity) : Self.acknowledgement
    if pads || (!isClient && phase == .handshaking && paid == 0) { payload = max(payload, Self.initialDatagram) }
    if let larger {
      payload = larger
      probe = (sender.next, larger)
      probedAt = now
    }
    if isClient, receiver.hasHeard { pads = false }
    var packet = Packet(kind: .datagram, owner: owner, flow: flow, size: Int32(payload + Self.headers))
    packet.pushes = asks
    if asks, restartsIdle { (idleSince, restartsIdle) = (now, false) }
    packet.segment = sender.next
    packet.length = Int32(count)
    packet.end = carried.upperBound
    packet.stamp = now
    receiver.acknowledge(in: &packet, at: now)
    paid += payload
    let isRepeat = sender.leaves(carried, asks: asks, size: payload, datagram: datagram, at: now)
    return (packet, isRepeat ? (isProbe ? .probe : .fast) : nil)
  }

  /// The size of a probe of the path that is due (RFC 8899), once no data may leave.
  private func probeSize(at now: Int64) -> Int64? {
    guard phase == .established, probe == nil, nextProbe < stack.probes.count, sender.roundTrip.hasSample,
      now - probedAt >= stack.pause * sender.roundTrip.smoothed
    else { return nil }
    return stack.probes[nextProbe]
  }

  /// A probe has arrived, or was lost by chance, as links here take all sizes: the next follows.
  private mutating func settleProbe(_ settled: (number: Int, size: Int64)) {
    probe = nil
    nextProbe += 1
    sender.resize(from: datagram, to: settled.size)
    datagram = settled.size
  }

  /// Whether bytes have come since this was last asked.
  mutating func takeNews() -> Bool { receiver.takeNews() }

  // MARK: Timers

  /// When nothing was heard for too long: at least three probe timeouts (RFC 9000, section 10.1).
  @inline(__always)
  private var idleEnd: Int64 {
    idleSince + max(Self.idleTimeout, 3 * sender.roundTrip.probeTimeout(isConfirmed: isConfirmed))
  }

  /// Whether it may ask if the other end is there: only while nothing else is asked.
  private var mayPing: Bool { keepsAlive && phase == .established && sender.inFlight == 0 }

  /// When a timer runs out; `.max` when none does.
  @inline(__always)
  var deadline: Int64 {
    guard phase == .handshaking || phase == .established else { return .max }
    var next = min(sender.deadline(isConfirmed: isConfirmed, mustProbe: mustProbe), receiver.deadline)
    // A server that may send no more waits for its client (RFC 9002, section 6.2.2.1).
    if !mayPay { next = receiver.deadline }
    if mayPing { next = min(next, sender.lastAsked + Self.keepAlive) }
    return min(next, idleEnd)
  }

  /// Timers have run out; whether the connection is over.
  mutating func timerFired(at now: Int64) -> Bool {
    if now >= idleEnd { return true }
    receiver.timerFired(at: now)
    if !sender.timerFired(isConfirmed: isConfirmed, mustProbe: mustProbe, at: now), mayPing,
      sender.lastAsked + Self.keepAlive <= now
    {
      sender.ping()
    }
    return false
  }
}
