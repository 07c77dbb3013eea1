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
  private var window: QuicWindow
  /// Whether the other end is to learn that more may come.
  private(set) var mustOffer = false
  /// Whether it has heard more than what was said in the handshake.
  private var hasOffered: Bool
  /// Whether the next packet that asks for it is acknowledged at once, being the first.
  private var acknowledgesFirst: Bool

  init(isClient: Bool = true, acknowledgesFirst: Bool = false) {
    window = QuicWindow(isClient: isClient)
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
        if window.arrived(upTo: bytes.end(from: 0), at: now, roundTrip: roundTrip)
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

  /// Writes into a packet how much may come (RFC 9000, section 4.1).
  @inline(__always)
  mutating func offer(in packet: inout Packet) {
    // A client raises its first offer in the packet of its request, or once something has come (curl).
    if !hasOffered, packet.length == 0, !mustOffer { return }
    packet.windowEdge = window.edge
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

/// How many bytes in all a receiver lets come (RFC 9000, section 4.1), growing where it would hold a sender up.
struct QuicWindow: Sendable {
  /// The first offer of a server, for a connection, and the greatest (quic-go, `internal/protocol/params.go`).
  static let initial: Int64 = 786_432
  private static let greatest: Int64 = 15 << 20
  /// What a client offers for a response: in the handshake (curl, `H3_STREAM_WINDOW_SIZE_INITIAL`), and then
  /// (`H3_STREAM_WINDOW_SIZE_MAX`); and after how many bytes anew: a quarter of the first (ngtcp2,
  /// `conn_should_send_max_stream_data`).
  static let first: Int64 = 32_768
  private static let generous: Int64 = 10 << 20
  private static let step: Int64 = 8_192

  private(set) var edge: Int64
  private var size: Int64
  private let isClient: Bool
  private var epochStart: Int64 = 0
  private var epochOffset: Int64 = 0

  init(isClient: Bool) {
    self.isClient = isClient
    size = isClient ? Self.generous : Self.initial
    edge = size
  }

  /// Bytes have arrived in order up to here, and were read; whether there is a new offer.
  ///
  /// A server's is renewed once a quarter of it is used, and doubled where that took less than four round trips for the whole
  /// (quic-go, `internal/flowcontrol/base_flow_controller.go`).
  mutating func arrived(upTo read: Int64, at now: Int64, roundTrip: Int64) -> Bool {
    if isClient {
      guard edge - read < size - Self.step else { return false }
      edge = read + size
      return true
    }
    guard edge - read <= size * 3 / 4 else { return false }
    let share = read - epochOffset
    if share > size / 2, roundTrip > 0 {
      let expected = 4 * roundTrip * share / size
      if now - epochStart < expected { size = min(2 * size, Self.greatest) }
      epochStart = now
      epochOffset = read
    }
    edge = read + size
    return true
  }
}
