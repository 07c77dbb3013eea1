/// What a reduction of the window takes back if nothing was lost after all (`tcp_init_undo`, `tcp_may_undo`).
struct Undo: Sendable {
  /// Where the reduction began; `nil` when none may prove needless (`undo_marker`).
  private var marker: Int?
  /// How many copies may yet prove needless; negative when unknown (`undo_retrans`).
  private var copies = 0
  /// The window before the reduction (`prior_cwnd`).
  var window = 0
  /// The threshold before it; 0 when both stay (`prior_ssthresh`).
  var threshold = 0

  @inline(__always)
  var isPossible: Bool { marker != nil }

  /// Whether every copy was reported to have arrived beside its original.
  @inline(__always)
  var isProven: Bool { marker != nil && copies == 0 }

  /// A reduction begins, with so many copies of segments in flight.
  mutating func mark(at first: Int, copies: Int) {
    (marker, self.copies) = (first, copies == 0 ? -1 : copies)
  }

  mutating func sentAgain() { copies = max(copies, 0) + 1 }

  /// A segment below `end` has arrived twice (`tcp_check_dsack`).
  mutating func arrivedTwice(upTo end: Int) {
    if let marker, copies > 0, end > marker { copies -= 1 }
  }

  mutating func end() { marker = nil }
}

/// How far out of order segments have been seen to arrive (`tcp_check_sack_reordering`).
struct ReorderingDegree: Sendable {
  static let least = 3
  private static let greatest = 300

  private(set) var segments = least
  private(set) var isSeen = false

  mutating func note(_ distance: Int) {
    segments = max(segments, min(distance, Self.greatest))
    isSeen = true
  }

  /// A timeout shows that a segment was lost where it seemed to be late (`tcp_enter_loss`).
  mutating func reset() { segments = Self.least }
}
