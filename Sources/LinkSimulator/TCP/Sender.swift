/// The sending half of a TCP endpoint: what may be sent now, what was lost, and when to worry.
///
/// Decides only; the endpoint makes the packets. The mechanisms follow Linux (net/ipv4/tcp_input.c, tcp_output.c,
/// tcp_timer.c, tcp_recovery.c), whose functions are named where a rule is theirs.
struct Sender: Sendable {
  /// Where the sender is between calm and alarm (`enum tcp_ca_state`).
  enum State: UInt8 {
    /// Nothing unusual.
    case open
    /// Something has arrived out of order.
    case disorder
    /// The window is being reduced without a loss.
    case reduced
    /// Losses were detected and are being repaired.
    case recovery
    /// The retransmission timer has run out.
    case loss
  }

  /// What the one timer is armed for.
  enum Timer: UInt8 {
    case none
    case retransmission
    case probe
    case reordering
  }

  /// What to send after an acknowledgement.
  enum Repair: UInt8 {
    case nothing
    case lostSegments
    case newSegments
  }

  let clock: TickClock
  var window: CongestionWindow
  var estimator = RoundTripEstimator()
  var board = Scoreboard()
  var rack = Rack()
  var reduction = Reduction()
  var state = State.open

  /// How many bytes the application has handed over, and how many of them were sent at least once.
  var written: Int64 = 0
  private(set) var sent: Int64 = 0
  /// How many bytes in all the receiver has room for.
  var windowEdge: Int64 = 0
  /// When data was sent last.
  private(set) var lastSent: Int64 = 0

  var timer = Timer.none
  var deadline = Int64.max

  /// The next new segment when the state was entered: its acknowledgement ends the state (`high_seq`).
  var high = 0
  /// Where a reduction began that may yet prove needless; `nil` when none may.
  var undoMarker: Int?
  /// How many retransmissions may yet prove needless; negative when unknown.
  var undoRetransmissions = 0
  var windowBefore = 0
  var thresholdBefore = 0
  /// When the first retransmission of the present trouble was sent; 0 when there is none.
  var troubleSince: Int64 = 0
  /// The end of what a tail loss probe covered; `nil` when none is out.
  var probeEnd: Int?
  var probeWasRetransmission = false
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
  /// How far out of order segments have been seen to arrive, at least 3.
  var reordering = 3
  var hasSeenReordering = false
  /// No lost segment that waits to be sent again lies below.
  var repairHint = 0
  /// The blocks of the acknowledgement before.
  var knownBlocks = SelectiveBlocks()

  private var usage = WindowUsage()

  init(_ algorithm: PathConfiguration.CongestionControl, clock: TickClock) {
    self.clock = clock
    window = CongestionWindow(algorithm)
  }

  /// Begins when the connection stands.
  mutating func begin(at now: Int64, roundTrip: Int64, windowEdge: Int64, synchronisesLost: Int) {
    // RFC 6298, section 5.7, and `tcp_init_transfer`: more than one lost SYN is a sign of congestion.
    if synchronisesLost > 1 { window.size = 1 }
    if roundTrip >= 0 {
      estimator.addMinimum(roundTrip)
      estimator.add(roundTrip, acknowledged: 0, next: 0)
    }
    self.windowEdge = windowEdge
    lastSent = now
    window.begin(now: now, next: 0)
  }

  /// Whether the window is being reduced.
  @inline(__always)
  var isReducing: Bool { state == .reduced || state == .recovery }

  /// How many bytes could be sent now beyond what the application has handed over.
  var unmetQuota: Int64 {
    let segments = min(window.size - board.inFlight, 1 << 24)
    return Int64(max(0, segments)) * Int64(Packet.maximumPayload) - (written - sent)
  }

  /// Makes the next new segment, when the windows allow one, and says its number.
  @inline(__always)
  mutating func nextSegment(at now: Int64, ignoringWindow: Bool = false) -> Int? {
    let available = written - sent
    guard available > 0 else { return nil }
    guard ignoringWindow || board.inFlight < window.size else { return nil }
    let length = min(Int64(Packet.maximumPayload), available)
    if sent + length > windowEdge, board.packetsOut > 0 { return nil }
    if board.packetsOut == 0 { resume(at: now) }
    sent += length
    let flags = length == available ? SentSegment.pushes : 0
    let number = board.append(SentSegment(end: sent, sentAt: now, length: Int32(length), flags: flags))
    if number == board.first || timer == .probe { armRetransmission(at: now) }
    lastSent = now
    if isReducing { reduction.sent += 1 }
    return number
  }

  /// A round of sending new segments has ended.
  mutating func sendingEnded(sentAny: Bool, at now: Int64) {
    let isLimited = board.inFlight >= window.size
    if sentAny || isLimited {
      if usage.validate(
        isLimited: isLimited, first: board.first, next: board.next, inSlowStart: window.isInSlowStart,
        size: window.size, now: now, timeout: estimator.timeout), state == .open
      {
        usage.shrink(&window)
      }
    }
    if sentAny { _ = armProbe(at: now, advancing: false) }
  }

  /// Grows the window by what has arrived, if the window was what held the sender back.
  mutating func grow(_ newly: Int, at now: Int64) {
    guard usage.isLimited(inSlowStart: window.isInSlowStart, size: window.size) else { return }
    window.grow(acknowledged: newly, tick: clock.ticks(at: now))
  }

  /// Sends after a time without anything in flight (RFC 5681, section 4.1; `tcp_cwnd_restart`).
  private mutating func resume(at now: Int64) {
    let idle = now - lastSent
    if idle > estimator.timeout, state == .open, lastSent > 0 || board.next > 0 {
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
    window.resume(afterIdleTicks: tick - clock.ticks(at: lastSent), tick: tick)
  }

  /// The next lost segment to send again, when the window allows one.
  @inline(__always)
  mutating func nextLost() -> Int? {
    guard board.lostOut > 0, board.inFlight < window.size else { return nil }
    repairHint = max(repairHint, board.first)
    while repairHint < board.next {
      let flags = board[repairHint].flags
      if flags & (SentSegment.lost | SentSegment.sacked | SentSegment.retransmitted) == SentSegment.lost {
        return repairHint
      }
      repairHint += 1
    }
    return nil
  }

  /// A segment is sent again.
  mutating func resent(_ number: Int, at now: Int64, isProbe: Bool) {
    board[number].sentAt = now
    board[number].flags |= SentSegment.everRetransmitted
    rack.resend(number, at: now)
    retransmissions += 1
    lastSent = now
    if isProbe { return }
    if !board[number].has(SentSegment.retransmitted) {
      board[number].flags |= SentSegment.retransmitted
      board.retransmittedOut += 1
    }
    if troubleSince == 0 { troubleSince = max(now, 1) }
    undoRetransmissions = max(undoRetransmissions, 0) + 1
    if isReducing { reduction.sent += 1 }
    if number == board.first, timer != .reordering { armRetransmission(at: now) }
  }

  /// Gives memory back when nothing is in flight.
  mutating func release() {
    board.release()
    rack.release()
  }

  /// Forgets what was written but not sent; says how many bytes.
  mutating func discardUnsent() -> Int64 {
    let unsent = written - sent
    written = sent
    return unsent
  }
}

/// Whether the congestion window is what limits a sender (RFC 7661 in spirit; `tcp_cwnd_validate`).
struct WindowUsage: Sendable {
  private var isLimited = false
  private var greatestOut = 0
  private var roundEnd = 0
  private var used = 0
  private var stamp: Int64 = 0

  /// Whether growth is deserved (`tcp_is_cwnd_limited`).
  @inline(__always)
  func isLimited(inSlowStart: Bool, size: Int) -> Bool {
    isLimited || (inSlowStart && size < 2 * greatestOut)
  }

  /// Takes the state after sending; `true` when the window has been too large for a whole timeout.
  mutating func validate(
    isLimited now: Bool, first: Int, next: Int, inSlowStart: Bool, size: Int, now time: Int64, timeout: Int64
  ) -> Bool {
    let out = next - first
    if first >= roundEnd || now || (!isLimited && out > greatestOut) {
      isLimited = now
      greatestOut = out
      roundEnd = next
    }
    if isLimited(inSlowStart: inSlowStart, size: size) {
      used = 0
      stamp = time
      return false
    }
    used = max(used, out)
    return time - stamp >= timeout
  }

  /// Halves the distance between the window and what was used of it (`tcp_cwnd_application_limited`).
  mutating func shrink(_ window: inout CongestionWindow) {
    let needed = max(used, CongestionWindow.initial)
    if needed < window.size {
      window.threshold = window.currentThreshold(inReduction: false)
      window.size = (window.size + needed) >> 1
    }
    used = 0
  }

  /// The window was reduced after idleness.
  mutating func restart(at now: Int64) {
    stamp = now
    used = 0
  }
}
