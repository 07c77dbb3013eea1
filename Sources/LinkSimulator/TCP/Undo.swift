/// The window and threshold to restore if a reduction proves spurious (`tcp_init_undo`, `tcp_may_undo`).
struct Undo: Sendable {
  /// The oldest unacknowledged segment when the reduction began; `nil` when no undo is possible (`undo_marker`).
  private var marker: Int?
  /// Retransmissions that no D-SACK has reported yet; negative until there is a retransmission (`undo_retrans`).
  private var copies = 0
  /// The window before the reduction (`prior_cwnd`).
  var window = 0
  /// The threshold before the reduction (`prior_ssthresh`).
  var threshold = 0

  @inline(__always)
  var isPossible: Bool { marker != nil }

  /// Whether a D-SACK has reported every retransmission as a duplicate.
  @inline(__always)
  var isProven: Bool { marker != nil && copies == 0 }

  /// Records the start of a reduction; `copies` is the number of retransmissions in flight.
  mutating func mark(at first: Int, copies: Int) {
    (marker, self.copies) = (first, copies == 0 ? -1 : copies)
  }

  mutating func sentAgain() { copies = max(copies, 0) + 1 }

  /// Records a D-SACK of a segment before `end` (`tcp_check_dsack`).
  mutating func arrivedTwice(upTo end: Int) {
    if let marker, copies > 0, end > marker { copies -= 1 }
  }

  mutating func end() { marker = nil }
}

/// The largest reordering seen, in segments (`tcp_check_sack_reordering`).
struct ReorderingDegree: Sendable {
  static let least = 3
  private static let greatest = 300

  private(set) var segments = least
  private(set) var isSeen = false

  mutating func note(_ distance: Int) {
    segments = max(segments, min(distance, Self.greatest))
    isSeen = true
  }

  /// Resets the distance after a timeout: the segments were lost, not reordered (`tcp_enter_loss`).
  mutating func reset() { segments = Self.least }
}
