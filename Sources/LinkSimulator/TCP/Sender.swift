/// The sending half of a TCP endpoint: congestion control, loss detection and timers.
///
/// It only decides; the endpoint builds the packets. The mechanisms follow Linux (net/ipv4/tcp_input.c, tcp_output.c,
/// tcp_timer.c, tcp_recovery.c); comments name the functions. It is one large value, as `tcp_sock` is, because each
/// acknowledgement reads and changes nearly all of it in place.
struct Sender: Sendable {
  /// The state of congestion control (`enum tcp_ca_state`).
  enum State: UInt8 {
    /// No sign of loss or reordering.
    case open
    /// Segments arrived out of order.
    case disorder
    /// Losses were detected and are being repaired.
    case recovery
    /// The retransmission timer expired.
    case loss
  }

  enum Timer: UInt8 {
    case none
    case retransmission
    case probe
    case reordering
  }

  /// The kind of segments to send after an acknowledgement.
  enum Repair: UInt8 {
    case nothing
    case lostSegments
    case newSegments
  }

  let clock: TickClock
  var window = CongestionWindow()
  /// The congestion control algorithm; stored in an array because reading it directly would copy the whole sender.
  var control: [any CongestionAlgorithm]
  /// The delivery rate estimator, if the algorithm sets the window; an array for the same reason as `control`.
  var rates: [DeliveryRate]
  /// When the segment that pacing holds back may leave; `.max` if pacing holds none back.
  var resumesAt = Int64.max
  var estimator = RoundTripEstimator()
  var board = Scoreboard()
  var rack = Rack()
  var reduction = Reduction()

  /// Bytes that the application has written, and bytes of these that were sent at least once.
  var written: Int64 = 0
  private(set) var sent: Int64 = 0
  /// The current payload of a full segment (`tcp_current_mss`).
  var segmentSize = Int64(Packet.maximumPayload)
  /// The end of the receiver's window, as a byte offset from the start of the connection.
  var windowEdge: Int64 = 0
  private(set) var lastSent: Int64 = 0

  var deadline = Int64.max

  /// The next new segment at entry to the present state; its acknowledgement ends the state (`high_seq`).
  var high = 0
  var undo = Undo()
  /// When the first retransmission of the present recovery was sent; 0 without one.
  var troubleSince: Int64 = 0
  /// How often the retransmission timer has expired without progress.
  var expiries = 0
  /// Retransmissions so far, and those that the receiver reported as duplicates.
  var retransmissions = 0
  var duplicatesSeen = 0
  /// Segments delivered and segments declared lost so far.
  var delivered: Int64 = 0
  var lost: Int64 = 0
  /// The most recently sent segment among those that an acknowledgement has delivered.
  var latest = LatestArrival()
  var reordering = ReorderingDegree()
  /// Every lost segment that still needs retransmission has at least this number.
  var repairHint = 0
  /// The SACK blocks of the previous acknowledgement.
  var knownBlocks = SelectiveBlocks()

  /// The value of `written` when the sender last asked for more data.
  var askedAt: Int64 = -1
  // The fields of one byte are together, after a field that does not fill its last word: there may be 80,000 senders.
  var probe = TailLossProbe()
  let paces: Bool
  let setsWindow: Bool
  var state = State.open
  var timer = Timer.none
  /// Whether a spurious timeout is still possible (F-RTO).
  var suspectsSpuriousTimeout = false
  /// Whether the sender waits until it can send a whole burst.
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

  /// Starts the sender when the handshake is complete.
  mutating func begin(at now: Int64, roundTrip: Int64, windowEdge: Int64, isCongested: Bool) {
    // RFC 5681, section 3.1: the path counts as congested after two retransmissions of the SYN or SYN-ACK, one of them
    // by timeout (`tcp_init_transfer`). It does not if the first SYN arrived after all (`tcp_try_undo_spurious_syn`).
    if isCongested { window.size = 1 }
    if roundTrip >= 0 {
      estimator.addMinimum(roundTrip)
      estimator.add(roundTrip, acknowledged: 0, next: 0)
    }
    self.windowEdge = windowEdge
    lastSent = now
    // The SYN counts as a delivered segment.
    delivered = 1
    control[0].begin(now: now, next: 0)
    control[0].connected(
      roundTrip: roundTrip, window: window.size, tick: clock.ticks(at: now), delivered: delivered)
  }

  @inline(__always)
  var isReducing: Bool { state == .recovery }

  /// How many bytes the window allows now beyond what the application has written.
  var unmetQuota: Int64 {
    let segments = min(window.size - board.inFlight, 1 << 24)
    return Int64(max(0, segments)) * Int64(Packet.maximumPayload) - (written - sent)
  }

  /// Creates the next new segment and returns its number; `nil` if windows, pacing or data allow none.
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

  /// Tells the algorithm that segments leave, which postpones the next departure.
  private mutating func pace(_ bytes: Int64, segments: Int, at now: Int64) {
    control[0].sent(Int(bytes), segments: segments, at: now)
  }

  /// Whether pacing delays the next segment.
  private mutating func mustPause(at now: Int64) -> Bool {
    let due = control[0].departure
    resumesAt = due > now ? due : .max
    return due > now
  }

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

  /// Records the receiver's new window edge, from a packet that acknowledges segments below `number`.
  @inline(__always)
  mutating func widenWindow(to edge: Int64, acknowledging number: Int) {
    windowEdge = edge
    // The offer starts after the bytes that the same packet acknowledges.
    let arrived =
      number > board.first && number <= board.next ? board[number - 1].end : acknowledged
    buffer.offered(edge - arrived)
  }

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

  /// Grows the window by the newly delivered segments, if the window limited the sender.
  mutating func grow(_ newly: Int, at now: Int64) {
    guard usage.isLimited(inSlowStart: window.isInSlowStart, size: window.size) else { return }
    control[0].grow(&window, by: newly, tick: clock.ticks(at: now))
  }

  /// Restarts after a time with nothing in flight; the window shrinks (RFC 5681, section 4.1; `tcp_cwnd_restart`).
  private mutating func resume(at now: Int64) {
    let idle = now - lastSent
    if idle > estimator.timeout, state == .open, !setsWindow {
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

  /// The next lost segment to retransmit; `nil` if none is left or the window or pacing forbids it.
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

  var burst: Int { bursts.size }

  /// Frees large memory when nothing is in flight.
  mutating func release() {
    board.release(above: 64)
  }

  mutating func releaseAll() {
    board.release(above: 0)
    rack.resent.release()
  }

  mutating func discardUnsent() {
    written = sent
    buffer.discard(beyond: sent)
  }
}
