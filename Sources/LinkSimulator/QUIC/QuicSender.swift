/// The sending half of a QUIC endpoint: what may leave now, what was lost, and when to ask (RFC 9002).
///
/// The three spaces of packet numbers share a window, a round trip and one timer. Bytes of the application are counted over
/// all streams in the order in which they were first ready, so that a stretch of them says as much as the frames would. It
/// is one flat value for the reason of ``Sender``: its probes and its pieces apart cost over 1 % of HTTP/3's time.
struct QuicSender: Sendable {
  /// How many packets later one must have arrived for a packet to count as lost (RFC 9002, section 6.1.1).
  static let packetThreshold = 3
  /// The greatest such number where it adapts (ngtcp2, `lib/ngtcp2_rtb.c`).
  static let greatestThreshold = 256
  /// The least window (RFC 9002, section 7.2).
  static let leastWindow = 2
  /// How many probe timeouts of losses alone bring the window down to the least (RFC 9002, section 7.6.1).
  static let persistence: Int64 = 3

  let clock: TickClock
  let stack: QuicStack
  /// The algorithm that sets the window, in an array for the reason of ``Sender/control``.
  var control: [any CongestionAlgorithm]
  let setsWindow: Bool
  let paces: Bool
  var rates: [DeliveryRate]
  var pacer: QuicPacer
  var window = CongestionWindow()
  var roundTrip: QuicRoundTrip
  /// The payload of a full datagram.
  var datagram: Int64

  var application = QuicSpace()
  /// Those of Initial and Handshake packets, and the first whose keys are not discarded (RFC 9001, section 4.9).
  private var crypto = [QuicSpace(), QuicSpace()]
  private(set) var oldest = QuicLevel.initial
  var delivered: Int64 = 0
  var lost: Int64 = 0
  /// How many packets were acknowledged in the last round trip.
  var deliveredLately: Int64 = 0
  /// The bytes that have arrived and have not grown the window.
  var rest: Int64 = 0
  /// Until how many packets have been acknowledged the application counts as the limit; 0 where it does not.
  private var limitedUntil: Int64 = 0
  /// Whether the window was full in this round trip, and how many packets will have been acknowledged before the next.
  var wasFull = false
  var roundEnd: Int64 = 0
  /// How many bytes the receiver lets come, and how many of its offers were heard of.
  var edge: Int64
  var offersHeard: Int64 = 0

  /// Streams that have ended, and where.
  private var endings: [(end: Int64, stream: StreamHandle)] = []

  /// How many probes have gone out without an answer, how many are still to be sent, and in which space.
  var probes = 0
  var probesDue = 0
  private(set) var probeLevel = QuicLevel.initial
  /// Whether the other end knows that this one's address is its own: a server's client does (RFC 9002, appendix A.6).
  var isPeerValidated: Bool
  /// When the probe of a client was put off that has nothing in flight.
  var waitsSince: Int64 = 0
  /// Packets sent before count as part of the reduction that was made then.
  var reducedAt: Int64 = -1
  /// When what pacing holds back may leave; `.max` while it holds nothing back.
  private(set) var resumesAt = Int64.max
  /// How many bytes had been written when more was asked for.
  private var askedAt: Int64 = -1
  /// How many bytes the application hands over at once, and how many it has handed over; all of them where it is `.max`.
  var piece = Int64.max { didSet { handedOver = piece } }
  private var handedOver = Int64.max

  init(_ control: PathConfiguration.CongestionControl, stack: QuicStack, clock: TickClock) {
    self.clock = clock
    self.stack = stack
    self.control = [
      control == .cubic ? QuicCubic() : control == .reno ? QuicReno() : control.algorithm.init()
    ]
    roundTrip = QuicRoundTrip(stack.firstRoundTrip)
    setsWindow = control.algorithm.setsWindow
    paces = control.algorithm.paces
    rates = setsWindow ? [DeliveryRate()] : []
    window.size = stack.initialWindow
    datagram = stack.datagram
    pacer = QuicPacer(stack.pacing)
    isPeerValidated = !stack.isClient
    edge = (stack.isClient ? QuicWindow.serverConnection : .clientConnection).edge
  }

  // MARK: Spaces

  @inline(__always)
  subscript(level: QuicLevel) -> QuicSpace {
    get { level == .application ? application : crypto[Int(level.rawValue)] }
    _modify {
      if level == .application { yield &application } else { yield &crypto[Int(level.rawValue)] }
    }
  }

  /// How many packets and bytes are in flight.
  var inFlight: Int {
    oldest == .application ? application.inFlight : crypto.reduce(application.inFlight) { $0 + $1.inFlight }
  }
  var bytesInFlight: Int64 {
    oldest == .application
      ? application.bytesInFlight : crypto.reduce(application.bytesInFlight) { $0 + $1.bytesInFlight }
  }
  /// How many bytes of the application were sent at least once.
  var sent: Int64 { application.sent }

  /// How long an acknowledgement is put off (RFC 9000, section 13.2.1).
  @inline(__always)
  var acknowledgementDelay: Int64 {
    guard stack.acknowledgesSooner else { return QuicRoundTrip.greatestDelay }
    return min(QuicRoundTrip.greatestDelay, max(roundTrip.smoothed / 8, QuicRoundTrip.granularity))
  }

  private var lossTime: Int64 {
    oldest == .application ? application.lossTime : crypto.reduce(application.lossTime) { min($0, $1.lossTime) }
  }

  /// The keys of a space are discarded, and with them what is in flight (RFC 9002, section 6.4).
  mutating func discard(_ level: QuicLevel, at now: Int64) {
    guard level >= oldest, level < .application else { return }
    while oldest <= level {
      crypto[Int(oldest.rawValue)] = QuicSpace()
      oldest = oldest == .initial ? .handshake : .application
    }
    (probes, probesDue) = (0, 0)
    if oldest == .application { isPeerValidated = true }
    waitsSince = now
  }

  mutating func begin(at now: Int64) {
    waitsSince = now
    control[0].begin(now: now, next: application.next)
    control[0].connected(
      roundTrip: roundTrip.hasSample ? roundTrip.latest : -1, window: window.size, tick: clock.ticks(at: now),
      delivered: delivered)
  }

  // MARK: Sending

  /// How many bytes may be in flight.
  @inline(__always)
  var fullWindow: Int64 { Int64(window.size) * datagram }

  /// Whether a packet that asks for an acknowledgement may leave by the window and by its time.
  private mutating func mayAsk(at now: Int64, exceeding: Bool = false) -> Bool {
    if probesDue > 0 { return true }
    guard exceeding || bytesInFlight < fullWindow else {
      wasFull = true
      return false
    }
    let departure = paces ? control[0].departure : pacedDeparture(at: now)
    guard departure > now else { return true }
    resumesAt = departure
    return false
  }

  private mutating func pacedDeparture(at now: Int64) -> Int64 {
    pacer.departure(window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
  }

  /// The CRYPTO bytes that the next packet of a space may carry, of those that are written.
  mutating func nextCrypto(_ level: QuicLevel, written: Int64, capacity: Int64, at now: Int64) -> Range<Int64>? {
    resumesAt = .max
    guard let range = self[level].pending(upTo: written, capacity: capacity) else { return nil }
    // Without it nothing would ever arrive: the first packet may exceed the window (ngtcp2, `ngtcp2_conn_write_vmsg`).
    return mayAsk(at: now, exceeding: self[level].inFlight == 0) ? range : nil
  }

  /// The bytes that the next packet may carry, at most `capacity` of those written; nothing when none may leave.
  mutating func nextRange(written: Int64, capacity: Int64, at now: Int64) -> Range<Int64>? {
    resumesAt = .max
    if sent >= handedOver { handOver() }
    let end = min(written, edge, handedOver)
    guard let range = application.pending(upTo: end, capacity: capacity) else {
      if sent >= end, bytesInFlight < fullWindow {
        if setsWindow {
          rates[0].limited(delivered: delivered, inFlight: inFlight)
        } else if pacedDeparture(at: now) <= now {
          limitedUntil = delivered + Int64(inFlight)
        }
      }
      return nil
    }
    return mayAsk(at: now) ? range : nil
  }

  /// The application hands over its next piece, once no more is under way than 31 kB and a thirty-second of all.
  ///
  /// So does curl 8.23, as the packets of uploads of 4 MB over round trips of 50, 170 and 200 ms show, after each
  /// acknowledgement that leaves so much. Why is not known.
  private mutating func handOver() {
    if sent - application.arrived.end(from: 0) <= 31_000 + sent / 32 { handedOver = handedOver.saturatingAdd(piece) }
  }

  /// Whether a probe of the path may leave, which carries nothing.
  mutating func mayProbePath(at now: Int64) -> Bool { probesDue == 0 && mayAsk(at: now) }

  /// A stream ends with the byte before this one.
  mutating func end(_ stream: StreamHandle, at end: Int64) { endings.append((end, stream)) }

  /// A stream that has ended, and whose last byte is acknowledged.
  mutating func takeEnding() -> StreamHandle? {
    guard let place = endings.firstIndex(where: { application.arrived.end(from: $0.end - 1) >= $0.end }) else {
      return nil
    }
    return endings.remove(at: place).stream
  }

  /// A stream has ended otherwise.
  mutating func forgetEnding(of stream: StreamHandle) { endings.removeAll { $0.stream == stream } }

  /// A packet leaves with these bytes, which asks for an acknowledgement or does not; whether it repeats bytes.
  mutating func leaves(_ range: Range<Int64>, _ level: QuicLevel, asks: Bool, size: Int64, at now: Int64) -> Bool {
    if asks, setsWindow, level == .application {
      if inFlight == 0 {
        let tick = clock.ticks(at: now)
        control[0].resume(
          Restart(
            now: now, tick: tick, idleTicks: tick - clock.ticks(at: application.lastAsked),
            isLimited: rates[0].isLimited))
      }
      rates[0].sent(
        application.next, at: now, first: application.first, packetsOut: inFlight, delivered: delivered)
    }
    let isRepeat = self[level].leaves(
      range, asks: asks, size: size, delivered: delivered, isLimited: delivered < limitedUntil, at: now)
    guard asks else { return isRepeat }
    waitsSince = now
    if probesDue > 0 { probesDue -= 1 }
    return isRepeat
  }

  /// A datagram leaves that asks for an acknowledgement, or is as long as one.
  @inline(__always)
  mutating func departs(_ size: Int64, at now: Int64) {
    if paces {
      control[0].sent(Int(size), segments: 1, at: now)
    } else {
      pacer.sent(size, window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
    }
  }

  /// Nothing more leaves now.
  @inline(__always)
  mutating func rests(at now: Int64) {
    pacer.rests(window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
  }

  /// Datagrams are larger from now on: the window holds as many bytes as before.
  mutating func resize(to size: Int64) {
    let before = datagram
    datagram = size
    func resized(_ count: Int) -> Int { max(Self.leastWindow, Int((Int64(count) * before + size - 1) / size)) }
    if window.threshold < .max { window.threshold = resized(window.threshold) }
    if var exact = control[0] as? any QuicAlgorithm {
      exact.resize(&window, from: before, to: size)
      control[0] = exact
    } else {
      window.size = resized(window.size)
    }
  }

  /// Whether the window is what limits a sender that has so many bytes in flight (RFC 9002, section 7.8).
  ///
  /// Within a burst of three packets, or half of the window in slow start (quic-go, `isCwndLimited`).
  func isLimited(_ bytes: Int64) -> Bool {
    let whole = fullWindow
    return bytes + 3 * datagram >= whole || (window.isInSlowStart && bytes * 2 > whole)
  }

  /// How many bytes could be sent now beyond what the application has handed over.
  func unmetQuota(written: Int64, capacity: Int64) -> Int64 {
    let room = max(0, min(fullWindow - bytesInFlight, 1 << 40)) + datagram - 1
    return min(room / datagram * capacity, edge - sent) - (written - sent)
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

  // MARK: Timers

  /// The other end is to show that it is there (RFC 9000, section 19.2).
  mutating func ping() { (probesDue, probeLevel) = (1, .application) }

  /// When the sender wants to run; `.max` when never.
  ///
  /// - Parameters:
  ///   - isConfirmed: whether the handshake is: before, no data of the application is asked for (RFC 9002, section 6.2.1).
  ///   - canHandshake: whether a client has the keys of Handshake packets.
  @inline(__always)
  func deadline(isConfirmed: Bool, canHandshake: Bool) -> Int64 {
    let loss = lossTime
    if loss < .max { return min(loss, resumesAt) }
    return min(nextProbe(isConfirmed: isConfirmed, canHandshake: canHandshake).time, resumesAt)
  }

  /// When a probe is due and in which space; twice as late after each one without an answer (RFC 9002, section 6.2.1).
  private func nextProbe(isConfirmed: Bool, canHandshake: Bool) -> (time: Int64, level: QuicLevel) {
    var next = (time: Int64.max, level: QuicLevel.application)
    // A year, twenty times doubled, is no time any more.
    let exponent = min(probes, 20)
    func doubled(_ timeout: Int64) -> Int64 { timeout > Int64.max >> exponent ? .max : timeout << exponent }
    if oldest < .application {
      let timeout = doubled(roundTrip.probeTimeout(isConfirmed: false))
      for level in [QuicLevel.initial, .handshake] where level >= oldest && self[level].inFlight > 0 {
        let time = self[level].lastAsked.saturatingAdd(timeout)
        if time < next.time { next = (time, level) }
      }
      if next.time == .max, !isPeerValidated {
        // A server may be waiting for leave to send more (RFC 9002, section 6.2.2.1).
        return (waitsSince.saturatingAdd(timeout), canHandshake ? .handshake : .initial)
      }
    }
    if isConfirmed, application.inFlight > 0 {
      let time = application.lastAsked.saturatingAdd(doubled(roundTrip.probeTimeout(isConfirmed: true)))
      if time < next.time { next = (time, .application) }
    }
    return next
  }

  /// The timer has run out; whether probes are due.
  mutating func timerFired(isConfirmed: Bool, canHandshake: Bool, at now: Int64) -> Bool {
    let loss = lossTime
    if loss <= now {
      for level in [QuicLevel.initial, .handshake, .application] where level >= oldest && self[level].lossTime <= now {
        detectLosses(in: level, at: now)
      }
      return false
    }
    guard loss == .max else { return false }
    let next = nextProbe(isConfirmed: isConfirmed, canHandshake: canHandshake)
    guard next.time <= now else { return false }
    probes += 1
    waitsSince = now
    // RFC 9002, section 6.2.4: one or two. A client sends one until it has all of the server's handshake (ngtcp2).
    probesDue = stack.isClient && self[next.level].sent == 0 || next.level == .initial && stack.isClient ? 1 : 2
    probeLevel = next.level
    return true
  }
}
