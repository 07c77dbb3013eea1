/// The receiving half of a QUIC endpoint: which packets and bytes have arrived, when to say so, and how much may come.
struct QuicReceiver: Sendable {
  /// How many packets that ask for it are acknowledged together (RFC 9000, section 13.2.2).
  private static let together = 2
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
  private var window = QuicWindow()

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
        window.arrived(upTo: bytes.end(from: 0), at: now, roundTrip: roundTrip)
      }
    }
    guard packet.pushes else { return }
    waiting += 1
    // One that is out of order is acknowledged at once, and so is the one that fills a hole (RFC 9000, section 13.2.1).
    if let computing {
      mustAcknowledge = computing == 0
      deadline = computing == 0 ? .max : now.saturatingAdd(computing)
    } else if waiting >= Self.together || !isInOrder {
      mustAcknowledge = true
    } else {
      deadline = min(deadline, now + delay)
    }
  }

  /// Whether bytes have come since this was last asked.
  mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  mutating func timerFired(at now: Int64) {
    guard deadline <= now else { return }
    mustAcknowledge = true
    deadline = .max
  }

  /// Whether a packet has come at all.
  var hasHeard: Bool { largest >= 0 }

  /// Writes an acknowledgement into a packet: the first stretch, and the newest three behind it.
  mutating func acknowledge(in packet: inout Packet, at now: Int64) {
    waiting = 0
    mustAcknowledge = false
    deadline = .max
    packet.windowEdge = window.edge
    guard hasHeard else { return }
    packet.echo = now - largestAt
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

/// How many bytes in all a receiver lets come over a connection (RFC 9000, section 4.1), growing where it would hold a
/// sender up.
///
/// The offer is renewed once a quarter of it is used, and doubled where that took less than four round trips for the whole
/// (quic-go, `internal/flowcontrol/base_flow_controller.go`).
struct QuicWindow: Sendable {
  /// The first offer of a connection, and the greatest (quic-go, `internal/protocol/params.go`).
  static let initial: Int64 = 786_432
  private static let greatest: Int64 = 15 << 20

  private(set) var edge = Self.initial
  private var size = Self.initial
  private var epochStart: Int64 = 0
  private var epochOffset: Int64 = 0

  /// Bytes have arrived in order up to here, and were read.
  mutating func arrived(upTo read: Int64, at now: Int64, roundTrip: Int64) {
    guard edge - read <= size * 3 / 4 else { return }
    let share = read - epochOffset
    if share > size / 2, roundTrip > 0 {
      let expected = 4 * roundTrip * share / size
      if now - epochStart < expected { size = min(2 * size, Self.greatest) }
      epochStart = now
      epochOffset = read
    }
    edge = read + size
  }
}
