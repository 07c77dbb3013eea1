/// One end of a QUIC connection (RFC 9000, RFC 9001): a sender, receivers, the handshake, and timers.
struct QuicEnd: Sendable {
  /// Header bytes of a datagram: IP (20) and UDP (8).
  static let headers: Int64 = 28
  /// The smallest payload of a datagram with an Initial packet (RFC 9000, section 14.1).
  static let initialDatagram: Int64 = 1_200
  /// Bytes that a packet adds to its data: short header, tag (16) and frame header.
  private static let shortOverhead: Int64 = 40
  /// Bytes of a packet with only an acknowledgement, including header and tag.
  private static let acknowledgement: Int64 = 42
  /// The idle timeout: how long an endpoint waits for a packet, in nanoseconds (quic-go: `DefaultIdleTimeout`).
  static let idleTimeout: Int64 = 30_000_000_000
  /// The anti-amplification factor before the client's address is validated: three (RFC 9000, section 8.1).
  private static let amplification: Int64 = 3
  /// A client with open requests sends a packet at least this often: half the idle timeout (RFC 9000, section 10.1.2).
  private static let keepAlive = idleTimeout / 2
  /// The data bytes in a full packet of the initial size.
  static let firstCapacity = QuicStack.serverDatagram - shortOverhead

  enum Phase: UInt8 {
    case idle
    case handshaking
    /// This end has completed the TLS handshake (RFC 9001, section 4.1.1).
    case established
    case closed
  }

  var isClient: Bool { sender.stack.isClient }
  var phase = Phase.idle
  var sender: QuicSender
  var receiver: QuicReceiver
  var handshake = QuicHandshake()
  /// The smallest datagram known to be too large, in bytes, and the next size to probe; `probe` is the one in flight.
  private var tooLarge: Int64
  private var nextSize: Int64?
  private var probe: (number: Int, size: Int64)?
  private var probedAt: Int64 = 0
  /// Whether a PATH_CHALLENGE is due; `challenge` is the packet number of the last one.
  private var challengeDue = false
  private var challenge: Int?
  /// When the last PATH_CHALLENGE was sent; `challengesFrom` is the earliest time for the next.
  private var challengedAt: Int64 = 0
  private var challengesFrom: Int64 = 0
  /// How many packets in a row came from a new address, and when the last of them arrived.
  private var moves: (count: Int, at: Int64) = (0, 0)
  /// Bytes received and sent (`paid`) before the client's address was validated.
  private var received: Int64 = 0
  private var paid: Int64 = 0
  var isValidated: Bool
  /// When the idle time began, and whether the next sent packet restarts it (RFC 9000, section 10.1).
  private var idleSince: Int64 = 0
  private var restartsIdle = true
  /// Whether this end sends PINGs to keep the connection open.
  var keepsAlive = false

  init(isClient: Bool, control: PathConfiguration.CongestionControl, clock: TickClock) {
    isValidated = isClient
    let stack: QuicStack = isClient ? .client : .server
    sender = QuicSender(control, stack: stack, clock: clock)
    tooLarge = stack.greatestDatagram
    nextSize = stack.probe(after: stack.datagram, below: tooLarge)
    receiver = QuicReceiver(isClient: isClient, acknowledgesFirst: stack.acknowledgesFirst)
  }

  /// Whether the handshake is confirmed, so that its keys are discarded (RFC 9001, section 4.1.2).
  @inline(__always)
  var isConfirmed: Bool { sender.oldest == .application }

  /// Whether the anti-amplification limit allows a packet; the last may exceed it (quic-go, `isAmplificationLimited`).
  @inline(__always)
  private var mayPay: Bool { isValidated || paid < Self.amplification * received }

  /// The data bytes in a full packet.
  @inline(__always)
  var capacity: Int64 { sender.datagram - Self.shortOverhead }

  mutating func begin(at now: Int64) {
    phase = .handshaking
    idleSince = now
    sender.begin(at: now)
  }

  mutating func establish(at now: Int64) {
    guard phase == .handshaking else { return }
    phase = .established
    isValidated = true
    probedAt = now
    handshake.writes = .application
    // Acknowledge pending handshake packets now.
    handshake.timerFired(at: .max - 1)
    sender.begin(at: now)
    readHeld(at: now)
  }

  mutating func close() {
    phase = .closed
  }

  // MARK: Packets

  /// Processes a datagram, except the packets of a handshake datagram.
  mutating func arrives(_ datagram: borrowing Packet, at now: Int64) {
    noteArrival(datagram, at: now)
    if datagram.kind == .datagram { receive(datagram, at: now) }
  }

  /// Processes a datagram's arrival: idle time, and limits before address validation.
  @inline(__always)
  mutating func noteArrival(_ datagram: borrowing Packet, at now: Int64) {
    if phase == .idle { begin(at: now) }
    (idleSince, restartsIdle) = (now, true)
    if moves.count > 0, moves.at < now { moves.count = 0 }
    guard !isValidated else { return }
    let wasLimited = !mayPay
    received += Int64(datagram.size) - Self.headers
    // A timer that expired while sending was blocked fires now (RFC 9002, appendix A.6).
    if wasLimited, mayPay {
      _ = sender.timerFired(isConfirmed: isConfirmed, canHandshake: handshake.canWrite, at: now)
    }
  }

  /// Processes a 1-RTT packet: first its acknowledgements, then its data.
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

  /// What a packet contains when it leaves.
  enum Departure {
    case nothing
    case packet
    /// A packet with data that was sent before.
    case repetition(Retransmission)
  }

  /// Fills the next datagram in place, if one may leave: lost data, new data, a probe, or an acknowledgement.
  mutating func nextPacket(_ packet: inout Packet, written: Int64, at now: Int64) -> Departure {
    guard phase == .handshaking || phase == .established, mayPay else { return .nothing }
    let isProbe = sender.probesDue > 0
    packet.stamp = now
    guard
      let isRepeat = isConfirmed
        ? fill(&packet, room: sender.datagram, written: written, at: now)
        : fillEarly(&packet, written: written, at: now)
    else {
      sender.rests(at: now)
      return .nothing
    }
    if !isValidated { paid += Int64(packet.size) }
    if packet.pushes || packet.kind == .handshake && packet.size >= Int32(Self.initialDatagram) {
      sender.departs(Int64(packet.size), at: now)
    }
    packet.size += Int32(Self.headers)
    if packet.pushes || packet.kind == .handshake, restartsIdle { (idleSince, restartsIdle) = (now, false) }
    return isRepeat ? .repetition(isProbe ? .probe : .fast) : .packet
  }

  /// Fills a 1-RTT packet of at most `room` bytes; returns whether it repeats data, `nil` when nothing may be sent.
  @inline(__always)
  mutating func fill(_ packet: inout Packet, room: Int64, isAlone: Bool = true, written: Int64, at now: Int64) -> Bool?
  {
    if sender.probesDue > 0 { sender.application.repeatOldest(forgets: !isClient) }
    // Both stacks check for a due path MTU probe before they send data.
    let larger =
      room < sender.datagram ? nil : challengeDue && now >= challengesFrom ? challengeSize : probeSize(at: now)
    let range = larger == nil ? sender.nextRange(written: written, capacity: room - Self.shortOverhead, at: now) : nil
    let asks = range != nil || larger != nil || sender.probesDue > 0 || receiver.mustOffer
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
      // A client's acknowledgements travel separately, and only when due (ngtcp2, `ngtcp2_acktr_create_ack_frame`).
      if isAlone { receiver.offer(in: &packet) }
    } else {
      receiver.acknowledge(in: &packet, at: now)
    }
    return sender.leaves(carried, .application, asks: asks, size: payload, at: now)
  }

  /// The size of a path MTU probe, if one is due (RFC 8899).
  @inline(__always)
  private mutating func probeSize(at now: Int64) -> Int64? {
    guard let size = nextSize, phase == .established, probe == nil, sender.roundTrip.hasSample,
      now - probedAt >= sender.stack.pause * sender.roundTrip.smoothed, sender.mayProbePath(at: now)
    else { return nil }
    return size
  }

  /// Processes the result of a path MTU probe: delivered, or lost because the packet is too large for the path.
  private mutating func settleProbe(_ settled: (number: Int, size: Int64)) {
    probe = nil
    if sender.application.hasLostProbe {
      tooLarge = settled.size
    } else {
      sender.resize(to: settled.size)
    }
    nextSize = sender.stack.probe(after: sender.datagram, below: tooLarge)
  }

  /// Requests a PATH_CHALLENGE.
  ///
  /// While each packet comes from a new address, the interval between challenges doubles. They are not sent more often
  /// than Initial packets would be (RFC 9000, section 8.2.1).
  mutating func challenges(at now: Int64) {
    challengeDue = true
    challengesFrom = now
    if moves.count > 0 {
      let wait = sender.roundTrip.probeTimeout(isConfirmed: false) << min(moves.count - 1, 20)
      challengesFrom = max(now, challengedAt.saturatingAdd(wait))
    }
    moves = (moves.count + 1, now)
  }

  /// The size of a PATH_CHALLENGE's datagram: 1,200 bytes, or less under the amplification limit (RFC 9000, 8.2.1).
  private var challengeSize: Int64 {
    isValidated
      ? Self.initialDatagram
      : max(Self.acknowledgement, min(Self.initialDatagram, Self.amplification * received - paid))
  }

  /// Validates the peer's address after its answer to a PATH_CHALLENGE.
  private mutating func validates() {
    challenge = nil
    isValidated = true
  }

  mutating func distrust() {
    isValidated = false
    (received, paid) = (0, 0)
  }

  /// Restarts the search for the path MTU, from the initial size.
  mutating func forgetProbes(at now: Int64) {
    (probe, tooLarge, probedAt) = (nil, sender.stack.greatestDatagram, now)
    nextSize = sender.stack.probe(after: sender.stack.datagram, below: tooLarge)
  }

  mutating func takeNews() -> Bool { receiver.takeNews() }

  /// How many bytes could be sent now beyond those already written.
  mutating func unmetQuota(written: Int64) -> Int64 { sender.unmetQuota(written: written, capacity: capacity) }

  // MARK: Timers

  /// When the idle timeout expires; it is at least three probe timeouts (RFC 9000, section 10.1).
  @inline(__always)
  private var idleEnd: Int64 {
    idleSince + max(Self.idleTimeout, 3 * sender.roundTrip.probeTimeout(isConfirmed: isConfirmed))
  }

  /// Whether this end may send a PING: only while no other packet awaits an acknowledgement.
  @inline(__always)
  private var mayPing: Bool { keepsAlive && phase == .established && isConfirmed && sender.application.inFlight == 0 }

  /// When the next timer expires, `.max` for none; mutating, so that no call copies the end.
  @inline(__always)
  mutating func nextDeadline() -> Int64 {
    guard phase == .handshaking || phase == .established else { return .max }
    return isConfirmed ? confirmedDeadline() : handshakeDeadline()
  }

  private mutating func handshakeDeadline() -> Int64 {
    var next = min(receiver.deadline, handshake.deadline)
    // A server at the amplification limit waits for its client (RFC 9002, section 6.2.2.1).
    if mayPay { next = min(next, sender.deadline(isConfirmed: false, canHandshake: handshake.canWrite)) }
    return min(next, idleEnd)
  }

  @inline(__always)
  private mutating func confirmedDeadline() -> Int64 {
    var next = min(receiver.deadline, idleEnd)
    if mayPay {
      next = min(next, sender.confirmedDeadline)
      if challengeDue { next = min(next, challengesFrom) }
    }
    if mayPing { next = min(next, sender.application.lastAsked + Self.keepAlive) }
    return next
  }

  /// Handles expired timers; returns whether the connection has timed out.
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
