/// CUBIC (RFC 9438) as QUIC stacks have it: with fractions of packets, updated at every acknowledgement.
///
/// Linux grows in whole segments and checks the time every 31 ms, so it is slower at small windows and short round
/// trips. This follows quic-go's `internal/congestion/cubic.go`. Windows are in 1024ths of a packet.
struct QuicCubic: QuicAlgorithm {
  static let name = Cubic.name

  /// The factor of a reduction, beta = 717/1024 = 0.7; `convergence` is 0.85 (fast convergence).
  private static let beta: Int64 = 717
  private static let convergence: Int64 = 870
  /// Reno's growth rate, 3 (1 - beta) / (1 + beta), in 1024ths (RFC 9438, section 4.3).
  private static let friendliness = 3 * unit * (unit - beta) / (unit + beta)

  var exact: Int64 = 0
  private var greatest: Int64 = 0
  private var origin: Int64 = 0
  private var renoWindow: Int64 = 0
  /// When the growth epoch began, in nanoseconds; `k` is K of RFC 9438, section 4.2, in 1024ths of a second.
  private var epochStart: Int64?
  private var k: Int64 = 0
  var slowStart = QuicSlowStart()

  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    guard let rest = window.growInSlowStart(by: acknowledged) else { return }
    adopt(window)
    let newly = Int64(rest) * Self.unit
    let now = tick * TickClock.tick
    if epochStart == nil { beginEpoch(at: now) }
    let elapsed = min(now - (epochStart ?? now) + slowStart.minimumDelay, 1 << 40)
    let time = elapsed * Self.unit / 1_000_000_000
    // The constant C = 0.4 as 410/1024 (RFC 9438, section 4.2).
    let offset = min(abs(time - k), 1 << 17)
    let delta = (410 * offset * offset * offset) >> 30
    let target = min(time < k ? origin - delta : origin + delta, exact + newly / 2)
    renoWindow += newly * Self.friendliness / max(1, renoWindow)
    exact = min(max(target, renoWindow), Int64(CongestionWindow.maximum) * Self.unit)
    window.size = whole
  }

  private mutating func beginEpoch(at now: Int64) {
    epochStart = now
    renoWindow = exact
    origin = max(greatest, exact)
    k = Cubic.cubeRoot(((1 << 40) / 410) * (origin - exact) / Self.unit)
  }

  mutating func threshold(after window: CongestionWindow) -> Int {
    adopt(window)
    greatest = exact + Self.unit < greatest ? exact * Self.convergence / Self.unit : exact
    epochStart = nil
    exact = max(exact * Self.beta / Self.unit, 2 * Self.unit)
    return whole
  }

  /// Ends the epoch after idleness or an application limit: that time does not grow the window.
  mutating func resume(_ restart: Restart) {
    epochStart = nil
  }
}
