/// A segment that was sent and is not acknowledged yet.
struct SentSegment: Sendable {
  static let sacked: UInt8 = 1
  static let lost: UInt8 = 2
  /// Sent again, and that copy is believed to be in flight.
  static let retransmitted: UInt8 = 4
  static let everRetransmitted: UInt8 = 8
  /// The end of what the application had written when the segment was made.
  static let pushes: UInt8 = 16
  /// The last of several that were sent together.
  static let endsBurst: UInt8 = 32
  /// The last one of a buffer of the kernel's, which holds what was sent in one go.
  static let endsBuffer: UInt8 = 64
  /// Sent again in one packet with the segment before: it is a part of that one now.
  static let joined: UInt8 = 128
  /// The flags that give a segment PSH when it is sent first.
  static let pushing = pushes | endsBurst
  /// The flags that say nothing about a segment's fate.
  static let marks = pushes | endsBurst | endsBuffer

  /// The number of bytes up to its end.
  var end: Int64 = 0
  /// When it was sent last.
  var sentAt: Int64 = 0
  /// How many segments had arrived by then, in its lowest bits (`tx.delivered`).
  var delivered: UInt32 = 0
  var length: Int16 = 0
  var flags: UInt8 = 0

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// The segments in flight, as a sender knows them: a ring from the oldest unacknowledged to the newest (RFC 6675's
/// scoreboard, with the counts that Linux keeps).
struct Scoreboard: Sendable {
  /// The oldest segment that is not acknowledged.
  var first = 0
  /// The number of the next new segment.
  var next = 0
  /// How many segments are known to have arrived out of order.
  var sackedOut = 0
  /// How many are deemed lost.
  var lostOut = 0
  /// How many copies are believed to be in flight.
  var retransmittedOut = 0
  /// How many have become part of the segment before.
  var joinedOut = 0
  /// How many buffers of the kernel's hold them.
  var buffersOut = 0
  private var ring: [SentSegment] = []
  private var mask = 0

  /// How many segments are not acknowledged.
  var packetsOut: Int { next - first - joinedOut }
  /// How many segments are believed to be in the network (RFC 6675's pipe).
  var inFlight: Int { packetsOut - sackedOut - lostOut + retransmittedOut }
  /// The segment after the highest one that was selectively acknowledged.
  var highestSacked = 0

  /// The segment of this number, which must not be acknowledged yet.
  subscript(number: Int) -> SentSegment {
    get { ring[number & mask] }
    _modify { yield &ring[number & mask] }
  }

  /// Adds a new segment and says its number.
  mutating func append(_ segment: SentSegment) -> Int {
    if next - first == ring.count { resize(to: max(16, ring.count * 2)) }
    ring[next & mask] = segment
    next += 1
    return next - 1
  }

  /// A segment has arrived beyond a hole: its buffer is cut off from what has not, and becomes one with what has
  /// (`tcp_match_skb_to_sack`, `tcp_shift_skb_data`).
  mutating func cutBuffer(around number: Int) {
    if number > first { cutBuffer(after: number - 1, ends: !self[number - 1].has(SentSegment.sacked)) }
    if number + 1 < next { cutBuffer(after: number, ends: !self[number + 1].has(SentSegment.sacked)) }
  }

  private mutating func cutBuffer(after number: Int, ends: Bool) {
    guard self[number].has(SentSegment.endsBuffer) != ends else { return }
    self[number].flags ^= SentSegment.endsBuffer
    buffersOut += ends ? 1 : -1
  }

  /// Gives memory back when nothing is in flight and the ring has become large.
  mutating func release() {
    if first == next, ring.count > 64 {
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
