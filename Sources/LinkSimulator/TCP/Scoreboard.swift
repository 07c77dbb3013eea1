/// A segment that was sent and is not yet cumulatively acknowledged.
struct SentSegment: Sendable {
  static let sacked: UInt8 = 1
  static let lost: UInt8 = 2
  /// The flag of a segment whose retransmission is believed to be in flight.
  static let retransmitted: UInt8 = 4
  static let everRetransmitted: UInt8 = 8
  /// The flag of a segment that ends the application's writes so far.
  static let pushes: UInt8 = 16
  static let endsBurst: UInt8 = 32
  /// The flag of the last segment in a kernel buffer, which holds a burst.
  static let endsBuffer: UInt8 = 64
  /// The flag of a segment joined to the previous one: a retransmission sent both in one packet.
  static let joined: UInt8 = 128
  /// The flags that set PSH in a segment's first transmission.
  static let pushing = pushes | endsBurst
  /// The flags that are independent of a segment's delivery.
  static let marks = pushes | endsBurst | endsBuffer

  /// The direction's byte count at the segment's end.
  var end: Int64 = 0
  var sentAt: Int64 = 0
  /// The lowest bits of the delivered count when the segment was last sent (`tx.delivered`).
  var delivered: UInt32 = 0
  var length: Int16 = 0
  var flags: UInt8 = 0

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// A sender's record of the segments in flight: a ring from the oldest unacknowledged to the newest.
///
/// It is RFC 6675's scoreboard with the counters that Linux keeps.
struct Scoreboard: Sendable {
  /// The oldest unacknowledged segment.
  var first = 0
  var next = 0
  var sackedOut = 0
  var lostOut = 0
  /// How many retransmissions are believed to be in flight.
  var retransmittedOut = 0
  var joinedOut = 0
  /// How many kernel buffers hold the segments.
  var buffersOut = 0
  private var ring: [SentSegment] = []
  private var mask = 0

  var packetsOut: Int { next - first - joinedOut }
  /// How many segments are believed to be in the network (RFC 6675's pipe).
  var inFlight: Int { packetsOut - sackedOut - lostOut + retransmittedOut }
  /// The segment after the highest selectively acknowledged one.
  var highestSacked = 0

  /// The segment with this number, which must not be acknowledged yet.
  subscript(number: Int) -> SentSegment {
    get { ring[number & mask] }
    _modify { yield &ring[number & mask] }
  }

  mutating func append(_ segment: SentSegment) -> Int {
    if next - first == ring.count { resize(to: max(16, ring.count * 2)) }
    ring[next & mask] = segment
    next += 1
    return next - 1
  }

  /// Splits and merges kernel buffers around a received segment (`tcp_match_skb_to_sack`, `tcp_shift_skb_data`).
  mutating func cutBuffer(around number: Int) {
    if number > first { cutBuffer(after: number - 1, ends: !self[number - 1].has(SentSegment.sacked)) }
    if number + 1 < next { cutBuffer(after: number, ends: !self[number + 1].has(SentSegment.sacked)) }
  }

  private mutating func cutBuffer(after number: Int, ends: Bool) {
    guard self[number].has(SentSegment.endsBuffer) != ends else { return }
    self[number].flags ^= SentSegment.endsBuffer
    buffersOut += ends ? 1 : -1
  }

  /// Frees a ring of more than `size` segments when no segment is in flight.
  mutating func release(above size: Int) {
    if first == next, ring.count > size {
      ring = []
      mask = 0
    }
  }

  private mutating func resize(to size: Int) {
    var larger = [SentSegment](repeating: SentSegment(), count: size)
    for number in first..<next { larger[number & (size - 1)] = ring[number & mask] }
    ring = larger
    mask = size - 1
  }
}
