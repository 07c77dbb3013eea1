extension PathConfiguration.CongestionControl {
  /// The algorithm NewReno (RFC 5681, RFC 6582).
  public static let reno = Self(Reno.self)
}

/// Reno: grows by one segment per round trip, and halves the window after a loss.
struct Reno: CongestionAlgorithm {
  static let name = "Reno"

  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    guard let rest = window.growInSlowStart(by: acknowledged) else { return }
    window.grow(by: rest, segmentsPerIncrease: window.size)
  }

  mutating func threshold(after window: CongestionWindow) -> Int { max(window.size >> 1, 2) }
}
