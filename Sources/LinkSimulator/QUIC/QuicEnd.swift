/// One end of a QUIC connection (RFC 9000, RFC 9001): a sender, receivers, and when it may send and asks.
struct QuicEnd: Sendable {
  /// IP (20) and UDP (8).
  static let headers: Int64 = 28
  /// The least payload of a datagram with an Initial packet (RFC 9000, section 14.1).
  static let initialDatagram: Int64 = 1_200
  /// What a packet holds beside its bytes: its head, the tag (16), and the head of a frame.
  private static let shortOverhead: Int64 = 40
  /// An acknowledgement alone, with its head and tag.
  private static let acknowledgement: Int64 = 42
  /// For how long an endpoint waits without a packet (quic-go: `DefaultIdleTimeout`).
  static let idleTimeout: Int64 = 30_000_000_000
  /// How many times what an address has sent it is sent, until it is known to be the client's own (RFC 9000, section 8.1).
  private static let amplification: Int64 = 3
  /// How long a client with open requests is silent at most; half of the idle timeout (RFC 9000, section 10.1.2).
  private static let keepAlive = idleTimeout / 2
  /// The bytes that a full packet carries at first.
  static let firstCapacity = QuicStack.server.datagram - shortOverhead

  enum Phase: UInt8 {
    case idle
    case handshaking
    /// The TLS handshake is complete at this end (RFC 9001, section 4.1.1).
    case established
    case closed
  }

  var isClient: Bool { sender.stack.isClient }
  var phase = Phase.idle
  var sender: QuicSender
  var receiver: QuicReceiver
  var handshake = QuicHandshake()
  /// The least datagram that is known to be too large, the probe of one that is out, and when the last was sent.
  private var tooLarge: Int64
  private var probe: (number: Int, size: Int64)?
  private var probedAt: Int64 = 0
  /// Whether a PATH_CHALLENGE is to be sent, and the number of the packet that had the last one.
  private var challengeDue = false
  private var challenge: Int?
  /// When the last one was sent, and when the next may be.
  private var challengedAt: Int64 = 0
  private var challengesFrom: Int64 = 0
  /// How many packets in a row came from another address than the one before, and when the last of them came.
  private var moves: (count: Int, at: Int64) = (0, 0)
  /// Bytes received and sent before the client's address is known to be its own.
  private var received: Int64 = 0
  private var paid: Int64 = 0
  var isValidated: Bool
  /// When the idle time began, and whether the next packet that is sent restarts it (RFC 9000, section 10.1).
  private var idleSince: Int64 = 0
  private var restartsIdle = true
  /// Whether it asks from time to time whether the other end is there.
  var keepsAlive = false

  init(isClient: Bool, control: PathConfiguration.CongestionControl, clock: TickClock) {
    isValidated = isClient
    let stack: QuicStack = isClient ? .client : .server
    sender = QuicSender(control, stack: stack, clock: clock)
    tooLarge = stack.greatestDatagram
    receiver = QuicReceiver(isClient: isClient, acknowledgesFirst: stack.acknowledgesFirst)
  }

  /// Whether the handshake is confirmed (RFC 9001, section 4.1.2), after which its keys are discarded.
  @inline(__always)
  var isConfirmed: Bool { sender.oldest == .application }

  /// Whether a packet may be sent to an address that is perhaps not the client's: quic-go looks before each, so that the last
  /// may go beyond the limit (`isAmplificationLimited`).
  private var mayPay: Bool { isValidated || paid < Self.amplification * received }

  /// The bytes that a full packet carries.
  @inline(__always)
  var capacity: Int64 { sender.datagram - Self.shortOverhead }

  mutating func begin(at now: Int64) {
    phase = .handshaking
    idleSince = now
    sender.begin(at: now)
  }

  /// The TLS handshake is complete.
  mutating func establish(at now: Int64) {
    guard phase == .handshaking else { return }
    phase = .established
    isValidated = true
    probedAt = now
    handshake.writes = .application
    // What waits to be acknowledged is acknowledged now.
    handshake.timerFired(at: .max - 1)
    sender.begin(at: now)
    readHeld(upTo: .application, at: now)
  }

  mutating func close() {
    phase = .closed
  }

  // MARK: Packets

  /// Notes that a datagram has come.
  @inline(__always)
  mutating func hears(_ datagram: borrowing Packet, at now: Int64) {
    if phase == .idle { begin(at: now) }
    (idleSince, restartsIdle) = (now, true)
    if moves.count > 0, moves.at < now { moves.count = 0 }
    guard !isValidated else { return }
    let wasLimited = !mayPay
    received += Int64(datagram.size) - Self.headers
    // A timer that ran out while nothing could be sent comes now (RFC 9002, appendix A.6).
    if wasLimited, mayPay {
      _ = sender.timerFired(isConfirmed: isConfirmed, canHandshake: handshake.canWrite, at: now)
    }
  }

  /// Takes a packet of the application: what it acknowledges, then what it carries.
  mutating func receive(_ packet: borrowing Packet, at now: Int64) {
    guard phase == .established else {
      if phase != .closed { handshake.hold(QuicPart(level: .application, packet: copy packet)) }
      return
    }
    sender.acknowledge(packet, .application, at: now)
    if let probe, !sender.application.isOut(probe.number) { settleProbe(probe) }
    if let challenge, sender.application.largestAcknowledged >= challenge { validates() }
    receiver.receive(
      packet, at: now, delay: sender.acknowledgementDelay, computing: nil, roundTrip: sender.roundTrip.measured)
  }

  /// The next datagram to send, if one may leave: what was lost, new bytes, a probe, an acknowledgement alone.
  ///
  /// - Parameter written: how many bytes the application has handed over.
  mutating func nextPacket(
    written: Int64, owner: Int32, flow: Int32, at now: Int64
  ) -> (packet: Packet, again: Retransmission?)? {
    guard phase == .handshaking || phase == .established, mayPay else { return nil }
    let isProbe = sender.probes.due > 0
    var packet = Packet(kind: .datagram, owner: owner, flow: flow, size: 0)
    packet.stamp = now
    guard
      let isRepeat = isConfirmed
        ? fill(&packet, room: sender.datagram, written: written, at: now)
        : fillEarly(&packet, written: written, at: now)
    else {
      sender.rests(at: now)
      return nil
    }
    if !isValidated { paid += Int64(packet.size) }
    if packet.pushes || packet.kind == .handshake && packet.size >= Int32(Self.initialDatagram) {
      sender.departs(Int64(packet.size), at: now)
    }
    packet.size += Int32(Self.headers)
    if packet.pushes || packet.kind == .handshake, restartsIdle { (idleSince, restartsIdle) = (now, false) }
    return (packet, isRepeat ? (isProbe ? .probe : .fast) : nil)
  }

  /// Makes a packet of the application with at most so many bytes; whether it repeats some, or nothing when none may leave.
  @inline(__always)
  mutating func fill(_ packet: inout Packet, room: Int64, isAlone: Bool = true, written: Int64, at now: Int64) -> Bool?
  {
    if sender.probes.due > 0 { sender.application.repeatOldest(forgets: !isClient) }
    // Both stacks look whether a larger datagram is to be tried before they send data.
    let larger =
      room < sender.datagram ? nil : challengeDue && now >= challengesFrom ? challengeSize : probeSize(at: now)
    let range = larger == nil ? sender.nextRange(written: written, capacity: room - Self.shortOverhead, at: now) : nil
    let asks = range != nil || larger != nil || sender.probes.due > 0 || receiver.mustOffer
    guard asks || receiver.mustAcknowledge else { return nil }
    let carried = range ?? sender.sent..<sender.sent
    let count = carried.upperBound - carried.lowerBound
    let payload = larger ?? (count > 0 ? count + Self.shortOverhead : Self.acknowledgement)
    if challengeDue, now >= challengesFrom, larger != nil {
      (challengeDue, challenge, challengedAt) = (false, sender.application.next, now)
    } else if let larger {
      probe = (sender.application.next, larger)
      sender.application.hasLostProbe = false
      probedAt = now
    }
    packet.size = Int32(payload)
    packet.pushes = asks
    packet.segment = sender.application.next
    packet.length = Int32(count)
    packet.end = carried.upperBound
    if isClient, !receiver.mustAcknowledge {
      // A client has its acknowledgements leave alone, until they are due (ngtcp2, `ngtcp2_acktr_create_ack_frame`).
      if isAlone { receiver.offer(in: &packet) }
    } else {
      receiver.acknowledge(in: &packet, at: now)
    }
    return sender.leaves(carried, .application, asks: asks, size: payload, at: now)
  }

  /// The size of a probe of the path that is due (RFC 8899).
  private mutating func probeSize(at now: Int64) -> Int64? {
    guard phase == .established, probe == nil, sender.roundTrip.hasSample,
      now - probedAt >= sender.stack.pause * sender.roundTrip.smoothed,
      let size = sender.stack.probe(after: sender.datagram, below: tooLarge), sender.mayProbePath(at: now)
    else { return nil }
    return size
  }

  /// A probe has arrived, or was lost, which is taken for the path's doing.
  private mutating func settleProbe(_ settled: (number: Int, size: Int64)) {
    probe = nil
    if sender.application.hasLostProbe {
      tooLarge = settled.size
    } else {
      sender.resize(to: settled.size)
    }
  }

  /// The path is asked whether the other end is there.
  ///
  /// That happens no more often than an Initial packet would be sent (RFC 9000, section 8.2.1): where each packet comes from
  /// another address, twice as late each time.
  mutating func challenges(at now: Int64) {
    challengeDue = true
    challengesFrom = now
    if moves.count > 0 {
      let wait = sender.roundTrip.probeTimeout(isConfirmed: false) << min(moves.count - 1, 20)
      challengesFrom = max(now, challengedAt.saturatingAdd(wait))
    }
    moves = (moves.count + 1, now)
  }

  /// A full datagram, if it may be so large (RFC 9000, section 8.2.1).
  private var challengeSize: Int64 {
    isValidated
      ? Self.initialDatagram
      : max(Self.acknowledgement, min(Self.initialDatagram, Self.amplification * received - paid))
  }

  /// The other end has answered, as it does at once.
  private mutating func validates() {
    challenge = nil
    isValidated = true
  }

  /// The client's address is not known to be its own.
  mutating func distrust() {
    isValidated = false
    (received, paid) = (0, 0)
  }

  /// What is known of how large datagrams may be does not count any more.
  mutating func forgetProbes(at now: Int64) {
    (probe, tooLarge, probedAt) = (nil, sender.stack.greatestDatagram, now)
  }

  /// Whether bytes have come since this was last asked.
  mutating func takeNews() -> Bool { receiver.takeNews() }

  /// How many bytes could be sent now beyond what the application has handed over.
  mutating func unmetQuota(written: Int64) -> Int64 { sender.unmetQuota(written: written, capacity: capacity) }

  // MARK: Timers

  /// When nothing was heard for too long: at least three probe timeouts (RFC 9000, section 10.1).
  @inline(__always)
  private var idleEnd: Int64 {
    idleSince + max(Self.idleTimeout, 3 * sender.roundTrip.probeTimeout(isConfirmed: isConfirmed))
  }

  /// Whether it may ask if the other end is there: only while nothing else is asked.
  private var mayPing: Bool { keepsAlive && phase == .established && isConfirmed && sender.application.inFlight == 0 }

  /// When a timer runs out; `.max` when none does.
  @inline(__always)
  mutating func nextDeadline() -> Int64 {
    guard phase == .handshaking || phase == .established else { return .max }
    var next = receiver.deadline
    if !isConfirmed { next = min(next, handshake.deadline) }
    // A server that may send no more waits for its client (RFC 9002, section 6.2.2.1).
    if mayPay { next = min(next, sender.deadline(isConfirmed: isConfirmed, canHandshake: handshake.canWrite)) }
    if mayPing { next = min(next, sender.application.lastAsked + Self.keepAlive) }
    if challengeDue, isConfirmed, mayPay { next = min(next, challengesFrom) }
    return min(next, idleEnd)
  }

  /// Timers have run out; whether the connection is over.
  mutating func timerFired(at now: Int64) -> Bool {
    if now >= idleEnd { return true }
    receiver.timerFired(at: now)
    handshake.timerFired(at: now)
    guard mayPay else { return false }
    if !sender.timerFired(isConfirmed: isConfirmed, canHandshake: handshake.canWrite, at: now), mayPing,
      sender.application.lastAsked + Self.keepAlive <= now
    {
      sender.ping()
    }
    return false
  }
}
