/// One QUIC packet in a datagram, which may hold several (RFC 9000, section 12.2).
struct QuicPart: Sendable {
  var level: QuicLevel
  var packet: Packet
  /// Whether an Initial packet carries an address token; `isRetry` marks a server's Retry instead.
  var hasToken = false
  var isRetry = false
}

/// An endpoint's state of the handshake (RFC 9001, section 4): CRYPTO bytes and available keys.
struct QuicHandshake: Sendable {
  /// Bytes of the ClientHello; `finished` is the client's Finished (RFC 8446, section 4.4.4).
  static let clientHello: Int64 = 280
  static let finished: Int64 = 36
  /// Bytes of the ServerHello, in an Initial packet; `serverRest` follows in Handshake packets.
  ///
  /// Handshake packets carry EncryptedExtensions, CertificateVerify and Finished, without certificates. Sizes are as
  /// over TCP, without records.
  static let serverHello: Int64 = 90
  static let serverRest: Int64 = 186
  /// The bytes that the client sends to set up HTTP/3; `serverSettings` are the server's.
  ///
  /// They carry the control stream with its settings, QPACK's two streams, and new connection IDs (RFC 9114, section
  /// 3.2; RFC 9204, section 4.2).
  static let clientSettings: Int64 = 110
  static let serverSettings: Int64 = 12
  /// Bytes of HANDSHAKE_DONE, NEW_TOKEN and a session ticket (RFC 9001, section 4.1.2).
  static let confirmation: Int64 = 271
  /// Bytes that a long-header packet adds to its data: header with connection IDs, tag, and frame header.
  static let overhead: Int64 = 56
  /// Bytes of a resuming server's Handshake packets, without certificates (RFC 8446, 2.2), as with curl and Caddy.
  static let resumed: Int64 = 100
  /// Bytes of a Retry with its token (RFC 9000, section 17.2.5), as in quic-go.
  static let retry: Int64 = 140
  /// How many received packets may wait for their keys (quic-go, `MaxUndecryptablePackets`; RFC 9001, section 5.7).
  static let held = 32

  /// A step of the handshake to which the path reacts.
  enum Milestone {
    /// The server has received the ClientHello.
    case hello
    /// The client has received the server's whole handshake.
    case flight
    /// The server has received the client's Finished.
    case finished
  }

  /// The CRYPTO bytes written for Initial and Handshake packets; `expected` counts those of the peer.
  var written: [Int64] = [0, 0]
  var expected: [Int64] = [0, 0]
  var receivers = [QuicReceiver(), QuicReceiver()]
  /// The highest level for which this end has keys to read; `writes` is the same for sending.
  var reads = QuicLevel.initial
  var writes = QuicLevel.initial
  var milestone: Milestone?
  /// How long this end computes after a handshake packet, in nanoseconds.
  var computing: Int64 = 0
  /// Whether a server asks for tokens, whether its Retry is due, and whether a client has a token.
  var asksForToken = false
  var retryDue = false
  var hasToken = false
  /// Received packets whose keys are not available yet.
  var early: [QuicPart] = []
  /// The packets in each handshake datagram that was sent.
  var datagrams: [[QuicPart]] = []

  var canWrite: Bool { writes >= .handshake }
  var deadline: Int64 { min(receivers[0].deadline, receivers[1].deadline) }

  /// Keeps a packet until its keys are available, up to a limit.
  mutating func hold(_ part: QuicPart) {
    if early.count < Self.held { early.append(part) }
  }

  /// Delays all pending acknowledgements to one time.
  mutating func putOff(to time: Int64) {
    receivers[0].putOff(to: time)
    receivers[1].putOff(to: time)
  }

  mutating func timerFired(at now: Int64) {
    receivers[0].timerFired(at: now)
    receivers[1].timerFired(at: now)
  }
}

/// The handshake of a QUIC endpoint; each level has its own packet numbers, acknowledgements and probes.
extension QuicEnd {
  /// The server answers the ClientHello with this many bytes of Handshake packets; 0 refuses the handshake.
  mutating func answer(_ bytes: Int64) {
    handshake.written = [QuicHandshake.serverHello, bytes]
    (handshake.reads, handshake.writes) = (.handshake, .application)
  }

  mutating func receive(_ part: QuicPart, at now: Int64) {
    let level = part.level
    if level == .application { return receive(part.packet, at: now) }
    guard level <= handshake.reads else { return handshake.hold(part) }
    guard level >= sender.oldest else { return }
    if part.isRetry {
      // After a Retry the hello is sent again once, with the token (RFC 9000, section 17.2.5.2).
      guard !handshake.hasToken else { return }
      handshake.hasToken = true
      return sender[.initial].forgetAll()
    }
    if !isClient, level == .initial {
      if part.hasToken {
        isValidated = true
      } else if handshake.asksForToken {
        handshake.retryDue = true
        return
      }
    }
    if !isClient, level == .handshake {
      // A Handshake packet proves the client's address and its receipt of the Initial packets (RFC 9000, section 8.1;
      // RFC 9001, section 4.9.1).
      isValidated = true
      sender.discard(.initial, at: now)
    }
    sender.acknowledge(part.packet, level, at: now)
    let place = Int(level.rawValue)
    // Both ends acknowledge at once, but only after their computing time (RFC 9000, section 13.2.1).
    let computing = isClient || level == .initial ? handshake.computing : 0
    handshake.receivers[place].receive(part.packet, at: now, delay: 0, computing: computing, roundTrip: 0)
    if computing > 0 {
      handshake.putOff(to: now.saturatingAdd(computing))
    } else if !isClient {
      handshake.timerFired(at: now)
    }
    guard handshake.receivers[place].takeNews(), handshake.expected[place] > 0,
      handshake.receivers[place].bytes.end(from: 0) >= handshake.expected[place]
    else { return }
    handshake.expected[place] = 0
    switch (isClient, level) {
    case (true, .initial):
      (handshake.reads, handshake.writes) = (.handshake, .handshake)
      readHeld(at: now)
      // ngtcp2 was observed to acknowledge these early Handshake packets only together with later ones.
      handshake.receivers[1].cancelDelayedAcknowledgement()
    case (true, _): handshake.milestone = .flight
    case (false, .initial): handshake.milestone = .hello
    case (false, _): handshake.milestone = .finished
    }
  }

  /// Processes packets that arrived before their keys.
  mutating func readHeld(at now: Int64) {
    var held: [QuicPart] = []
    swap(&held, &handshake.early)
    for part in held { receive(part, at: now) }
  }

  var hasAnswered: Bool { handshake.writes == .application }

  mutating func takeMilestone() -> QuicHandshake.Milestone? {
    defer { handshake.milestone = nil }
    return handshake.milestone
  }

  /// Builds a datagram during the handshake, from Initial, Handshake and 1-RTT packets (RFC 9000, section 12.2).
  ///
  /// Returns whether any packet repeats data; `nil` when nothing may be sent.
  mutating func fillEarly(_ packet: inout Packet, written: Int64, at now: Int64) -> Bool? {
    if handshake.retryDue {
      // A Retry travels alone, and is neither acknowledged nor retransmitted (RFC 9000, section 8.1.2).
      handshake.retryDue = false
      packet.size = Int32(QuicHandshake.retry)
      carry([QuicPart(level: .initial, packet: packet, isRetry: true)], in: &packet)
      return false
    }
    var parts: [QuicPart] = []
    var size: Int64 = 0
    var isRepeat = false
    let datagram = isClient ? QuicEnd.initialDatagram : sender.datagram
    let probed = sender.probesDue > 0 ? sender.probeLevel : nil
    for level in [QuicLevel.initial, .handshake] where level >= sender.oldest && level <= handshake.writes {
      if let probed, probed != level { continue }
      let room = datagram - size - QuicHandshake.overhead
      guard room > 0, let part = part(level, room: room, like: packet, isRepeat: &isRepeat, at: now) else { continue }
      parts.append(part)
      size += Int64(part.packet.size)
    }
    let hasInitial = parts.first?.level == .initial
    let asks = parts.contains { $0.packet.pushes }
    if handshake.writes == .application, probed == nil || probed == .application {
      var part = packet
      let room = parts.isEmpty ? sender.datagram : datagram - size
      if room > Self.initialDatagram / 16,
        let again = fill(&part, room: room, isAlone: parts.isEmpty, written: written, at: now)
      {
        isRepeat = isRepeat || again
        parts.append(QuicPart(level: .application, packet: part))
        size += Int64(part.size)
      }
    }
    guard !parts.isEmpty else { return nil }
    // Padding (RFC 9000, section 14.1): each datagram with a client's Initial packet, or with a server's ack-eliciting
    // one.
    let padded = hasInitial && (isClient || asks) ? max(size, datagram) : size
    if padded > size, let last = parts.last { sender[last.level].pad(padded - size) }
    // The client discards its Initial keys when it sends a Handshake packet (RFC 9001, section 4.9.1).
    if isClient, parts.contains(where: { $0.level == .handshake }) { sender.discard(.initial, at: now) }
    packet = parts[0].packet
    guard parts[0].level < .application else { return isRepeat }
    packet.size = Int32(padded)
    carry(parts, in: &packet)
    return isRepeat
  }

  private mutating func carry(_ parts: [QuicPart], in packet: inout Packet) {
    packet.kind = .handshake
    packet.stamp = Int64(handshake.datagrams.count)
    handshake.datagrams.append(parts)
  }

  /// Builds an Initial or Handshake packet with at most `room` bytes; `nil` when there is nothing to send.
  private mutating func part(
    _ level: QuicLevel, room: Int64, like packet: Packet, isRepeat: inout Bool, at now: Int64
  ) -> QuicPart? {
    let place = Int(level.rawValue)
    let isProbe = sender.probesDue > 0
    if isProbe { sender[level].repeatOldest(forgets: !isClient) }
    let range = sender.nextCrypto(level, written: handshake.written[place], capacity: room, at: now)
    let asks = range != nil || isProbe
    guard asks || handshake.receivers[place].mustAcknowledge else { return nil }
    let carried = range ?? sender[level].sent..<sender[level].sent
    var part = packet
    part.pushes = asks
    part.segment = sender[level].next
    part.length = Int32(carried.upperBound - carried.lowerBound)
    part.end = carried.upperBound
    part.size = part.length + Int32(QuicHandshake.overhead)
    handshake.receivers[place].acknowledge(in: &part, at: now)
    part.windowEdge = 0
    if sender.leaves(carried, level, asks: asks, size: Int64(part.size), at: now) { isRepeat = true }
    return QuicPart(level: level, packet: part, hasToken: handshake.hasToken)
  }
}
