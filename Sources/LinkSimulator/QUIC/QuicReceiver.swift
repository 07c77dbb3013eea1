/// The receiving half of a QUIC endpoint: received packets and data, acknowledgements, and flow control.
struct QuicReceiver: Sendable {
  /// How many ack-eliciting packets one acknowledgement covers (RFC 9000, section 13.2.2).
  private static let together = 2
  /// The bytes that a server sends before its first response.
  static let opening = QuicHandshake.serverSettings + QuicHandshake.confirmation
  /// How many ranges of packet numbers are kept (RFC 9000, section 13.2.3).
  private static let memory = 32

  /// The numbers of received packets; `bytes` holds the received data.
  private(set) var packets = NumberRanges()
  private(set) var bytes = NumberRanges()
  /// Whether data has arrived since the last `takeNews()`.
  private(set) var hasNews = false
  private var largest: Int64 = -1
  private var largestAt: Int64 = 0
  /// How many ack-eliciting packets await an acknowledgement; `mustAcknowledge` says that it is due now.
  private var waiting = 0
  private(set) var mustAcknowledge = false
  /// When a delayed acknowledgement is due; `.max` for none.
  private(set) var deadline = Int64.max
  /// The flow-control limits offered to the peer.
  var allowance: QuicAllowance
  /// Whether a new flow-control offer must be sent.
  private(set) var mustOffer = false
  /// Whether an offer beyond the handshake's limits has been sent.
  private var hasOffered: Bool
  /// Whether to acknowledge the first ack-eliciting packet at once; false after that packet.
  private var acknowledgesFirst: Bool

  init(isClient: Bool = true, acknowledgesFirst: Bool = false) {
    allowance = QuicAllowance(isClient: isClient)
    hasOffered = !isClient
    self.acknowledgesFirst = acknowledgesFirst
  }

  /// Processes a packet.
  ///
  /// - Parameters:
  ///   - delay: the longest delay of its acknowledgement.
  ///   - computing: during the handshake, the computing time before an acknowledgement (RFC 9000, section 13.2.1).
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
    // A packet that is out of order or fills a hole is acknowledged at once (RFC 9000, section 13.2.1).
    if let computing {
      // One acknowledgement covers all packets of this time.
      deadline = now.saturatingAdd(computing)
    } else if waiting >= Self.together || !isInOrder || acknowledgesFirst {
      mustAcknowledge = true
      acknowledgesFirst = false
    } else {
      deadline = min(deadline, now + delay)
    }
  }

  mutating func read(_ count: Int64, of stream: StreamHandle, isLast: Bool, at now: Int64, roundTrip: Int64) {
    if allowance.read(count, of: stream, isLast: isLast, at: now, roundTrip: roundTrip) { mustOffer = true }
  }

  /// Allows the peer to open `count` streams in total; with `isUrgent` the offer is sent at once.
  mutating func allowStreams(_ count: Int, atOnce isUrgent: Bool) {
    allowance.allowStreams(count)
    if isUrgent { mustOffer = true }
  }

  mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// Delays a pending acknowledgement further.
  mutating func putOff(to time: Int64) {
    if deadline < .max { deadline = max(deadline, time) }
  }

  mutating func timerFired(at now: Int64) {
    guard deadline <= now else { return }
    mustAcknowledge = true
    deadline = .max
  }

  var hasReceived: Bool { largest >= 0 }

  /// Writes the number of flow-control offers made so far into a packet (RFC 9000, section 4).
  @inline(__always)
  mutating func offer(in packet: inout Packet) {
    // A client sends its first new offer with its request, or after it has received data (curl).
    if !hasOffered, packet.length == 0, !mustOffer { return }
    packet.windowEdge = allowance.made
    hasOffered = true
    if packet.pushes { mustOffer = false }
  }

  /// Cancels a pending acknowledgement's timer: the acknowledgement travels with the next packet instead.
  mutating func cancelDelayedAcknowledgement() {
    mustAcknowledge = false
    deadline = .max
  }

  /// Writes an acknowledgement into a packet: the range from number 0, and the newest three ranges.
  mutating func acknowledge(in packet: inout Packet, at now: Int64) {
    waiting = 0
    cancelDelayedAcknowledgement()
    offer(in: &packet)
    guard hasReceived else { return }
    packet.echo = now - largestAt
    let beginsAtZero = packets.stretches[0].lowerBound == 0
    if beginsAtZero { packet.acknowledged = Int(packets.stretches[0].upperBound) }
    var place = packets.stretches.count
    let end = max(beginsAtZero ? 1 : 0, place - SelectiveBlocks.most)
    while place > end {
      place -= 1
      let stretch = packets.stretches[place]
      packet.blocks.append(SelectiveBlocks.Block(start: Int(stretch.lowerBound), end: Int(stretch.upperBound)))
    }
  }
}
