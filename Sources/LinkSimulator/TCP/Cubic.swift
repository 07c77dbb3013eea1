/// The congestion window of CUBIC (RFC 9438) in the integer arithmetic of Linux (net/ipv4/tcp_cubic.c).
struct Cubic: Sendable {
  /// beta = 717/1024 = 0.7.
  private static let beta = 717
  private static let betaScale = 1024
  /// C = 0.4 as 410 / 1024.
  private static let scale = 410
  /// 2^40 / 410, which turns a window into the cube of a time in 1024ths of a second.
  private static let cubeFactor = (1 << 40) / scale
  /// 8 (1 + beta) / (3 (1 - beta)), in eighths of a window: how fast Reno would grow.
  private static let friendliness = 8 * (betaScale + beta) / 3 / (betaScale - beta)
  private static let ticksPerSecond: Int64 = 250

  private var count = 0
  private var lastMaximum = 0
  private var lastWindow = 0
  private var lastTick: Int64 = 0
  private var origin = 0
  private var k = 0
  /// The tick at which the epoch began; `nil` between a reduction and the next growth.
  private(set) var epochStart: Int64?
  private var acknowledged = 0
  private var renoWindow = 0
  /// The smallest delay of an acknowledged segment; 0 before there is one.
  private(set) var minimumDelay: Int64 = 0
  private var hyStart = HyStart()
  private var hasLeftSlowStart = false

  /// Begins a connection.
  mutating func begin(now: Int64, next: Int) {
    hyStart.reset(now: now, next: next)
  }

  /// Forgets everything after a retransmission timeout (`bictcp_reset`).
  mutating func reset(now: Int64, next: Int) {
    self = Cubic()
    hyStart.reset(now: now, next: next)
  }

  /// Takes the round trip of an acknowledged segment; `true` when slow start should end (`cubictcp_acked`).
  mutating func acknowledge(
    delay: Int64, window: Int, inSlowStart: Bool, now: Int64, tick: Int64, first: Int, next: Int
  ) -> Bool {
    // Samples within a second after a recovery measure what the recovery left in the queue.
    if let epochStart, tick - epochStart < Self.ticksPerSecond { return false }
    let delay = max(1, delay)
    if minimumDelay == 0 || minimumDelay > delay { minimumDelay = delay }
    guard !hasLeftSlowStart, inSlowStart else { return false }
    if hyStart.update(delay: delay, minimumDelay: minimumDelay, window: window, now: now, first: first, next: next) {
      hasLeftSlowStart = true
      return true
    }
    return false
  }

  /// How many acknowledged segments are worth one more segment in the window (`bictcp_update`).
  mutating func segmentsPerIncrease(window: Int, acknowledged newly: Int, tick: Int64) -> Int {
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
        k = Self.cubeRoot(Self.cubeFactor * (lastMaximum - window))
        origin = lastMaximum
      }
    }
    let elapsed = tick - (epochStart ?? tick) + (minimumDelay + TickClock.tick - 1) / TickClock.tick
    let time = Int(min(elapsed, 1 << 40)) << 10 / Int(Self.ticksPerSecond)
    let offset = min(abs(time - k), 1 << 17)
    let delta = (Self.scale * offset * offset * offset) >> 40
    let target = time < k ? origin - delta : origin + delta
    count = target > window ? window / (target - window) : 100 * window
    // Before the first loss the capacity is unknown: at least 5 % for each round trip.
    if lastMaximum == 0, count > 20 { count = 20 }
  }

  /// The slow-start threshold after a loss, with fast convergence (`cubictcp_recalc_ssthresh`).
  mutating func threshold(window: Int) -> Int {
    epochStart = nil
    lastMaximum =
      window < lastMaximum ? window * (Self.betaScale + Self.beta) / (2 * Self.betaScale) : window
    return max(window * Self.beta / Self.betaScale, 2)
  }

  /// Moves the epoch on by a time without anything in flight (`cubictcp_cwnd_event`).
  mutating func resume(afterIdleTicks idle: Int64, tick: Int64) {
    guard let start = epochStart, idle > 0 else { return }
    epochStart = min(start + idle, tick)
  }

  /// The integer cube root, rounded down.
  static func cubeRoot(_ value: Int) -> Int {
    guard value > 0 else { return 0 }
    var root = 1 << ((value.bitWidth - value.leadingZeroBitCount + 2) / 3)
    while true {
      let next = (2 * root + value / (root * root)) / 3
      if next >= root { return root }
      root = next
    }
  }
}
