/// When a receiver sends acknowledgements: at once, for every second segment, or after a delay.
///
/// RFC 5681, section 4.2, as Linux does it (tcp_input.c: `tcp_event_data_recv`, `__tcp_ack_snd_check`; tcp_output.c:
/// `tcp_send_delayed_ack`; tcp.c: `tcp_cleanup_rbuf`).
struct AcknowledgementPacing: Sendable {
  /// The shortest delay of an acknowledgement, in nanoseconds (TCP_ATO_MIN).
  private static let delay: Int64 = 40_000_000
  /// The longest delay of an acknowledgement, in nanoseconds (TCP_DELACK_MAX).
  private static let greatestDelay: Int64 = 200_000_000
  /// How many acknowledgements at a connection's start go without a delay (TCP_MAX_QUICKACKS).
  private static let quickAcknowledgements: Int64 = 16
  /// How many duplicate acknowledgements are sent at once before compression starts (TCP_FASTRETRANS_THRESH).
  private static let duplicateThreshold = 3
  /// The most duplicate acknowledgements that are compressed into one (`tcp_comp_sack_nr`).
  private static let thinned = 44
  /// The longest delay of a compressed acknowledgement, in nanoseconds (`tcp_comp_sack_delay_ns`).
  private static let thinningDelay: Int64 = 1_000_000

  var isScheduled = false
  var mustSendNow = false
  /// Whether data flows both ways, so that acknowledgements can travel with data.
  private var isInteractive = false
  /// The estimated size of the peer's full segments (`rcv_mss`).
  private(set) var segmentSize: Int32 = 536
  /// What the last acknowledgement covered, in segments; `acknowledgedBytes` counts bytes.
  private(set) var acknowledged = 0
  private(set) var acknowledgedBytes: Int64 = 0
  /// When a delayed acknowledgement is due; `thinnedUntil` is the time for a compressed one; `.max` for none.
  private(set) var delayedUntil = Int64.max
  private(set) var thinnedUntil = Int64.max

  private var quick: Int64 = 0
  private var timeout: Int64 = 0
  private var lastArrival: Int64 = 0
  private var pushed = 0
  private var duplicates = 0
  private var duplicatesOf = 0
  private var thinnedCount = 0

  /// When the earlier of the two timers expires.
  var deadline: Int64 { min(delayedUntil, thinnedUntil) }

  /// Processes a segment that arrived in order.
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

  /// Makes the next acknowledgement quick, after the window has grown (`tcp_grow_window`).
  mutating func windowGrew() {
    quick |= 1
  }

  /// Enters quick mode after a duplicate segment: the peer has probably missed an acknowledgement.
  mutating func becomeQuick(offered: Int64) {
    growQuick(offered: offered)
    isInteractive = false
    timeout = Self.delay
  }

  private mutating func growQuick(offered: Int64) {
    let fitting = max(2, offered / Int64(2 * segmentSize))
    quick = max(quick, min(fitting, Self.quickAcknowledgements))
  }

  /// Marks the connection as interactive if this data answers recent data of the peer.
  mutating func dataSent(at now: Int64) {
    if now - lastArrival < timeout { isInteractive = true }
  }

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

  /// Decides whether to acknowledge now; otherwise it arms a timer.
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
    // The application reads at once, so a short segment or the end of a write is acknowledged immediately.
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
      // A pending acknowledgement goes now if little of its delay is left; it is never postponed.
      if delayedUntil <= clock.expiry(after: wait >> 2, from: now) { return true }
      delayedUntil = min(delayedUntil, due)
    } else {
      delayedUntil = due
    }
    return false
  }

  /// Handles an expired timer; returns whether an acknowledgement must be sent.
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
