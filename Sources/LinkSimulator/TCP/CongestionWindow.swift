/// The congestion window: how many segments may be in flight.
struct CongestionWindow: Sendable {
  /// The initial window (RFC 6928).
  static let initial = 10
  /// The largest window, far above what any path here can use.
  static let maximum = 1 << 24

  var size = Self.initial
  /// The slow-start threshold; `.max` until the first reduction.
  var threshold = Int.max
  /// Acknowledged segments not yet used to grow the window.
  var credit = 0

  var isInSlowStart: Bool { size < threshold }

  /// Grows up to the threshold (RFC 5681, 3.1; `tcp_slow_start`); returns acknowledged segments left over, if any.
  @inline(__always)
  mutating func growInSlowStart(by acknowledged: Int) -> Int? {
    guard isInSlowStart else { return acknowledged }
    let grown = min(size + acknowledged, threshold)
    let rest = acknowledged - (grown - size)
    size = min(grown, Self.maximum)
    return rest == 0 ? nil : rest
  }

  /// Grows by one segment for every `segmentsPerIncrease` acknowledged ones (`tcp_cong_avoid_ai`).
  @inline(__always)
  mutating func grow(by acknowledged: Int, segmentsPerIncrease: Int) {
    if credit >= segmentsPerIncrease {
      credit = 0
      size += 1
    }
    credit += acknowledged
    if credit >= segmentsPerIncrease {
      let increase = credit / segmentsPerIncrease
      credit -= increase * segmentsPerIncrease
      size += increase
    }
    size = min(size, Self.maximum)
  }

  /// The slow-start threshold after an idle time: at least three quarters of the window (`tcp_current_ssthresh`).
  func currentThreshold(inReduction: Bool) -> Int {
    inReduction ? threshold : max(threshold, (size >> 1) + (size >> 2))
  }
}
