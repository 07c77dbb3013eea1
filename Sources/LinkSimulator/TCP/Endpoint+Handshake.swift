extension Endpoint {
  /// How many SYN retries follow at intervals of one second before the interval doubles (tcp_syn_linear_timeouts).
  private static let linearRetries = 4
  /// How many further SYN retries follow (tcp_syn_retries); `acceptRetries` limits SYN-ACKs (tcp_synack_retries).
  private static let synchroniseRetries = 6
  private static let acceptRetries = 5
  private static let second: Int64 = 1_000_000_000

  /// The client sends its SYN (RFC 9293, section 3.5).
  mutating func connect(at now: Int64, _ wire: inout Wire) {
    phase = .synchroniseSent
    sendSynchronise(.synchronise, at: now, &wire)
    sender.arm(.retransmission, after: Self.second, at: now)
  }

  /// Establishes the connection without a handshake, so without a measured round trip.
  mutating func stand(asClient: Bool, at now: Int64) {
    phase = .established
    let windows = [ReceiveWindow.initial, ReceiveWindow.accepted]
    receiver.begin(timestamp: now, at: now, offering: windows[asClient ? 0 : 1])
    sender.begin(at: now, roundTrip: -1, windowEdge: windows[asClient ? 1 : 0], isCongested: false)
  }

  mutating func listen() {
    phase = .listening
  }

  /// Closes the endpoint without a packet; from now on it answers data with a reset.
  mutating func close() {
    phase = .closed
    sender.deadline = .max
    sender.abandon()
    receiver.pacing = AcknowledgementPacing()
  }

  mutating func sendReset(at now: Int64, _ wire: inout Wire) {
    // A reset carries no options.
    hand(Packet(kind: .reset, owner: owner, flow: flow, size: 40), at: now, &wire)
  }

  /// Handles a handshake packet, or any packet before the handshake is complete.
  mutating func receiveSynchronising(_ packet: borrowing Packet, at now: Int64, _ wire: inout Wire)
    -> Outcome
  {
    switch (phase, packet.kind) {
    case (.listening, .synchronise), (.synchroniseReceived, .synchronise):
      if phase == .synchroniseReceived {
        // A repeated SYN is answered again, but at most every 0.5 s (`tcp_check_req`, `tcp_oow_rate_limited`).
        if now - repeatAnsweredAt < Self.answerPause { return .nothing }
        repeatAnsweredAt = now
      } else {
        // All SYN-ACKs echo the first SYN: after a lost SYN-ACK the client measures from its first SYN.
        peerTimestamp = packet.stamp
      }
      phase = .synchroniseReceived
      sendSynchronise(.synchroniseAcknowledge, at: now, &wire)
      sender.arm(.retransmission, after: acceptTimeout, at: now)
      return .nothing
    case (.synchroniseReceived, .segment):
      establish(packet, at: now)
      return .established
    case (.synchroniseSent, .synchroniseAcknowledge):
      establish(packet, at: now)
      sendAcknowledgement(at: now, &wire)
      return .established
    case (.established, .synchroniseAcknowledge):
      // The server has not received the handshake's acknowledgement.
      sendAcknowledgement(at: now, &wire)
      return .nothing
    case (.closed, .segment) where packet.length > 0, (.closed, .synchroniseAcknowledge),
      (.listening, .segment):
      sendReset(at: now, &wire)
      return .nothing
    case (.synchroniseSent, .reset), (.established, .reset):
      return .reset
    default:
      return .nothing
    }
  }

  private mutating func establish(_ packet: borrowing Packet, at now: Int64) {
    let echo = packet.echo
    let isCongested = synchronises > 2 && synchroniseTimeouts > 0 && echo != firstSynchroniseAt
    phase = .established
    sender.deadline = .max
    let (own, other) =
      packet.kind == .synchroniseAcknowledge
      ? (ReceiveWindow.initial, ReceiveWindow.accepted)
      : (ReceiveWindow.accepted, ReceiveWindow.initial)
    receiver.begin(timestamp: packet.stamp, at: now, offering: own)
    sender.begin(
      at: now, roundTrip: echo >= 0 ? now - echo : -1, windowEdge: other, isCongested: isCongested)
  }

  private var acceptTimeout: Int64 { Self.second << Int64(min(synchroniseTimeouts, 6)) }

  private mutating func sendSynchronise(_ kind: Packet.Kind, at now: Int64, _ wire: inout Wire) {
    var packet = Packet(kind: kind, owner: owner, flow: flow, size: Int32(Packet.synchroniseSize))
    packet.stamp = now
    packet.echo = peerTimestamp
    if synchronises == 0 { firstSynchroniseAt = now }
    if synchronises > 0 {
      counters.retransmissions += 1
      wire.note(.retransmitted(.timeout), of: owner)
    }
    synchronises += 1
    hand(packet, at: now, &wire)
  }

  /// Handles an expired handshake timer: sends again, or gives up.
  mutating func synchroniseTimerFired(at now: Int64, _ wire: inout Wire) -> Outcome {
    if phase == .synchroniseReceived {
      guard synchroniseTimeouts < Self.acceptRetries else {
        phase = .listening
        sender.deadline = .max
        return .nothing
      }
      synchroniseTimeouts += 1
      sendSynchronise(.synchroniseAcknowledge, at: now, &wire)
      sender.arm(.retransmission, after: acceptTimeout, at: now)
      return .nothing
    }
    let retries = synchroniseTimeouts
    guard retries < Self.linearRetries + Self.synchroniseRetries else {
      sender.deadline = .max
      return .timedOut
    }
    synchroniseTimeouts += 1
    wire.note(.stalled, of: owner)
    sendSynchronise(.synchronise, at: now, &wire)
    let doublings = max(0, retries + 1 - Self.linearRetries)
    sender.arm(.retransmission, after: Self.second << Int64(doublings), at: now)
    return .nothing
  }
}

extension Sender {
  /// Stops a closed endpoint's sender: it sends nothing more and waits for nothing.
  mutating func abandon() {
    discardUnsent()
    resumesAt = .max
    board = Scoreboard()
    rack = Rack()
  }
}
