/// The receiving half of a QUIC endpoint: which packets and bytes have arrived, when to say so, and how much may come.
struct QuicReceiver: Sendable {
  /// How many packets that ask for it are acknowledged together (RFC 9000, section 13.2.2).
  private static let together = 2
  /// The bytes that a server sends before its first response.
  static let opening = QuicHandshake.serverSettings + QuicHandshake.confirmation
  /// How many stretches of packet numbers are remembered (RFC 9000, section 13.2.3).
  private static let memory = 32

  /// The packets that have arrived, and the bytes.
  private(set) var packets = NumberRanges()
  private(set) var bytes = NumberRanges()
  /// Whether bytes have come since this was last asked.
  private var hasNews = false
  private var largest: Int64 = -1
  private var largestAt: Int64 = 0
  /// How many packets wait for an acknowledgement, and whether it is due at once.
  private var waiting = 0
  private(set) var mustAcknowledge = false
  /// When the acknowledgement is due that is put off; `.max` when none is.
  private(set) var deadline = Int64.max
  /// What the other end may send.
  var allowance: QuicAllowance
  /// Whether the other end is to learn that more may come.
  private(set) var mustOffer = false
  /// Whether it has heard more than what was said in the handshake.
  private var hasOffered: Bool
  /// Whether the next packet that asks for it is acknowledged at once, being the first.
  private var acknowledgesFirst: Bool

  init(isClient: Bool = true, acknowledgesFirst: Bool = false) {
    allowance = QuicAllowance(isClient: isClient)
    hasOffered = !isClient
    self.acknowledgesFirst = acknowledgesFirst
  }

  /// Takes a packet.
  ///
  /// - Parameters:
  ///   - delay: how long its acknowledgement may be put off.
  ///   - computing: during the handshake, how long the end computes before it acknowledges at once (RFC 9000, section 13.2.1).
  ///   - roundTrip: the smoothed round trip.
  mutating func receive(_ packet: borrowing Packet, at now: Int64, delay: Int64, computing: Int64?, roundTrip: Int64) {
    let number = Int64(packet.segment)
    let isInOrder = number == largest + 1
    guard packets.insert(number..<number + 1) else { return }
    packets.keep(last: Self.memory)
    if number > largest { (largest, largestAt) = (number, now) }
    if packet.length > 0 {
      let end = packet.end
      if bytes.insert(end - Int64(packet.length)..<end) {
        hasNews = true
        if allowance.arrived(upTo: bytes.end(from: 0), at: now, roundTrip: roundTrip)
          || (!hasOffered && end > Self.opening)
        {
          mustOffer = true
        }
      }
    }
    guard packet.pushes else { return }
    waiting += 1
    // One that is out of order is acknowledged at once, and so is the one that fills a hole (RFC 9000, section 13.2.1).
    if let computing {
      // What else comes at this instant is acknowledged with it.
      deadline = now.saturatingAdd(computing)
    } else if waiting >= Self.together || !isInOrder || acknowledgesFirst {
      mustAcknowledge = true
      acknowledgesFirst = false
    } else {
      deadline = min(deadline, now + delay)
    }
  }

  /// The application has read bytes of a stream.
  mutating func read(_ count: Int64, of stream: StreamHandle, isLast: Bool, at now: Int64, roundTrip: Int64) {
    if allowance.read(count, of: stream, isLast: isLast, at: now, roundTrip: roundTrip) { mustOffer = true }
  }

  /// The other end may open so many streams in all, and learns it at once or with what else is sent.
  mutating func allowStreams(_ count: Int, atOnce isUrgent: Bool) {
    allowance.allowStreams(count)
    if isUrgent { mustOffer = true }
  }

  /// Whether bytes have come since this was last asked.
  mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// An acknowledgement that waits, waits longer.
  mutating func putOff(to time: Int64) {
    if deadline < .max { deadline = max(deadline, time) }
  }

  mutating func timerFired(at now: Int64) {
    guard deadline <= now else { return }
    mustAcknowledge = true
    deadline = .max
  }

  /// Whether a packet has come at all.
  var hasHeard: Bool { largest >= 0 }

  /// Writes into a packet how many offers were made (RFC 9000, section 4).
  @inline(__always)
  mutating func offer(in packet: inout Packet) {
    // A client raises its first offer in the packet of its request, or once something has come (curl).
    if !hasOffered, packet.length == 0, !mustOffer { return }
    packet.windowEdge = allowance.made
    hasOffered = true
    if packet.pushes { mustOffer = false }
  }

  /// Nothing of what has come is to be acknowledged by itself.
  mutating func hushes() {
    mustAcknowledge = false
    deadline = .max
  }

  /// Writes an acknowledgement into a packet: the first stretch, and the newest three behind it.
  mutating func acknowledge(in packet: inout Packet, at now: Int64) {
    waiting = 0
    hushes()
    offer(in: &packet)
    guard hasHeard else { return }
    packet.echo = now - largestAt
    if packets.stretches.count == 1, packets.stretches[0].lowerBound == 0 {
      packet.acknowledged = Int(packets.stretches[0].upperBound)
      return
    }
    let stretches = packets.stretches
    var rest = stretches[...]
    if let first = rest.first, first.lowerBound == 0 {
      packet.acknowledged = Int(first.upperBound)
      rest.removeFirst()
    }
    for stretch in rest.suffix(3).reversed() {
      packet.blocks.append(SelectiveBlocks.Block(start: Int(stretch.lowerBound), end: Int(stretch.upperBound)))
    }
  }
}
