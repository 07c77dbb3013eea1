/// The encryption level of a packet, which determines its packet number space (RFC 9000, section 12.3).
enum QuicLevel: UInt8, Comparable, Sendable {
  case initial
  case handshake
  case application

  @inline(__always)
  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The packets sent in one packet number space, and their state (RFC 9002, appendix A.1).
///
/// A lost packet is never sent again: its data travels in a new packet.
struct QuicSpace: Sendable {
  struct Sent: Sendable {
    enum State: UInt8, Comparable {
      case out
      /// The packet is in flight, but its data has been sent again as a probe.
      case repeated
      /// The packet no longer counts as in flight, since a probe has repeated its data; it may still arrive.
      case forgotten
      /// The packet is not ack-eliciting, so no acknowledgement will come for it.
      case silent
      /// The packet was acknowledged.
      case settled
      case lost

      @inline(__always)
      static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    var range: Range<Int64>
    var sentAt: Int64
    /// How many packets of all spaces had been acknowledged when it was sent.
    var delivered: UInt32
    /// The packet's bytes in its datagram.
    var size: UInt16
    /// Whether the application, not the window, limited the sender.
    var isLimited: Bool
    var state: State

    @inline(__always)
    var isOut: Bool { state <= .repeated }
  }

  var packets = Queue<Sent>()
  /// The number of the oldest packet in `packets`.
  private(set) var first = 0
  /// How many packets are in flight; `bytesInFlight` is their size.
  private(set) var inFlight = 0
  private(set) var bytesInFlight: Int64 = 0
  private(set) var largestAcknowledged = -1
  /// The lost data to send again; `arrived` is the acknowledged data.
  private(set) var lostRanges = Queue<Range<Int64>>()
  private(set) var arrived = NumberRanges()
  /// How many data bytes were sent at least once.
  private(set) var sent: Int64 = 0
  /// Offsets at which a packet must end, even if more data follows.
  var cuts = Queue<Int64>()
  /// When the next packet is lost by the time threshold; `.max` for never.
  private(set) var lossTime = Int64.max
  /// Whether a path MTU probe was lost since this flag was last cleared.
  var hasLostProbe = false
  /// When the last ack-eliciting packet was sent.
  var lastAsked: Int64 = 0

  var next: Int { first + packets.count }

  /// Whether a packet awaits its acknowledgement.
  func isOut(_ number: Int) -> Bool { number >= first && packets[number - first].isOut }

  // MARK: Sending

  /// The data that the next packet may carry: lost data first, then new data up to `end`.
  @inline(__always)
  mutating func pending(upTo end: Int64, capacity: Int64) -> Range<Int64>? {
    if !lostRanges.isEmpty, let range = pendingAgain(capacity: capacity) { return range }
    let end = min(end, sent + capacity, cuts.isEmpty ? .max : cuts[0])
    return sent < end ? Range(uncheckedBounds: (sent, end)) : nil
  }

  /// The lost data that the next packet may carry.
  private mutating func pendingAgain(capacity: Int64) -> Range<Int64>? {
    while let range = lostRanges.first {
      let start = arrived.end(from: range.lowerBound)
      if start < range.upperBound {
        // Adjacent lost ranges share a packet if both fit completely.
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
    return nil
  }

  /// Queues the data of the oldest packet in flight for a probe (RFC 9002, section 6.2.4).
  ///
  /// - Parameter forgets: whether the packet then counts as lost, without a congestion signal (quic-go,
  ///   `QueueProbePacket`).
  mutating func repeatOldest(forgets: Bool) {
    for place in 0..<packets.count where packets[place].state == .out {
      packets[place].state = forgets ? .forgotten : .repeated
      if forgets { settled(place) }
      if !packets[place].range.isEmpty { lostRanges.prepend(packets[place].range) }
      return
    }
  }

  /// Declares all packets in flight lost, and queues their data for retransmission.
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

  /// Records a sent packet, ack-eliciting if `asks`; returns whether it repeats data.
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
        isLimited: isLimited, state: asks ? .out : .silent))
    if asks {
      inFlight += 1
      bytesInFlight += size
      lastAsked = now
    } else {
      trim()
    }
    return isRepeat
  }

  mutating func pad(_ bytes: Int64) {
    let place = packets.count - 1
    guard place >= 0, packets[place].isOut else { return }
    packets[place].size += UInt16(bytes)
    bytesInFlight += bytes
  }

  // MARK: Acknowledgements

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

  /// Finds lost packets by the time and packet thresholds, and the next possible loss (RFC 9002, 6.1 and A.10).
  mutating func detectLosses(delay: Int64, threshold: Int, at now: Int64) -> Losses? {
    lossTime = .max
    guard first < largestAcknowledged else { return nil }
    var losses = Losses()
    // When the first packet of the current run of losses was sent; an acknowledged packet ends the run.
    var start: Int64?
    for number in first..<min(largestAcknowledged, next) {
      let place = number - first
      if packets[place].state == .settled { start = nil }
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
      losses.count += 1
      // A lost path MTU probe is no sign of congestion (RFC 9000, section 14.4).
      if packets[place].range.isEmpty, packets[place].size > QuicEnd.initialDatagram {
        hasLostProbe = true
        continue
      }
      if !packets[place].range.isEmpty { lostRanges.append(packets[place].range) }
      losses.bytes += Int64(packets[place].size)
      losses.newest = sentAt
      let begin = start ?? sentAt
      start = begin
      losses.longest = max(losses.longest, sentAt - begin)
    }
    trim()
    return losses.count > 0 ? losses : nil
  }

  struct Losses {
    var count = 0
    /// When the newest lost packet was sent; -1 if all were path MTU probes.
    var newest: Int64 = -1
    /// The longest run of losses without an acknowledged packet, from its first to its last sending, in nanoseconds.
    var longest: Int64 = 0
    var bytes: Int64 = 0
  }
}

struct Acknowledged {
  /// How many packets and bytes were in flight before the acknowledgement.
  let inFlight: Int
  let bytesInFlight: Int64
  /// When the window was last reduced; only packets sent later may grow it.
  let reducedAt: Int64
  /// How many packets were newly acknowledged; `fresh` and `freshBytes` count those that may grow the window.
  private(set) var count = 0
  private(set) var fresh = 0
  private(set) var freshBytes: Int64 = 0
  /// Whether the largest acknowledged packet is newly acknowledged.
  var isLargestNew = false
  /// The newest acknowledged packet, and whether the application limited the sender when it was sent.
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

  /// Updates `latest` and `isLimited` from an acknowledged packet.
  @inline(__always)
  mutating func learn(_ number: Int, _ packet: QuicSpace.Sent) {
    if latest.number < number { isLimited = packet.isLimited }
    latest.take(number, sentAt: packet.sentAt, delivered: packet.delivered)
  }
}
