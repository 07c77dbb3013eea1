/// The sending half of a TCP endpoint: what may be sent now, what was lost, and when to worry.
///
/// Decides only; the endpoint makes the packets. The mechanisms follow Linux (net/ipv4/tcp_input.c, tcp_output.c,
/// tcp_timer.c, tcp_recovery.c), whose functions are named where a rule is theirs. It is one large value, as `tcp_sock` is:
/// each acknowledgement reads and changes nearly all of it, in place.
struct Sender: Sendable {
  /// Where the sender is between calm and alarm (`enum tcp_ca_state`).
  enum State: UInt8 {
    /// Nothing unusual.
    case open
    /// Something has arrived out of order.
    case disorder
    /// Losses were detected and are being repaired.
    case recovery
    /// The retransmission timer has run out.
    case loss
  }

  /// The purpose that the one timer is armed for.
  enum Timer: UInt8 {
    case none
    case retransmission
    case probe
    case reordering
  }

  /// The segments to send after an acknowledgement.
  enum Repair: UInt8 {
    case nothing
    case lostSegments
    case newSegments
  }

  let clock: TickClock
  var window = CongestionWindow()
  /// The algorithm that sets the window, in an array since each look at a sender that held it would copy the whole.
  var control: [any CongestionAlgorithm]
  let paces: Bool
  let setsWindow: Bool
  /// The rates of delivery, where the algorithm asks for them; an array for the same reason.
  var rates: [DeliveryRate]
  /// When the segment may leave that pacing holds back; `.max` while it holds none back.
  var resumesAt = Int64.max
  var estimator = RoundTripEstimator()
  var board = Scoreboard()
  var rack = Rack()
  var reduction = Reduction()
  var state = State.open

  /// How many bytes the application has handed over, and how many of them were sent at least once.
  var written: Int64 = 0
  private(set) var sent: Int64 = 0
  /// The payload of a full segment now (`tcp_current_mss`).
  var segmentSize = Int64(Packet.maximumPayload)
  /// How many bytes in all the receiver has room for.
  var windowEdge: Int64 = 0
  /// When data was sent last.
  private(set) var lastSent: Int64 = 0

  var timer = Timer.none
  var deadline = Int64.max

  /// The next new segment when the state was entered: its acknowledgement ends the state (`high_seq`).
  var high = 0
  var undo = Undo()
  /// When the first retransmission of the present trouble was sent; 0 when there is none.
  var troubleSince: Int64 = 0
  var probe = TailLossProbe()
  /// How often the retransmission timer has run out without progress.
  var expiries = 0
  /// Whether a spurious timeout is still possible (F-RTO).
  var suspectsSpuriousTimeout = false
  /// Retransmissions so far, and how many of them were reported as needless.
  var retransmissions = 0
  var duplicatesSeen = 0
  /// Segments that arrived, and segments deemed lost, so far.
  var delivered: Int64 = 0
  var lost: Int64 = 0
  /// Of the segments that an acknowledgement has brought, the one that was sent last.
  var latest = LatestArrival()
  var reordering = ReorderingDegree()
  /// No lost segment that waits to be sent again lies below.
  var repairHint = 0
  /// The blocks of the acknowledgement before.
  var knownBlocks = SelectiveBlocks()

  /// How much was written when more was asked for.
  var askedAt: Int64 = -1
  /// Whether less than a burst may be sent, and is held back.
  private var isWaiting = false
  private var usage = WindowUsage()
  var buffer: SendBuffer
  private var bursts = SegmentBursts()

  init(_ control: PathConfiguration.CongestionControl, clock: TickClock) {
    self.clock = clock
    self.control = [control.algorithm.init()]
    paces = control.algorithm.paces
    setsWindow = control.algorithm.setsWindow
    rates = setsWindow ? [DeliveryRate()] : []
    buffer = SendBuffer(windows: control.algorithm.bufferedWindows)
  }

  /// Begins when the connection stands.
  mutating func begin(at now: Int64, roundTrip: Int64, windowEdge: Int64, isCongested: Bool) {
    // RFC 5681, section 3.1: after more than one repetition of the SYN or SYN-ACK, at least one of them for lack of an
    // answer, the path is taken for congested (`tcp_init_transfer`), unless the first arrived after all
    // (`tcp_try_undo_spurious_syn`).
    if isCongested { window.size = 1 }
    if roundTrip >= 0 {
      estimator.addMinimum(roundTrip)
      estimator.add(roundTrip, acknowledged: 0, next: 0)
    }
    self.windowEdge = windowEdge
    lastSent = now
    // The SYN counts.
    delivered = 1
    control[0].begin(now: now, next: 0)
    control[0].connected(
      roundTrip: roundTrip, window: window.size, tick: clock.ticks(at: now), delivered: delivered)
  }

  /// Whether the window is being reduced.
  @inline(__always)
  var isReducing: Bool { state == .recovery }

  /// How many bytes could be sent now beyond what the application has handed over.
  var unmetQuota: Int64 {
    let segments = min(window.size - board.inFlight, 1 << 24)
    return Int64(max(0, segments)) * Int64(Packet.maximumPayload) - (written - sent)
  }

  /// Makes the next new segment, when the windows allow one, and says its number.
  @inline(__always)
  mutating func nextSegment(at now: Int64, ignoringWindow: Bool = false) -> Int? {
    let available = buffer.taken - sent
    guard available > 0 else { return nil }
    guard ignoringWindow || board.inFlight < window.size else { return nil }
    let length = min(segmentSize, available)
    if sent + length > windowEdge, board.packetsOut > 0 { return nil }
    if paces, !ignoringWindow, bursts.left == 0, mustPause(at: now) { return nil }
    if board.packetsOut == 0 { resume(at: now) }
    let beginsBuffer = bursts.left == 0
    if beginsBuffer, !ignoringWindow {
      if shouldWait(available, at: now) { return nil }
      buffer.pushed()
      bursts.begin(window: window.size, inFlight: board.inFlight, unsent: available)
      if paces {
        pace(
          min(available, Int64(bursts.left * Packet.maximumPayload)), segments: bursts.left, at: now
        )
      }
    }
    if beginsBuffer { board.buffersOut += 1 }
    sent += length
    var flags: UInt8 = sent == written ? SentSegment.pushes : 0
    if bursts.advance() { flags |= SentSegment.endsBurst }
    if bursts.left == 0 { flags |= SentSegment.endsBuffer }
    if setsWindow {
      rates[0].sent(
        board.next, at: now, first: board.first, packetsOut: board.packetsOut, delivered: delivered)
    }
    let number = board.append(
      SentSegment(
        end: sent, sentAt: now, delivered: UInt32(truncatingIfNeeded: delivered),
        length: Int16(length), flags: flags))
    if number == board.first || timer == .probe { armRetransmission(at: now) }
    lastSent = now
    if isReducing { reduction.sent += 1 }
    if bursts.left == 0, buffer.isAwaited { growBuffer() }
    return number
  }

  /// Segments leave, which puts off the next.
  private mutating func pace(_ bytes: Int64, segments: Int, at now: Int64) {
    control[0].sent(Int(bytes), segments: segments, at: now)
  }

  /// Whether pacing wants the next segment to leave later.
  private mutating func mustPause(at now: Int64) -> Bool {
    let due = control[0].departure
    resumesAt = due > now ? due : .max
    return due > now
  }

  /// Whether to wait until a whole burst may be sent.
  @inline(__always)
  private mutating func shouldWait(_ available: Int64, at now: Int64) -> Bool {
    if paces {
      bursts.update(size: control[0].burst(minimumRoundTrip: estimator.minimum))
    } else {
      bursts.update(
        window: window.size, threshold: window.threshold, packetsOut: board.packetsOut,
        smoothed: estimator.smoothed,
        minimumRoundTrip: estimator.minimum)
    }
    guard
      available > Int64(Packet.maximumPayload), board.packetsOut > 0, state != .recovery,
      state != .loss,
      !buffer.pushesOne
    else {
      isWaiting = false
      return false
    }
    isWaiting = bursts.shouldWait(
      room: window.size - board.inFlight, window: window.size,
      sinceSent: now - (paces ? max(lastSent, control[0].departure) : lastSent),
      sinceHead: now - board[board.first].sentAt, smoothed: estimator.smoothed)
    return isWaiting
  }

  /// The receiver offers room up to here.
  @inline(__always)
  mutating func widenWindow(to edge: Int64, acknowledging number: Int) {
    windowEdge = edge
    // The bytes that the packet acknowledges itself are no part of its offer.
    let arrived =
      number > board.first && number <= board.next ? board[number - 1].end : acknowledged
    buffer.offered(edge - arrived)
  }

  /// A round of sending new segments has ended.
  mutating func sendingEnded(sentAny: Bool, at now: Int64) {
    let isLimited = board.inFlight >= window.size || isWaiting
    isWaiting = false
    if bursts.left > 0 {
      board[board.next - 1].flags |= SentSegment.endsBuffer
      bursts.end()
    }
    buffer.pushed()
    if sentAny || isLimited {
      if usage.validate(
        isLimited: isLimited, first: board.first, next: board.next,
        inSlowStart: window.isInSlowStart,
        size: window.size, now: now, timeout: estimator.timeout), state == .open, !setsWindow
      {
        usage.shrink(&window)
      }
    }
    if sentAny { _ = armProbe(at: now, advancing: false) }
  }

  /// Grows the window by what has arrived, if the window was what held the sender back.
  mutating func grow(_ newly: Int, at now: Int64) {
    guard usage.isLimited(inSlowStart: window.isInSlowStart, size: window.size) else { return }
    control[0].grow(&window, by: newly, tick: clock.ticks(at: now))
  }

  /// Sends after a time without anything in flight (RFC 5681, section 4.1; `tcp_cwnd_restart`).
  private mutating func resume(at now: Int64) {
    let idle = now - lastSent
    if idle > estimator.timeout, state == .open, !setsWindow, lastSent > 0 || board.next > 0 {
      window.threshold = window.currentThreshold(inReduction: false)
      let floor = min(CongestionWindow.initial, window.size)
      var left = idle - estimator.timeout
      while left > 0, window.size > floor {
        window.size >>= 1
        left -= estimator.timeout
      }
      window.size = max(window.size, floor)
      usage.restart(at: now)
    }
    let tick = clock.ticks(at: now)
    control[0].resume(
      Restart(
        now: now, tick: tick, idleTicks: tick - clock.ticks(at: lastSent),
        isLimited: rates.first?.isLimited ?? false))
  }

  /// The next lost segment to send again, when the window allows one.
  @inline(__always)
  mutating func nextLost(at now: Int64) -> Int? {
    guard board.lostOut > 0, board.inFlight < window.size else { return nil }
    repairHint = max(repairHint, board.first)
    while repairHint < board.next {
      let flags = board[repairHint].flags
      if flags & (SentSegment.lost | SentSegment.sacked | SentSegment.retransmitted)
        == SentSegment.lost
      {
        return paces && mustPause(at: now) ? nil : repairHint
      }
      repairHint += 1
    }
    return nil
  }

  /// A segment is sent again.
  mutating func resent(_ number: Int, at now: Int64, isProbe: Bool) {
    board[number].sentAt = now
    board[number].delivered = UInt32(truncatingIfNeeded: delivered)
    if setsWindow {
      rates[0].sent(
        number, at: now, first: board.first, packetsOut: board.packetsOut, delivered: delivered)
    }
    board[number].flags |= SentSegment.everRetransmitted
    rack.resent.append((number, now))
    retransmissions += 1
    lastSent = now
    if paces { pace(Int64(board[number].length), segments: 1, at: now) }
    if isProbe { return }
    if !board[number].has(SentSegment.retransmitted) {
      board[number].flags |= SentSegment.retransmitted
      board.retransmittedOut += 1
    }
    if troubleSince == 0 { troubleSince = max(now, 1) }
    undo.sentAgain()
    if isReducing { reduction.sent += 1 }
    if number == board.first, timer != .reordering { armRetransmission(at: now) }
  }

  /// How many segments leave in one go.
  var burst: Int { bursts.size }

  /// Gives memory back when nothing is in flight.
  mutating func release() {
    board.release()
    rack.resent.removeAll()
  }

  /// Forgets what was written but not sent.
  mutating func discardUnsent() {
    written = sent
    buffer.discard(beyond: sent)
  }
}
