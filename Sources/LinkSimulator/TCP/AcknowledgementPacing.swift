/// When a receiver acknowledges: at once, with every second segment, or after a while.
///
/// RFC 5681, section 4.2, as Linux does it (net/ipv4/tcp_input.c: `tcp_event_data_recv`, `__tcp_ack_snd_check`;
/// net/ipv4/tcp_output.c: `tcp_send_delayed_ack`; net/ipv4/tcp.c: `tcp_cleanup_rbuf`).
struct AcknowledgementPacing: Sendable {
  /// The least time that an acknowledgement is put off (TCP_ATO_MIN).
  private static let delay: Int64 = 40_000_000
  /// The greatest (TCP_DELACK_MAX).
  private static let greatestDelay: Int64 = 200_000_000
  /// How many acknowledgements at the start are quick (TCP_MAX_QUICKACKS).
  private static let quickAcknowledgements: Int64 = 16
  /// How many duplicate acknowledgements are sent at once before they are thinned (TCP_FASTRETRANS_THRESH).
  private static let duplicateThreshold = 3
  /// How many thinned acknowledgements one stands for (`tcp_comp_sack_nr`).
  private static let thinned = 44
  /// The greatest time that a duplicate acknowledgement is put off (`tcp_comp_sack_delay_ns`).
  private static let thinningDelay: Int64 = 1_000_000

  /// Whether something has arrived that is not acknowledged.
  var isScheduled = false
  /// Whether the next chance to acknowledge must be taken.
  var mustSendNow = false
  /// The end of what the last acknowledgement covered, in segments and in bytes.
  private(set) var acknowledged = 0
  private(set) var acknowledgedBytes: Int64 = 0
  /// When the delayed acknowledgement goes, and when a thinned one does; `.max` when none waits.
  private(set) var delayedUntil = Int64.max
  private(set) var thinnedUntil = Int64.max

  private var quick: Int64 = 0
  /// Whether the connection answers data with data, so that acknowledgements travel on it.
  private var isInteractive = false
  private var timeout: Int64 = 0
  private var lastArrival: Int64 = 0
  /// The size of a full segment, as far as is known (`rcv_mss`).
  private(set) var segmentSize: Int32 = 536
  private var pushed = 0
  private var duplicates = 0
  private var duplicatesOf = 0
  private var thinnedCount = 0

  /// When something is to be done next.
  var deadline: Int64 { min(delayedUntil, thinnedUntil) }

  /// A segment has arrived in order.
  @inline(__always)
  mutating func arrived(
    length: Int32, pushes: Bool, at now: Int64, timeout retransmission: Int64, offered: Int64
  ) {
    if length >= segmentSize {
      segmentSize = length
      if pushes { pushed = max(pushed, 1) }
    } else {
      pushed += 1
    }
    if timeout == 0 {
      growQuick(offered: offered)
      timeout = Self.delay
    } else {
      let gap = now - lastArrival
      if gap <= Self.delay / 2 {
        timeout = timeout >> 1 + Self.delay / 2
      } else if gap < timeout {
        timeout = min(timeout >> 1 + gap, retransmission)
      } else if gap > retransmission {
        growQuick(offered: offered)
      }
    }
    lastArrival = now
  }

  /// A growing window makes the next acknowledgement quick (`tcp_grow_window`).
  mutating func windowGrew() {
    quick |= 1
  }

  /// Something arrived twice: the other side is waiting for an acknowledgement that was lost.
  mutating func becomeQuick(offered: Int64) {
    growQuick(offered: offered)
    isInteractive = false
    timeout = Self.delay
  }

  private mutating func growQuick(offered: Int64) {
    let fitting = max(2, offered / Int64(2 * segmentSize))
    quick = max(quick, min(fitting, Self.quickAcknowledgements))
  }

  /// Data goes out: an answer to what came in makes the connection interactive.
  mutating func dataSent(at now: Int64) {
    if now - lastArrival < timeout { isInteractive = true }
  }

  /// An acknowledgement has gone out, alone or with data.
  mutating func acknowledgementSent(next: Int, bytes: Int64) {
    if isScheduled, quick > 0 {
      quick -= 1
      if quick == 0 { timeout = Self.delay }
    }
    isScheduled = false
    mustSendNow = false
    pushed = 0
    acknowledged = next
    acknowledgedBytes = bytes
    delayedUntil = .max
    thinnedUntil = .max
    thinnedCount = 0
  }

  /// Whether to acknowledge now; otherwise a timer is armed.
  @inline(__always)
  mutating func decide(
    unacknowledged: Int64, hasHoles: Bool, next: Int, now: Int64, timeout retransmission: Int64,
    smoothed: Int64,
    roundTrip: Int64, clock: TickClock
  ) -> Bool {
    if unacknowledged > Int64(segmentSize) || (quick > 0 && !isInteractive) || mustSendNow {
      return true
    }
    if hasHoles {
      return thin(
        next: next, now: now, roundTrip: smoothed > 0 ? min(roundTrip, smoothed) : roundTrip)
    }
    // The application reads at once: a short segment, or the end of a write, is acknowledged as soon as it is read.
    if pushed >= 2 || (pushed == 1 && !isInteractive) { return true }
    return delay(now: now, timeout: retransmission, smoothed: smoothed, clock: clock)
  }

  private mutating func thin(next: Int, now: Int64, roundTrip: Int64) -> Bool {
    if duplicatesOf != next {
      duplicatesOf = next
      duplicates = 0
    }
    if duplicates < Self.duplicateThreshold {
      duplicates += 1
      return true
    }
    if thinnedCount >= Self.thinned { return true }
    thinnedCount += 1
    if thinnedUntil == .max { thinnedUntil = now + min(Self.thinningDelay, roundTrip / 3) }
    return false
  }

  private mutating func delay(
    now: Int64, timeout retransmission: Int64, smoothed: Int64, clock: TickClock
  ) -> Bool {
    var wait = timeout
    if wait > Self.delay {
      var limit: Int64 = isInteractive || pushed > 0 ? Self.greatestDelay : 500_000_000
      if smoothed > 0 { limit = min(limit, max(smoothed, Self.delay)) }
      wait = min(wait, limit)
    }
    wait = min(wait, retransmission)
    let due = clock.expiry(after: wait, from: now)
    if delayedUntil != .max {
      // One that is already waiting goes now when little of its time is left, and is never put off further.
      if delayedUntil <= clock.expiry(after: wait >> 2, from: now) { return true }
      delayedUntil = min(delayedUntil, due)
    } else {
      delayedUntil = due
    }
    return false
  }

  /// A timer has run out; `true` when an acknowledgement must be sent.
  mutating func timerFired(at now: Int64, timeout retransmission: Int64) -> Bool {
    if thinnedUntil <= now {
      thinnedUntil = .max
      if thinnedCount > 0 { return true }
    }
    guard delayedUntil <= now else { return false }
    delayedUntil = .max
    guard isScheduled else { return false }
    if isInteractive {
      isInteractive = false
      timeout = Self.delay
    } else {
      timeout = min(timeout << 1, retransmission)
    }
    return true
  }
}
