/// One of the packets of a datagram (RFC 9000, section 12.2).
struct QuicPart: Sendable {
  var level: QuicLevel
  var packet: Packet
  /// Whether an Initial packet has a token that shows where its client is, or is no packet but a server's Retry.
  var hasToken = false
  var isRetry = false
}

/// What an endpoint knows of the handshake (RFC 9001, section 4): the bytes of CRYPTO frames, and which keys it has.
struct QuicHandshake: Sendable {
  /// The client's hello, and its Finished (RFC 8446, section 4.4.4).
  static let clientHello: Int64 = 280
  static let finished: Int64 = 36
  /// ServerHello, in an Initial packet; EncryptedExtensions, CertificateVerify and Finished, beside the certificates: as over
  /// TCP, without records.
  static let serverHello: Int64 = 90
  static let serverRest: Int64 = 186
  /// What the ends send beside it of HTTP/3: the control stream with its settings, QPACK's two streams, and new connection
  /// IDs (RFC 9114, section 3.2; RFC 9204, section 4.2).
  static let clientSettings: Int64 = 110
  static let serverSettings: Int64 = 12
  /// HANDSHAKE_DONE, NEW_TOKEN and a session ticket (RFC 9001, section 4.1.2).
  static let confirmation: Int64 = 271
  /// What a long packet holds beside its bytes: a head with connection IDs, a tag, and the head of a frame.
  static let overhead: Int64 = 56
  /// What a server that resumes a session sends in Handshake packets, without certificates (RFC 8446, section 2.2): as curl
  /// and Caddy were seen to.
  static let resumed: Int64 = 100
  /// A Retry with its token (RFC 9000, section 17.2.5), as long as quic-go's.
  static let retry: Int64 = 140
  /// How many packets are kept for which there are no keys yet (quic-go, `MaxUndecryptablePackets`; RFC 9001, section 5.7).
  static let held = 32

  /// What has been reached, for which the path does something.
  enum Milestone {
    /// The server has the client's hello.
    case hello
    /// The client has all of the server's handshake.
    case flight
    /// The server has the client's Finished.
    case finished
  }

  /// The CRYPTO bytes that are written in Initial and Handshake packets, and that the other end is to send.
  var written: [Int64] = [0, 0]
  var expected: [Int64] = [0, 0]
  var receivers = [QuicReceiver(), QuicReceiver()]
  /// The highest levels that it has the keys of.
  var reads = QuicLevel.initial
  var writes = QuicLevel.initial
  var milestone: Milestone?
  /// How long it computes when it has a packet of the handshake.
  var computing: Int64 = 0
  /// Whether a server asks for a token, and has a Retry to send; whether a client has a token.
  var asksForToken = false
  var retryDue = false
  var hasToken = false
  /// The packets that came too early.
  var early: [QuicPart] = []
  /// The packets of each datagram of the handshake that was sent.
  var datagrams: [[QuicPart]] = []

  var canWrite: Bool { writes >= .handshake }
  var deadline: Int64 { min(receivers[0].deadline, receivers[1].deadline) }

  /// Keeps a packet that came too early.
  mutating func hold(_ part: QuicPart) {
    if early.count < Self.held { early.append(part) }
  }

  /// What waits to be acknowledged is acknowledged then, together.
  mutating func putOff(to time: Int64) {
    receivers[0].putOff(to: time)
    receivers[1].putOff(to: time)
  }

  mutating func timerFired(at now: Int64) {
    receivers[0].timerFired(at: now)
    receivers[1].timerFired(at: now)
  }
}

/// The handshake of an end: each step has packet numbers, acknowledgements and probes of its own.
extension QuicEnd {
  /// The server answers its client's hello.
  ///
  /// - Parameter bytes: how many bytes its Handshake packets carry; none where it refuses.
  mutating func answer(_ bytes: Int64) {
    handshake.written = [QuicHandshake.serverHello, bytes]
    (handshake.reads, handshake.writes) = (.handshake, .application)
  }

  /// Takes a packet of a datagram of the handshake.
  mutating func receive(_ part: QuicPart, at now: Int64) {
    let level = part.level
    if level == .application { return receive(part.packet, at: now) }
    guard level <= handshake.reads else { return handshake.hold(part) }
    guard level >= sender.oldest else { return }
    if part.isRetry {
      // The hello is sent again with the token, once (RFC 9000, section 17.2.5.2).
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
      // The client is where it says, and has the server's Initial packets (RFC 9000, section 8.1; RFC 9001, section 4.9.1).
      isValidated = true
      sender.discard(.initial, at: now)
    }
    sender.acknowledge(part.packet, level, at: now)
    let place = Int(level.rawValue)
    // Both ends acknowledge at once, but not before they have computed (RFC 9000, section 13.2.1).
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
      readHeld(upTo: .handshake, at: now)
      // ngtcp2 was seen to acknowledge these with the next ones only.
      handshake.receivers[1].hushes()
    case (true, _): handshake.milestone = .flight
    case (false, .initial): handshake.milestone = .hello
    case (false, _): handshake.milestone = .finished
    }
  }

  /// Takes what came before its keys.
  mutating func readHeld(upTo level: QuicLevel, at now: Int64) {
    handshake.reads = level
    var held: [QuicPart] = []
    swap(&held, &handshake.early)
    for part in held { receive(part, at: now) }
  }

  /// Whether a server has answered the hello.
  var hasAnswered: Bool { handshake.writes == .application }

  mutating func takeMilestone() -> QuicHandshake.Milestone? {
    defer { handshake.milestone = nil }
    return handshake.milestone
  }

  /// Makes a datagram while the handshake is under way: Initial, Handshake and 1-RTT packets share it (RFC 9000, section
  /// 12.2); whether anything in it is repeated, or nothing when none may leave.
  mutating func fillEarly(_ packet: inout Packet, written: Int64, at now: Int64) -> Bool? {
    if handshake.retryDue {
      // It says nothing but this, and is neither acknowledged nor repeated (RFC 9000, section 8.1.2).
      handshake.retryDue = false
      packet.size = Int32(QuicHandshake.retry)
      carry([QuicPart(level: .initial, packet: packet, isRetry: true)], in: &packet)
      return false
    }
    var parts: [QuicPart] = []
    var size: Int64 = 0
    var isRepeat = false
    let datagram = isClient ? QuicEnd.initialDatagram : sender.datagram
    let probed = sender.probes.due > 0 ? sender.probes.level : nil
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
    // RFC 9000, section 14.1: a client's Initial packets always, and a server's that ask.
    let padded = hasInitial && (isClient || asks) ? max(size, datagram) : size
    if padded > size, let last = parts.last { sender[last.level].pad(padded - size) }
    // RFC 9001, section 4.9.1.
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

  /// Makes an Initial or Handshake packet.
  private mutating func part(
    _ level: QuicLevel, room: Int64, like packet: Packet, isRepeat: inout Bool, at now: Int64
  ) -> QuicPart? {
    let place = Int(level.rawValue)
    let isProbe = sender.probes.due > 0
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
