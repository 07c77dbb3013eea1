/// The sending half of a QUIC endpoint: congestion control, loss detection and probes (RFC 9002).
///
/// The three packet number spaces share a window, a round-trip estimate and one timer. Application bytes are numbered across
/// all streams in the order in which they first became ready, so a byte range stands for the frames. It is one flat value,
/// like ``Sender``: with its probes and pieces in types of their own, HTTP/3 ran over 1 % slower.
struct QuicSender: Sendable {
  /// A packet counts as lost when a packet this many numbers later was acknowledged (RFC 9002, section 6.1.1).
  static let packetThreshold = 3
  /// The largest packet threshold if it adapts to reordering (ngtcp2, `lib/ngtcp2_rtb.c`).
  static let greatestThreshold = 256
  /// The smallest congestion window, in datagrams (RFC 9002, section 7.2).
  static let leastWindow = 2
  /// After losses over this many probe timeouts the window falls to the minimum (RFC 9002, section 7.6.1).
  static let persistence: Int64 = 3

  let clock: TickClock
  let stack: QuicStack
  /// The congestion control algorithm, in an array for the reason given at ``Sender/control``.
  var control: [any CongestionAlgorithm]
  let setsWindow: Bool
  let paces: Bool
  var rates: [DeliveryRate]
  var pacer: QuicPacer
  var window = CongestionWindow()
  var roundTrip: QuicRoundTrip
  /// The size of a full datagram's payload, in bytes.
  var datagram: Int64

  var application = QuicSpace()
  /// The Initial and Handshake spaces, and the first space whose keys are not discarded (RFC 9001, section 4.9).
  private var crypto = [QuicSpace(), QuicSpace()]
  private(set) var oldest = QuicLevel.initial
  var delivered: Int64 = 0
  var lost: Int64 = 0
  /// How many packets were acknowledged in the last round trip.
  var deliveredLately: Int64 = 0
  /// Acknowledged bytes that have not yet grown the window.
  var rest: Int64 = 0
  /// The sender counts as application-limited until this many packets are acknowledged; 0 if it is not limited.
  private var limitedUntil: Int64 = 0
  /// Whether the window was full in this round trip; the round trip ends at a value of `delivered`.
  var wasFull = false
  var roundEnd: Int64 = 0
  /// The receiver's flow control limit in bytes, and how many of its updates have arrived.
  var edge: Int64
  var offersReceived: Int64 = 0

  /// Streams that have ended, each with the offset of its end.
  private var endings: [(end: Int64, stream: StreamHandle)] = []

  /// Probes sent without an answer, probes still to send, and the space to send them in.
  var probes = 0
  var probesDue = 0
  var probeLevel = QuicLevel.initial
  /// Whether the peer has validated this end's address; a server assumes so of its clients (RFC 9002, appendix A.6).
  var isPeerValidated: Bool
  /// The start of the probe timer of a client with nothing in flight.
  var waitsSince: Int64 = 0
  /// When the window was last reduced; losses of packets sent before do not reduce it again.
  var reducedAt: Int64 = -1
  /// When pacing lets the next packet leave; `.max` if pacing holds nothing back.
  private(set) var resumesAt = Int64.max
  /// The bytes written when the sender last asked for more.
  private var askedAt: Int64 = -1
  /// How many bytes the application hands over at once, `.max` for all, and how many it has handed over.
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

  /// The space of a level; work for every packet uses ``change(_:_:)``, since this allocates memory for each change.
  subscript(level: QuicLevel) -> QuicSpace {
    get { level == .application ? application : crypto[Int(level.rawValue)] }
    _modify {
      if level == .application { yield &application } else { yield &crypto[Int(level.rawValue)] }
    }
  }

  @inline(__always)
  mutating func change<Result>(_ level: QuicLevel, _ body: (inout QuicSpace) -> Result) -> Result {
    level == .application ? body(&application) : body(&crypto[Int(level.rawValue)])
  }

  /// The packets in flight in all spaces, and their bytes.
  @inline(__always)
  var inFlight: Int {
    let count = application.inFlight
    return oldest == .application ? count : count + crypto[0].inFlight + crypto[1].inFlight
  }
  @inline(__always)
  var bytesInFlight: Int64 {
    let count = application.bytesInFlight
    return oldest == .application ? count : count + crypto[0].bytesInFlight + crypto[1].bytesInFlight
  }
  /// How many application bytes were sent at least once.
  var sent: Int64 { application.sent }

  /// How long this end delays an acknowledgement (RFC 9000, section 13.2.1).
  @inline(__always)
  var acknowledgementDelay: Int64 {
    guard stack.acknowledgesSooner else { return QuicRoundTrip.greatestDelay }
    return min(QuicRoundTrip.greatestDelay, max(roundTrip.smoothed / 8, QuicRoundTrip.granularity))
  }

  @inline(__always)
  var lossTime: Int64 {
    let time = application.lossTime
    return oldest == .application ? time : min(time, crypto[0].lossTime, crypto[1].lossTime)
  }

  /// Discards the keys of a space and its packets in flight (RFC 9002, section 6.4).
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

  @inline(__always)
  var fullWindow: Int64 { Int64(window.size) * datagram }

  /// Whether window and pacing let an ack-eliciting packet leave now.
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

  /// The CRYPTO bytes that the next packet of a space may carry, out of those written.
  mutating func nextCrypto(_ level: QuicLevel, written: Int64, capacity: Int64, at now: Int64) -> Range<Int64>? {
    resumesAt = .max
    guard let range = self[level].pending(upTo: written, capacity: capacity) else { return nil }
    // A space's first packet may exceed the window, or the handshake could stall (ngtcp2, `ngtcp2_conn_write_vmsg`).
    return mayAsk(at: now, exceeding: self[level].inFlight == 0) ? range : nil
  }

  /// The bytes that the next packet may carry, at most `capacity` of those written; `nil` if none may leave.
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

  /// Lets the application hand over its next piece, once unacknowledged bytes are at most 31 kB plus 1/32 of all sent bytes.
  ///
  /// curl 8.23 does so on each acknowledgement, according to packet traces of 4 MB uploads at round trips of 50, 170 and
  /// 200 ms. The reason is unknown.
  private mutating func handOver() {
    if sent - application.arrived.end(from: 0) <= 31_000 + sent / 32 { handedOver = handedOver.saturatingAdd(piece) }
  }

  mutating func mayProbePath(at now: Int64) -> Bool { probesDue == 0 && mayAsk(at: now) }

  mutating func end(_ stream: StreamHandle, at end: Int64) { endings.append((end, stream)) }

  @inline(__always)
  var hasEndings: Bool { !endings.isEmpty }

  /// Removes and returns a stream that has ended and whose last byte is acknowledged.
  mutating func takeEnding() -> StreamHandle? {
    guard let place = endings.firstIndex(where: { application.arrived.end(from: $0.end - 1) >= $0.end }) else {
      return nil
    }
    return endings.remove(at: place).stream
  }

  /// Forgets the recorded end of a stream that is closed before its last byte is acknowledged.
  mutating func forgetEnding(of stream: StreamHandle) { endings.removeAll { $0.stream == stream } }

  /// Records a packet with these bytes, ack-eliciting if `asks`; returns whether it repeats bytes.
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
    let (count, isLimited) = (delivered, delivered < limitedUntil)
    let isRepeat = change(level) {
      $0.leaves(range, asks: asks, size: size, delivered: count, isLimited: isLimited, at: now)
    }
    guard asks else { return isRepeat }
    waitsSince = now
    if probesDue > 0 { probesDue -= 1 }
    return isRepeat
  }

  /// Charges the pacer for an ack-eliciting datagram, or for a handshake datagram of at least 1,200 bytes.
  @inline(__always)
  mutating func departs(_ size: Int64, at now: Int64) {
    if paces {
      control[0].sent(Int(size), segments: 1, at: now)
    } else {
      pacer.sent(size, window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
    }
  }

  @inline(__always)
  mutating func rests(at now: Int64) {
    pacer.rests(window: window.size, datagram: datagram, smoothed: roundTrip.measured, at: now)
  }

  /// Changes the datagram size; the window keeps its size in bytes.
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

  /// Whether the congestion window limits a sender with this many bytes in flight (RFC 9002, section 7.8).
  ///
  /// It does within three packets of the window, or beyond half of it in slow start (quic-go, `isCwndLimited`).
  func isLimited(_ bytes: Int64) -> Bool {
    let whole = fullWindow
    return bytes + 3 * datagram >= whole || (window.isInSlowStart && bytes * 2 > whole)
  }

  /// How many bytes could be sent beyond those written; mutating, so that the call does not copy the sender.
  mutating func unmetQuota(written: Int64, capacity: Int64) -> Int64 {
    let room = max(0, min(fullWindow - bytesInFlight, 1 << 40)) + datagram - 1
    return min(room / datagram * capacity, edge - sent) - (written - sent)
  }

  /// How many more written bytes the sender can use.
  func room(written: Int64, capacity: Int64) -> Int64 {
    max(0, Int64(2 * min(window.size, 1 << 20)) * capacity - (written - sent))
  }

  /// Whether to ask the application for more bytes; true once per write.
  mutating func asksForMore(written: Int64, capacity: Int64) -> Bool {
    guard askedAt != written, room(written: written, capacity: capacity) > 0 else { return false }
    askedAt = written
    return true
  }
}
