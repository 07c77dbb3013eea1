/// Reno as quic-go has it: a loss leaves seven tenths of the window.
///
/// See `renoBeta` in `internal/congestion/cubic_sender.go`; RFC 9002, section 7.3.2, leaves half.
struct QuicReno: QuicAlgorithm {
  static let name = Reno.name

  var exact: Int64 = 0
  var slowStart = QuicSlowStart()

  /// Grows the window by one packet for each acknowledged window.
  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    guard let rest = window.growInSlowStart(by: acknowledged) else { return }
    adopt(window)
    window.credit += rest
    guard window.credit >= exact / Self.unit else { return }
    window.credit = 0
    exact = min(exact + Self.unit, Int64(CongestionWindow.maximum) * Self.unit)
    window.size = whole
  }

  mutating func threshold(after window: CongestionWindow) -> Int {
    adopt(window)
    exact = max(exact * 7 / 10, 2 * Self.unit)
    return whole
  }
}

/// A congestion-control algorithm for QUIC, with a window in fractions of a packet and ``QuicSlowStart``.
protocol QuicAlgorithm: CongestionAlgorithm {
  /// The window in 1024ths of a packet.
  var exact: Int64 { get set }
  var slowStart: QuicSlowStart { get set }
}

extension QuicAlgorithm {
  static var unit: Int64 { 1_024 }

  /// The window in whole packets, rounded up: a packet may leave while less than the window is in flight.
  var whole: Int { Int((exact + Self.unit - 1) / Self.unit) }

  /// Keeps the window's bytes when the packet size changes.
  mutating func resize(_ window: inout CongestionWindow, from before: Int64, to size: Int64) {
    adopt(window)
    exact = max(exact * before / size, Int64(QuicSender.leastWindow) * Self.unit)
    window.size = whole
  }

  /// Updates `exact` if other code has changed the window.
  mutating func adopt(_ window: CongestionWindow) {
    if window.size != whole { exact = Int64(window.size) * Self.unit }
  }

  mutating func begin(now: Int64, next: Int) {
    self = Self()
    slowStart.begin(now: now, next: next)
  }

  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow) {
    slowStart.measured(sample, &window)
  }
}

/// Ends slow start when round trips grow, as QUIC stacks do (quic-go, `hybrid_slow_start.go`).
struct QuicSlowStart: Sendable {
  /// The smallest round trip; 0 before the first sample.
  private(set) var minimumDelay: Int64 = 0
  private var hyStart = HyStart()
  private var isOver = false

  mutating func begin(now: Int64, next: Int) { hyStart.reset(now: now, next: next) }

  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow) {
    let delay = max(1, sample.delay)
    minimumDelay = minimumDelay == 0 ? delay : min(minimumDelay, delay)
    guard !isOver, window.isInSlowStart else { return }
    if hyStart.update(sample, delay: delay, minimumDelay: minimumDelay, window: window.size) {
      isOver = true
      window.threshold = window.size
    }
  }
}
