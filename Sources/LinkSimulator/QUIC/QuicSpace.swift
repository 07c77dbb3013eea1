/// How a packet is protected, and so which space of packet numbers it belongs to (RFC 9000, section 12.3).
enum QuicLevel: UInt8, Comparable, Sendable {
  case initial
  case handshake
  case application

  @inline(__always)
  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// What an endpoint has sent in one space of packet numbers, and what has become of it (RFC 9002, appendix A.1).
///
/// A packet that is lost is never sent again; the bytes that it carried are, in a new one.
struct QuicSpace: Sendable {
  /// A packet that was sent.
  struct Sent: Sendable {
    enum State: UInt8, Comparable {
      case out
      /// Out, but its bytes have been sent again as a probe.
      case repeated
      /// No longer in flight, since its bytes have been sent again as a probe, but it may still arrive.
      case forgotten
      /// Acknowledged, or one that asks for no acknowledgement.
      case settled
      case lost

      @inline(__always)
      static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    var range: Range<Int64>
    var sentAt: Int64
    /// How many packets had been acknowledged by then, in all spaces.
    var delivered: UInt32
    /// The bytes of its datagram that it takes.
    var size: UInt16
    /// Whether the application had less to send than the window allowed.
    var isLimited: Bool
    var state: State

    @inline(__always)
    var isOut: Bool { state <= .repeated }
  }

  var packets = Queue<Sent>()
  /// The number of the first packet that is kept.
  private(set) var first = 0
  /// How many packets, and bytes, are in flight.
  private(set) var inFlight = 0
  private(set) var bytesInFlight: Int64 = 0
  private(set) var largestAcknowledged = -1
  /// The bytes that were lost and are to be sent again, and those that are known to have arrived.
  private(set) var lostRanges = Queue<Range<Int64>>()
  private(set) var arrived = NumberRanges()
  /// How many bytes were sent at least once.
  private(set) var sent: Int64 = 0
  /// Where a packet ends, whatever follows.
  var cuts = Queue<Int64>()
  /// When the next packet counts as lost by its time; `.max` when none will.
  private(set) var lossTime = Int64.max
  /// Whether a probe of the path was lost since this was last set.
  var hasLostProbe = false
  /// When a packet was last sent that asks for an acknowledgement.
  var lastAsked: Int64 = 0

  /// The number of the next packet.
  var next: Int { first + packets.count }

  /// Whether a packet waits for its acknowledgement.
  func isOut(_ number: Int) -> Bool { number >= first && packets[number - first].isOut }

  // MARK: Sending

  /// The bytes that the next packet may carry: what was lost first, then new ones up to `end`.
  mutating func pending(upTo end: Int64, capacity: Int64) -> Range<Int64>? {
    while let range = lostRanges.first {
      let start = arrived.end(from: range.lowerBound)
      if start < range.upperBound {
        // Frames that were lost one after another share a packet where there is room for all of both.
        if lostRanges.count > 1, lostRanges[1].lowerBound == range.upperBound,
          lostRanges[1].upperBound <= start + capacity
        {
          lostRanges.removeFirst()
          lostRanges[0] = start..<lostRanges[0].upperBound
          continue
        }
        return start..<min(range.upperBound, start + capacity)
      }
      lostRanges.removeFirst()
    }
    let end = min(end, sent + capacity, cuts.first ?? .max)
    return sent < end ? sent..<end : nil
  }

  /// The bytes of the oldest packet that is out are to be sent again, as a probe (RFC 9002, section 6.2.4).
  ///
  /// - Parameter forgets: whether it then counts as lost, but not as a sign of congestion (quic-go, `QueueProbePacket`).
  mutating func repeatOldest(forgets: Bool) {
    for place in 0..<packets.count where packets[place].state == .out {
      packets[place].state = forgets ? .forgotten : .repeated
      if forgets { settled(place) }
      if !packets[place].range.isEmpty { lostRanges.prepend(packets[place].range) }
      return
    }
  }

  /// Nothing that was sent counts any more, and what is out is to be sent again.
  mutating func forgetAll() {
    for place in 0..<packets.count where packets[place].isOut {
      let range = packets[place].range
      if !range.isEmpty { lostRanges.append(range) }
      packets[place].state = .lost
      settled(place)
    }
    lossTime = .max
    trim()
  }

  /// A packet leaves with these bytes, which asks for an acknowledgement or does not; whether it repeats bytes.
  mutating func leaves(
    _ range: Range<Int64>, asks: Bool, size: Int64, delivered: Int64, isLimited: Bool, at now: Int64
  ) -> Bool {
    let isRepeat = range.lowerBound < sent && !range.isEmpty
    if isRepeat, let lost = lostRanges.first, lost.lowerBound <= range.lowerBound, range.upperBound <= lost.upperBound {
      if range.upperBound == lost.upperBound {
        lostRanges.removeFirst()
      } else {
        lostRanges[0] = range.upperBound..<lost.upperBound
      }
    }
    while let cut = cuts.first, cut <= range.upperBound { cuts.removeFirst() }
    sent = max(sent, range.upperBound)
    packets.append(
      Sent(
        range: range, sentAt: now, delivered: UInt32(truncatingIfNeeded: delivered), size: UInt16(size),
        isLimited: isLimited, state: asks ? .out : .settled))
    if asks {
      inFlight += 1
      bytesInFlight += size
      lastAsked = now
    } else if packets.count == 1 {
      trim()
    }
    return isRepeat
  }

  /// The last packet is made longer by so many bytes.
  mutating func pad(_ bytes: Int64) {
    let place = packets.count - 1
    guard place >= 0, packets[place].isOut else { return }
    packets[place].size += UInt16(bytes)
    bytesInFlight += bytes
  }

  // MARK: Acknowledgements

  /// Takes what a packet from the other side acknowledges.
  mutating func acknowledge(_ packet: borrowing Packet, _ outcome: inout Acknowledged) {
    settle(0..<packet.acknowledged, &outcome)
    let blocks = packet.blocks
    for place in 0..<Int(blocks.count) { settle(blocks[place].start..<blocks[place].end, &outcome) }
    let largest = max(packet.acknowledged, blocks.count > 0 ? blocks[0].end : 0) - 1
    outcome.isLargestNew = outcome.latest.isKnown && outcome.latest.number == largest
    largestAcknowledged = max(largestAcknowledged, largest)
    trim()
  }

  private mutating func settle(_ numbers: Range<Int>, _ outcome: inout Acknowledged) {
    var number = max(numbers.lowerBound, first)
    let end = min(numbers.upperBound, next)
    while number < end {
      let place = number - first
      if packets[place].isOut {
        packets[place].state = .settled
        settled(place)
        arrived.insert(packets[place].range)
        outcome.take(number, packets[place])
      } else if packets[place].state == .forgotten {
        packets[place].state = .settled
        arrived.insert(packets[place].range)
        outcome.learn(number, packets[place])
      }
      number += 1
    }
  }

  @inline(__always)
  private mutating func settled(_ place: Int) {
    inFlight -= 1
    bytesInFlight -= Int64(packets[place].size)
  }

  private mutating func trim() {
    var count = 0
    while count < packets.count, packets[count].state > .forgotten { count += 1 }
    guard count > 0 else { return }
    packets.removeFirst(count)
    first += count
  }

  /// Finds what is lost, and when the next packet will be (RFC 9002, section 6.1 and appendix A.10).
  ///
  /// - Parameters:
  ///   - delay: how much later than one that has arrived a packet may be sent.
  ///   - threshold: how many packets later one must have arrived.
  mutating func detectLosses(delay: Int64, threshold: Int, at now: Int64) -> Losses? {
    lossTime = .max
    guard first < largestAcknowledged else { return nil }
    var losses: Losses?
    for number in first..<min(largestAcknowledged, next) {
      let place = number - first
      guard packets[place].state <= .forgotten else { continue }
      let sentAt = packets[place].sentAt
      guard largestAcknowledged - number >= threshold || sentAt + delay <= now else {
        if packets[place].isOut { lossTime = min(lossTime, sentAt + delay) }
        continue
      }
      if packets[place].state == .forgotten {
        packets[place].state = .lost
        continue
      }
      packets[place].state = .lost
      settled(place)
      losses = losses ?? Losses(oldest: sentAt)
      losses?.count += 1
      // A probe of the path says nothing of congestion (RFC 9000, section 14.4).
      if packets[place].range.isEmpty, packets[place].size > QuicEnd.initialDatagram {
        hasLostProbe = true
        continue
      }
      if !packets[place].range.isEmpty { lostRanges.append(packets[place].range) }
      losses?.bytes += Int64(packets[place].size)
      losses?.newest = sentAt
    }
    trim()
    return losses
  }

  /// Packets that were found to be lost.
  struct Losses {
    var count = 0
    /// When the first and the last were sent; -1 where they were probes of the path alone.
    var oldest: Int64
    var newest: Int64 = -1
    var bytes: Int64 = 0
  }
}

/// The result of an acknowledgement.
struct Acknowledged {
  /// How many packets and bytes were in flight before.
  let inFlight: Int
  let bytesInFlight: Int64
  /// What was sent after this time is no part of the last reduction.
  let reducedAt: Int64
  /// How many packets arrived that were not known to have arrived, and how many of them grow the window, with their bytes.
  private(set) var count = 0
  private(set) var fresh = 0
  private(set) var freshBytes: Int64 = 0
  /// Whether the newest packet of all is among them.
  var isLargestNew = false
  /// The newest of them, and whether it was sent while the application had little to send.
  private(set) var latest = LatestArrival()
  private(set) var isLimited = false

  init(inFlight: Int, bytesInFlight: Int64, reducedAt: Int64) {
    self.inFlight = inFlight
    self.bytesInFlight = bytesInFlight
    self.reducedAt = reducedAt
  }

  @inline(__always)
  mutating func take(_ number: Int, _ packet: QuicSpace.Sent) {
    count += 1
    if packet.sentAt > reducedAt {
      fresh += 1
      freshBytes += Int64(packet.size)
    }
    learn(number, packet)
  }

  /// Takes the time of a packet that has arrived.
  @inline(__always)
  mutating func learn(_ number: Int, _ packet: QuicSpace.Sent) {
    if latest.number < number { isLimited = packet.isLimited }
    latest.take(number, sentAt: packet.sentAt, delivered: packet.delivered)
  }
}
