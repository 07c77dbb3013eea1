/// Detects losses by time: a segment is lost when one that was sent later has arrived, and a little time has passed.
///
/// RACK (RFC 8985) as in net/ipv4/tcp_recovery.c. First transmissions stand in the order of their numbers and
/// retransmissions in a list of their own, so that both can be walked in the order in which they were sent.
struct Rack: Sendable {
  /// When the most recently sent of the segments that have arrived was sent, and its number.
  private(set) var sentAt = Int64.min
  private(set) var number = 0
  /// Its round trip.
  private(set) var roundTrip: Int64 = 0
  /// Whether it has changed since losses were looked for.
  var hasAdvanced = false
  /// How many quarters of the smallest round trip a segment may be late; grows when a retransmission proves needless.
  private var steps: Int64 = 1
  /// For how many more recoveries the steps stay.
  private var persistence = 0
  /// How many segments had arrived when the steps were adjusted last.
  private var adjustedAt: Int64 = 0
  /// Whether a retransmission was reported as needless since then.
  private var hasSeenDuplicate = false
  /// Segments that were sent again and may still matter, in the order of their last sending.
  var resent = Queue<(number: Int, sentAt: Int64)>()
  /// Segments below are acknowledged, deemed lost, or have been sent again.
  var cursor = 0

  /// Takes a segment that has arrived.
  mutating func advance(number: Int, segment: SentSegment, now: Int64, minimumRoundTrip: Int64) {
    let sample = now - segment.sentAt
    // It may have been the copy before the last that arrived.
    if segment.has(SentSegment.everRetransmitted), sample < minimumRoundTrip { return }
    hasAdvanced = true
    roundTrip = sample
    if segment.sentAt > sentAt || (segment.sentAt == sentAt && number > self.number) {
      sentAt = segment.sentAt
      self.number = number
    }
  }

  /// Whether what arrived was sent after this segment.
  func isSentAfter(_ number: Int, sentAt other: Int64) -> Bool {
    sentAt > other || (sentAt == other && self.number > number)
  }

  /// How much later than its successors a segment may arrive (`tcp_rack_reo_wnd`).
  func reorderingWindow(
    hasSeenReordering: Bool, isAggressive: Bool, minimumRoundTrip: Int64, smoothed: Int64
  ) -> Int64 {
    if !hasSeenReordering, isAggressive { return 0 }
    let minimum = minimumRoundTrip == .max ? 0 : minimumRoundTrip
    return min((minimum >> 2) * steps, smoothed)
  }

  /// A retransmission proved needless.
  mutating func duplicateArrived() {
    hasSeenDuplicate = true
  }

  /// Adjusts the window, at most once in a round trip (`tcp_rack_update_reo_wnd`).
  ///
  /// - Parameters:
  ///   - delivered: how many segments have arrived.
  ///   - prior: how many had when the one was sent that was sent last of those that have just arrived.
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

  /// A reduction proved needless: the steps stay for one more recovery.
  mutating func keepWindow() {
    persistence = min(16, persistence + 1)
  }

  /// A recovery has ended.
  mutating func recoveryEnded() {
    if persistence > 0 { persistence -= 1 }
  }
}
