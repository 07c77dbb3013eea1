/// One end of a TCP connection: a sender, a receiver, and the handshake.
struct Endpoint: Sendable {
  /// The state of an endpoint (RFC 9293, section 3.3.2, without the closing states).
  enum Phase: UInt8 {
    case idle
    case listening
    case synchroniseSent
    case synchroniseReceived
    case established
    case closed
  }

  enum Outcome {
    case nothing
    case established
    case reset
    case timedOut
  }

  var sender: Sender
  var receiver = Receiver()
  var phase = Phase.idle
  /// The connection's index; `flow` is the number of its random source.
  var owner: Int32
  var flow: Int32
  /// The packets and bytes sent since the counters were last reset.
  var counters = StreamStatistics.Counters()
  /// How many received bytes the application has read.
  private(set) var read: Int64 = 0
  /// How many SYNs or SYN-ACKs this end has sent; `synchroniseTimeouts` counts those sent after a timeout.
  var synchronises = 0
  var synchroniseTimeouts = 0
  var firstSynchroniseAt: Int64 = 0
  /// When the endpoint last answered a repeated SYN or an outdated acknowledgement.
  var repeatAnsweredAt = -Int64.max / 2
  var peerTimestamp: Int64 = -1

  /// The least time between answers to invalid packets without data, in nanoseconds (tcp_invalid_ratelimit).
  static let answerPause: Int64 = 500_000_000

  init(owner: Int32, flow: Int32, control: PathConfiguration.CongestionControl, clock: TickClock) {
    self.owner = owner
    self.flow = flow
    sender = Sender(control, clock: clock)
  }

  /// When the endpoint's next timer expires; `.max` for none.
  var deadline: Int64 { min(min(sender.deadline, sender.resumesAt), receiver.pacing.deadline) }

  /// Processes a segment: first its acknowledgement, then its data; then retransmits lost segments.
  @inline(__always)
  mutating func receive(_ packet: borrowing Packet, at now: Int64, _ wire: inout Wire) {
    if receiver.mayRefuse(packet) {
      if refuses(packet, at: now, &wire) { return }
    }
    let repair = sender.acknowledge(packet, at: now)
    if packet.length > 0 {
      receiver.receive(packet, at: now, timeout: sender.estimator.timeout, clock: sender.clock)
    } else {
      receiver.receiveAcknowledgement(packet, clock: sender.clock)
    }
    switch repair {
    case .nothing:
      break
    case .lostSegments:
      retransmitLost(at: now, &wire)
    case .newSegments:
      transmit(at: now, &wire)
      if sender.board.next <= sender.high {
        sender.suspectsSpuriousTimeout = false
        retransmitLost(at: now, &wire)
      }
    }
  }

  /// Rejects an outdated packet and answers it with an acknowledgement; returns whether it did.
  ///
  /// Outdated are data that was already acknowledged, and timestamps older than the one being echoed
  /// (`tcp_validate_incoming`, `tcp_send_dupack`). So an overtaken packet is lost, with all its SACK blocks, once a
  /// later one has arrived.
  private mutating func refuses(_ packet: borrowing Packet, at now: Int64, _ wire: inout Wire)
    -> Bool
  {
    let age =
      sender.clock.milliseconds(at: receiver.timestamp)
      - sender.clock.milliseconds(at: packet.stamp)
    if packet.length == 0 {
      // A repeated acknowledgement may be late (`tcp_disordered_ack_check`).
      if age <= 1 { return false }
      if sender.isRepeated(packet), age * 1_000_000 <= sender.estimator.timeout * 6 / 5 {
        return false
      }
      // At most two answers to acknowledgements a second, to keep two ends from answering each other for ever.
      if now - repeatAnsweredAt < Self.answerPause { return true }
      repeatAnsweredAt = now
    } else {
      if age <= 1, !receiver.isOld(packet) { return false }
      receiver.refuse(packet)
    }
    sendAcknowledgement(at: now, &wire)
    return true
  }

  /// How many bytes have arrived in order; `nil` if unchanged since the last call.
  @inline(__always)
  mutating func takeArrived() -> Int64? {
    guard receiver.bytes > read else { return nil }
    read = receiver.bytes
    return read
  }

  /// Marks the received bytes as unread, so that the application reads them later.
  mutating func putOffReading() { read = 0 }

  /// Sends written data as windows allow, and with `acknowledging` then an acknowledgement that is due.
  @inline(__always)
  mutating func transmit(acknowledging: Bool = false, at now: Int64, _ wire: inout Wire) {
    if sender.written > sender.sent, phase == .established, sender.takeWritten() {
      transmitWritten(at: now, &wire)
    }
    if acknowledging { acknowledgeIfDue(at: now, &wire) }
  }

  @inline(__always)
  private mutating func transmitWritten(at now: Int64, _ wire: inout Wire) {
    sender.segmentSize = Int64(Packet.maximumPayload - receiver.optionSize)
    repeat {
      var sentAny = false
      while let number = sender.nextSegment(at: now) {
        emit(number, nil, at: now, &wire)
        sentAny = true
      }
      sender.sendingEnded(sentAny: sentAny, at: now)
    } while sender.refill()
  }

  @inline(__always)
  private mutating func acknowledgeIfDue(at now: Int64, _ wire: inout Wire) {
    if receiver.mustAcknowledge(
      at: now, timeout: sender.estimator.timeout, smoothed: sender.estimator.smoothed,
      clock: sender.clock)
    {
      sendAcknowledgement(at: now, &wire)
    }
  }

  mutating func sendAcknowledgement(at now: Int64, _ wire: inout Wire) {
    var packet = Packet(kind: .segment, owner: owner, flow: flow, size: Int32(Packet.headerSize))
    packet.segment = sender.board.next
    packet.stamp = now
    receiver.stamp(&packet)
    hand(packet, at: now, &wire)
  }

  /// Continues paced retransmissions when their time has come; returns whether new segments may follow.
  mutating func resume(at now: Int64, _ wire: inout Wire) -> Bool {
    guard sender.resumesAt <= now else { return false }
    sender.resumesAt = .max
    retransmitLost(at: now, &wire)
    return true
  }

  mutating func timerFired(at now: Int64, _ wire: inout Wire) -> Outcome {
    if receiver.pacing.deadline <= now, phase == .established,
      receiver.pacing.timerFired(at: now, timeout: sender.estimator.timeout)
    {
      sendAcknowledgement(at: now, &wire)
    }
    guard sender.deadline <= now else { return .nothing }
    switch phase {
    case .synchroniseSent, .synchroniseReceived:
      return synchroniseTimerFired(at: now, &wire)
    case .established:
      return senderTimerFired(at: now, &wire)
    default:
      sender.deadline = .max
      return .nothing
    }
  }

  private mutating func senderTimerFired(at now: Int64, _ wire: inout Wire) -> Outcome {
    switch sender.timerFired(at: now) {
    case .nothing:
      break
    case .giveUp:
      return .timedOut
    case .retransmit(let number):
      wire.note(.stalled, of: owner)
      emit(number, .timeout, at: now, &wire)
      sender.backOff(at: now)
    case .probe(let number):
      emit(number, .probe, at: now, &wire)
      sender.probeSent(at: now)
    case .probeNew:
      if let number = sender.nextSegment(at: now, ignoringWindow: true) {
        emit(number, nil, at: now, &wire)
      }
      sender.probeSent(at: now)
    case .repair:
      retransmitLost(at: now, &wire)
    }
    return .nothing
  }

  private mutating func retransmitLost(at now: Int64, _ wire: inout Wire) {
    while let number = sender.nextLost(at: now) { emit(number, .fast, at: now, &wire) }
  }

  /// Sends a segment; `cause` is `nil` for a first transmission.
  @inline(__always)
  private mutating func emit(
    _ number: Int, _ cause: Retransmission?, at now: Int64, _ wire: inout Wire
  ) {
    var joined: Int16 = 0
    if let cause {
      joined = sender.join(to: number)
      sender.resent(number, at: now, isProbe: cause == .probe)
      counters.retransmissions += 1
      wire.note(.retransmitted(cause), of: owner)
    }
    let segment = sender.board[number]
    var packet = Packet(
      kind: .segment, owner: owner, flow: flow,
      size: Int32(Packet.headerSize) + Int32(segment.length))
    packet.length = Int32(segment.length)
    packet.pushes = segment.flags & (cause == nil ? SentSegment.pushing : SentSegment.pushes) != 0
    packet.segment = number
    packet.end = segment.end
    packet.stamp = now
    receiver.pacing.dataSent(at: now)
    receiver.stamp(&packet)
    packet.blocks.joined = joined
    hand(packet, at: now, &wire)
  }

  /// Hands a packet to the link, and counts it.
  @inline(__always)
  mutating func hand(_ packet: borrowing Packet, at now: Int64, _ wire: inout Wire) {
    counters.packets += 1
    counters.bytes += Int64(packet.size)
    if wire.tape != nil { wire.recordSent(packet, by: sender, synchronises: synchronises, at: now) }
    wire.send(packet, at: now)
  }
}
