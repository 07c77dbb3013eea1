/// The congestion window: how many segments may be in flight, under CUBIC or Reno.
struct CongestionWindow: Sendable {
  /// The initial window (RFC 6928).
  static let initial = 10
  /// The greatest window; far above anything a path here can use.
  static let maximum = 1 << 24

  private let algorithm: PathConfiguration.CongestionControl
  var size = Self.initial
  /// The slow-start threshold; `.max` until the first reduction.
  var threshold = Int.max
  /// Acknowledged segments that have not yet grown the window.
  var credit = 0
  private var cubic = Cubic()

  init(_ algorithm: PathConfiguration.CongestionControl) {
    self.algorithm = algorithm
  }

  @inline(__always)
  var isInSlowStart: Bool { size < threshold }

  mutating func begin(now: Int64, next: Int) {
    cubic.begin(now: now, next: next)
  }

  /// Takes the round trip of the newest acknowledged segment.
  mutating func sample(delay: Int64, now: Int64, clock: TickClock, first: Int, next: Int) {
    guard algorithm == .cubic else { return }
    if cubic.acknowledge(
      delay: delay, window: size, inSlowStart: isInSlowStart, now: now, tick: clock.ticks(at: now), first: first,
      next: next)
    {
      threshold = size
    }
  }

  /// Grows by what was acknowledged (RFC 5681, section 3.1; `tcp_slow_start`, `tcp_cong_avoid_ai`).
  mutating func grow(acknowledged: Int, tick: Int64) {
    var acknowledged = acknowledged
    if isInSlowStart {
      let grown = min(size + acknowledged, threshold)
      acknowledged -= grown - size
      size = min(grown, Self.maximum)
      if acknowledged == 0 { return }
    }
    let perIncrease =
      algorithm == .cubic
      ? cubic.segmentsPerIncrease(window: size, acknowledged: acknowledged, tick: tick) : size
    if credit >= perIncrease {
      credit = 0
      size += 1
    }
    credit += acknowledged
    if credit >= perIncrease {
      let increase = credit / perIncrease
      credit -= increase * perIncrease
      size += increase
    }
    size = min(size, Self.maximum)
  }

  /// The threshold after a loss.
  mutating func reducedThreshold() -> Int {
    algorithm == .cubic ? cubic.threshold(window: size) : max(size >> 1, 2)
  }

  /// Begins again after a retransmission timeout (`cubictcp_state`).
  mutating func restart(now: Int64, next: Int) {
    if algorithm == .cubic { cubic.reset(now: now, next: next) }
  }

  /// Data is sent after a time without anything in flight.
  mutating func resume(afterIdleTicks idle: Int64, tick: Int64) {
    if algorithm == .cubic { cubic.resume(afterIdleTicks: idle, tick: tick) }
  }

  /// The threshold that remembers the present window (`tcp_current_ssthresh`).
  func currentThreshold(inReduction: Bool) -> Int {
    inReduction ? threshold : max(threshold, (size >> 1) + (size >> 2))
  }
}
