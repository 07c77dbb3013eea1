/// Reno as quic-go has it, and by default: after a loss seven tenths of the window are left (`renoBeta` in
/// `internal/congestion/cubic_sender.go`), where RFC 9002, section 7.3.2, leaves a half.
struct QuicReno: QuicAlgorithm {
  static let name = Reno.name

  var slowStart = QuicSlowStart()

  /// One packet more for each window that has arrived.
  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    guard let rest = window.growInSlowStart(by: acknowledged) else { return }
    window.credit += rest
    guard window.credit >= window.size else { return }
    window.credit = 0
    window.size = min(window.size + 1, CongestionWindow.maximum)
  }

  mutating func threshold(after window: CongestionWindow) -> Int { max(window.size * 7 / 10, 2) }
}

/// An algorithm of QUIC whose slow start ends by ``QuicSlowStart``.
protocol QuicAlgorithm: CongestionAlgorithm {
  var slowStart: QuicSlowStart { get set }
}

extension QuicAlgorithm {
  mutating func begin(now: Int64, next: Int) {
    self = Self()
    slowStart.begin(now: now, next: next)
  }

  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow) {
    slowStart.measured(sample, &window)
  }
}

/// Ends slow start when round trips grow, as the algorithms of QUIC do it (quic-go, `hybrid_slow_start.go`).
struct QuicSlowStart: Sendable {
  /// The smallest round trip; 0 before there is one.
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
