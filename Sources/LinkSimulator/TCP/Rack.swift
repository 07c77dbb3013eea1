/// Detects losses by time: a segment is lost a short time after a later-sent segment has arrived.
///
/// RACK (RFC 8985) as in tcp_recovery.c. First transmissions are ordered by number, and a separate list orders
/// retransmissions. So a search visits each group in the order of sending.
struct Rack: Sendable {
  /// The latest sending time of any delivered segment; `number` is the segment's number.
  private(set) var sentAt = Int64.min
  private(set) var number = 0
  /// The newest round-trip sample, in nanoseconds.
  private(set) var roundTrip: Int64 = 0
  /// The reordering window in quarters of the smallest round trip; it grows after a spurious retransmission.
  private var steps: Int64 = 1
  /// How many more recoveries keep the widened window.
  private var persistence = 0
  /// The delivered count when the window was last adjusted.
  private var adjustedAt: Int64 = 0
  /// Retransmitted segments that may still be in flight, in the order of their last transmission.
  var resent = Queue<(number: Int, sentAt: Int64)>()
  /// All segments before this one are acknowledged, marked as lost, or retransmitted.
  var cursor = 0
  /// Whether a later-sent segment has arrived since the last search for losses.
  var hasAdvanced = false
  /// Whether a spurious retransmission was reported since the last adjustment.
  private var hasSeenDuplicate = false

  mutating func advance(number: Int, segment: SentSegment, now: Int64, minimumRoundTrip: Int64) {
    let sample = now - segment.sentAt
    // The acknowledgement may belong to an earlier transmission of the segment.
    if segment.has(SentSegment.everRetransmitted), sample < minimumRoundTrip { return }
    hasAdvanced = true
    roundTrip = sample
    if segment.sentAt > sentAt || (segment.sentAt == sentAt && number > self.number) {
      sentAt = segment.sentAt
      self.number = number
    }
  }

  /// Whether the latest-sent delivered segment was sent after this one.
  func isSentAfter(_ number: Int, sentAt other: Int64) -> Bool {
    sentAt > other || (sentAt == other && self.number > number)
  }

  /// The reordering window in nanoseconds: how late a segment may arrive before it counts as lost (`tcp_rack_reo_wnd`).
  func reorderingWindow(
    hasSeenReordering: Bool, isAggressive: Bool, minimumRoundTrip: Int64, smoothed: Int64
  ) -> Int64 {
    if !hasSeenReordering, isAggressive { return 0 }
    let minimum = minimumRoundTrip == .max ? 0 : minimumRoundTrip
    return min((minimum >> 2) * steps, smoothed)
  }

  mutating func duplicateArrived() {
    hasSeenDuplicate = true
  }

  /// Adjusts the reordering window, at most once per round trip (`tcp_rack_update_reo_wnd`).
  ///
  /// - Parameters:
  ///   - delivered: how many segments have been delivered.
  ///   - prior: the delivered count when the newest acknowledged segment was sent.
  @inline(__always)
  mutating func adjust(delivered: Int64, prior: Int64) {
    if hasSeenDuplicate {
      if prior >= adjustedAt {
        steps = min(255, steps + 1)
        adjustedAt = delivered
        persistence = 16
      }
      hasSeenDuplicate = false
    } else if persistence == 0 {
      steps = 1
    }
  }

  /// Keeps the widened window for one more recovery, after a spurious reduction.
  mutating func keepWindow() {
    persistence = min(16, persistence + 1)
  }

  mutating func recoveryEnded() {
    if persistence > 0 { persistence -= 1 }
  }
}
