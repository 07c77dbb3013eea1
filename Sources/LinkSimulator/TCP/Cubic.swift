extension PathConfiguration.CongestionControl {
  /// The algorithm CUBIC (RFC 9438), the default of Linux, macOS and iOS.
  public static let cubic = Self(Cubic.self)
}

/// CUBIC (RFC 9438) in the integer arithmetic of Linux (tcp_cubic.c).
struct Cubic: CongestionAlgorithm {
  static let name = "CUBIC"

  /// The factor of a reduction: beta = 717/1024 = 0.7.
  private static let beta = 717
  private static let betaScale = 1024
  /// The constant C = 0.4 of the cubic function, as 410/1024.
  private static let scale: Int64 = 410
  /// 2^40 / 410, which converts a window to the cube of a time in 1024ths of a second.
  private static let cubeFactor: Int64 = (1 << 40) / scale
  /// Reno's growth rate with CUBIC's beta, 8 (1 + beta) / (3 (1 - beta)), in eighths.
  private static let friendliness = 8 * (betaScale + beta) / 3 / (betaScale - beta)
  private static let ticksPerSecond: Int64 = 250

  private var count = 0
  private var lastMaximum = 0
  private var lastWindow = 0
  private var lastTick: Int64 = 0
  private var origin = 0
  private var k: Int64 = 0
  /// The tick at which the growth epoch began; `nil` between a reduction and the next growth.
  private var epochStart: Int64?
  private var acknowledged = 0
  private var renoWindow = 0
  /// The smallest round trip of the connection; 0 before the first sample.
  private var minimumDelay: Int64 = 0
  private var hyStart = HyStart()
  private var hasLeftSlowStart = false

  /// Resets the algorithm (`bictcp_reset`).
  mutating func begin(now: Int64, next: Int) {
    self = Cubic()
    hyStart.reset(now: now, next: next)
  }

  /// Ends slow start when HyStart finds that the queue is growing (`cubictcp_acked`).
  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow) {
    // Samples within a second after a recovery include the queue that it left.
    if let epochStart, sample.tick - epochStart < Self.ticksPerSecond { return }
    let delay = max(1, sample.delay)
    if minimumDelay == 0 || minimumDelay > delay { minimumDelay = delay }
    guard !hasLeftSlowStart, window.isInSlowStart else { return }
    if hyStart.update(sample, delay: delay, minimumDelay: minimumDelay, window: window.size) {
      hasLeftSlowStart = true
      window.threshold = window.size
    }
  }

  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    guard let rest = window.growInSlowStart(by: acknowledged) else { return }
    window.grow(
      by: rest,
      segmentsPerIncrease: segmentsPerIncrease(window: window.size, acknowledged: rest, tick: tick))
  }

  /// How many acknowledged segments grow the window by one segment (`bictcp_update`).
  private mutating func segmentsPerIncrease(window: Int, acknowledged newly: Int, tick: Int64)
    -> Int
  {
    acknowledged += newly
    if lastWindow == window, tick - lastTick <= Self.ticksPerSecond / 32 { return max(count, 2) }
    if epochStart == nil || tick != lastTick {
      lastWindow = window
      lastTick = tick
      updateTarget(window: window, newly: newly, tick: tick)
    }
    let perIncrease = (window * Self.friendliness) >> 3
    while acknowledged > perIncrease {
      acknowledged -= perIncrease
      renoWindow += 1
    }
    if renoWindow > window { count = min(count, window / (renoWindow - window)) }
    count = max(count, 2)
    return count
  }

  private mutating func updateTarget(window: Int, newly: Int, tick: Int64) {
    if epochStart == nil {
      epochStart = tick
      acknowledged = newly
      renoWindow = window
      if lastMaximum <= window {
        k = 0
        origin = window
      } else {
        k = Self.cubeRoot(Self.cubeFactor * Int64(lastMaximum - window))
        origin = lastMaximum
      }
    }
    let elapsed = tick - (epochStart ?? tick) + (minimumDelay + TickClock.tick - 1) / TickClock.tick
    let time = min(elapsed, 1 << 40) << 10 / Self.ticksPerSecond
    let offset = min(abs(time - k), 1 << 17)
    let delta = Int((Self.scale * offset * offset * offset) >> 40)
    let target = time < k ? origin - delta : origin + delta
    count = target > window ? window / (target - window) : 100 * window
    // Before the first loss the capacity is unknown: grow at least 5 % per round trip.
    if lastMaximum == 0, count > 20 { count = 20 }
  }

  /// The slow-start threshold after a loss, with fast convergence (`cubictcp_recalc_ssthresh`).
  mutating func threshold(after window: CongestionWindow) -> Int {
    epochStart = nil
    let size = window.size
    lastMaximum =
      size < lastMaximum ? size * (Self.betaScale + Self.beta) / (2 * Self.betaScale) : size
    return max(size * Self.beta / Self.betaScale, 2)
  }

  /// Shifts the epoch by the idle time, which must not count as growth (`cubictcp_cwnd_event`).
  mutating func resume(_ restart: Restart) {
    guard let start = epochStart, restart.idleTicks > 0 else { return }
    epochStart = min(start + restart.idleTicks, restart.tick)
  }

  /// The integer cube root, rounded down.
  static func cubeRoot(_ value: Int64) -> Int64 {
    guard value > 0 else { return 0 }
    var root: Int64 = 1 << ((value.bitWidth - value.leadingZeroBitCount + 2) / 3)
    while true {
      let next = (2 * root + value / (root * root)) / 3
      if next >= root { return root }
      root = next
    }
  }
}
