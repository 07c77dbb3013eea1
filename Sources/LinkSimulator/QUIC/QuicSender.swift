/// The sending half of a QUIC endpoint: what may leave now, what was lost, and when to ask (RFC 9002).
///
/// A packet that is lost is never sent again; the bytes that it carried are, in a new one. Bytes are counted over all streams
/// in the order in which they were first ready, so that a stretch of them says as much as the frames would.
struct QuicSender: Sendable {
  /// How many packets later one must have arrived for a packet to count as lost (RFC 9002, section 6.1.1).
  static let packetThreshold = 3
  /// The least window (RFC 9002, section 7.2).
  static let leastWindow = 2
  /// How many probe timeouts of losses alone bring the window down to the least (RFC 9002, section 7.6.1).
  static let persistence: Int64 = 3

  /// A packet that was sent.
  struct Sent: Sendable {
    enum State: UInt8 {
      case out
      /// Acknowledged, or one that asks for no acknowledgement.
      case settled
      case lost
    }

    var range: Range<Int64>
    var sentAt: Int64
    var state: State
  }

  let clock: TickClock
  /// The algorithm that sets the window, in an array for the reason of ``Sender/control``.
  var control: [any CongestionAlgorithm]
  let setsWindow: Bool
  let paces: Bool
  /// Whether ``pacer`` spreads the packets.
  let spreads: Bool
  /// Whether losses over a long time bring the window down to the least.
  let breaksDown: Bool
  var rates: [DeliveryRate]
  private var pacer = QuicPacer()
  var window = CongestionWindow()
  var roundTrip: QuicRoundTrip

  var packets = Queue<Sent>()
  /// The number of the first packet that is kept, and how many are in flight.
  var first = 0
  var inFlight = 0
  var largestAcknowledged = -1
  var delivered: Int64 = 0
  var lost: Int64 = 0
  /// The bytes that were lost and are to be sent again, and those that are known to have arrived.
  var lostRanges = Queue<Range<Int64>>()
  var arrived = NumberRanges()
  /// How many bytes were sent at least once, and how many the receiver lets come.
  private(set) var sent: Int64 = 0
  var edge = QuicWindow.initial

  /// When the next packet counts as lost by its time; `.max` when none will.
  var lossTime = Int64.max
  var lastAsked: Int64 = 0
  /// How many probes have gone out without an answer, and how many are still to be sent.
  var probes = 0
  var probesDue = 0
  /// Packets sent before count as part of the reduction that was made then.
  var reducedAt: Int64 = -1
  /// When what pacing holds back may leave; `.max` while it holds nothing back.
  var resumesAt = Int64.max
  /// How many bytes had been written when more was asked for.
  private var askedAt: Int64 = -1
  /// How many bytes the application keeps that have not been acknowledged.
  var buffer = Int64.max

  init(_ control: PathConfiguration.CongestionControl, stack: QuicStack, clock: TickClock) {
    self.clock = clock
    spreads = stack.paces && !control.algorithm.paces
    self.control = [
      control == .cubic ? QuicCubic() : control == .reno ? QuicReno() : control.algorithm.init()
    ]
    roundTrip = QuicRoundTrip(stack.firstRoundTrip)
    breaksDown = stack.noticesPersistentCongestion
    setsWindow = control.algorithm.setsWindow
    paces = control.algorithm.paces
    rates = setsWindow ? [DeliveryRate()] : []
    window.size = stack.initialWindow
  }

  /// The number of the next packet.
  var next: Int { first + packets.count }

  mutating func begin(at now: Int64) {
    lastAsked = now
    control[0].begin(now: now, next: next)
    control[0].connected(
      roundTrip: roundTrip.hasSample ? roundTrip.latest : -1, window: window.size, tick: clock.ticks(at: now),
      delivered: delivered)
  }

  // MARK: Sending

  /// The bytes that the next packet may carry, at most `capacity` of those written; nothing when none may leave.
  mutating func nextRange(written: Int64, capacity: Int64, datagram: Int64, at now: Int64) -> Range<Int64>? {
    resumesAt = .max
    guard let range = pending(written: written, capacity: capacity) else {
      if setsWindow, sent >= written, inFlight < window.size {
        rates[0].limited(delivered: delivered, inFlight: inFlight)
      }
      return nil
    }
    if probesDue > 0 { return range }
    guard inFlight < window.size else { return nil }
    let departure = paces ? control[0].departure : spreads ? pacedDeparture(datagram: datagram, at: now) : now
    guard departure <= now else {
      resumesAt = departure
      return nil
    }
    return range
  }

  private func pacedDeparture(datagram: Int64, at now: Int64) -> Int64 {
    pacer.departure(
      window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
  }

  private mutating func pending(written: Int64, capacity: Int64) -> Range<Int64>? {
    while let range = lostRanges.first {
      let start = arrived.end(from: range.lowerBound)
      if start < range.upperBound { return start..<min(range.upperBound, start + capacity) }
      lostRanges.removeFirst()
    }
    let end = min(written, min(edge, arrived.end(from: 0).saturatingAdd(buffer)), sent + capacity)
    return sent < end ? sent..<end : nil
  }

  /// The bytes of the oldest packet that is out are to be sent again, as a probe (RFC 9002, section 6.2.4), which is none of
  /// congestion (quic-go, `QueueProbePacket`).
  mutating func repeatOldest() {
    for place in 0..<packets.count where packets[place].state == .out {
      packets[place].state = .lost
      inFlight -= 1
      if !packets[place].range.isEmpty { lostRanges.prepend(packets[place].range) }
      return
    }
  }

  /// A packet leaves with these bytes, which asks for an acknowledgement or does not; whether it repeats bytes.
  mutating func leaves(_ range: Range<Int64>, asks: Bool, size: Int64, datagram: Int64, at now: Int64) -> Bool {
    let isRepeat = range.lowerBound < sent && !range.isEmpty
    if isRepeat, let lostRange = lostRanges.first, lostRange.lowerBound <= range.lowerBound,
      range.upperBound <= lostRange.upperBound
    {
      if range.upperBound == lostRange.upperBound {
        lostRanges.removeFirst()
      } else {
        lostRanges[0] = range.upperBound..<lostRange.upperBound
      }
    }
    sent = max(sent, range.upperBound)
    packets.append(Sent(range: range, sentAt: now, state: asks ? .out : .settled))
    guard asks else {
      trim()
      return isRepeat
    }
    if setsWindow {
      if inFlight == 0 {
        let tick = clock.ticks(at: now)
        control[0].resume(
          Restart(
            now: now, tick: tick, idleTicks: tick - clock.ticks(at: lastAsked), isLimited: rates[0].isLimited))
      }
      rates[0].sent(next - 1, at: now, first: first, packetsOut: inFlight, delivered: delivered)
    }
    inFlight += 1
    lastAsked = now
    if probesDue > 0 { probesDue -= 1 }
    if paces {
      control[0].sent(Int(size), segments: 1, at: now)
    } else if spreads {
      pacer.sent(
        size, window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
    }
    return isRepeat
  }

  /// The size of a full packet has changed: the window holds as many bytes as before.
  mutating func resize(from before: Int64, to datagram: Int64) {
    window.size = max(Self.leastWindow, Int(Int64(window.size) * before / datagram))
    if window.threshold < .max {
      window.threshold = max(Self.leastWindow, Int(Int64(window.threshold) * before / datagram))
    }
  }

  /// Whether a packet waits for its acknowledgement.
  func isOut(_ number: Int) -> Bool { number >= first && packets[number - first].state == .out }

  /// Whether the window is what limits a sender that has so many packets in flight (RFC 9002, section 7.8).
  ///
  /// Within a burst of three packets, or half of the window in slow start (quic-go, `isCwndLimited`).
  func isLimited(_ inFlight: Int) -> Bool {
    inFlight + 3 >= window.size || (window.isInSlowStart && inFlight * 2 > window.size)
  }

  /// How many bytes could be sent now beyond what the application has handed over.
  func unmetQuota(written: Int64, capacity: Int64) -> Int64 {
    let room = Int64(max(0, min(window.size - inFlight, 1 << 24))) * capacity
    return min(room, edge - sent) - (written - sent)
  }

  /// How many more bytes are of use.
  func room(written: Int64, capacity: Int64) -> Int64 {
    max(0, Int64(2 * min(window.size, 1 << 20)) * capacity - (written - sent))
  }

  /// Whether the application should write more, and has not been told since it last did.
  mutating func asksForMore(written: Int64, capacity: Int64) -> Bool {
    guard askedAt != written, room(written: written, capacity: capacity) > 0 else { return false }
    askedAt = written
    return true
  }
}
