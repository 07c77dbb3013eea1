extension PathConfiguration.CongestionControl {
  /// NewReno (RFC 5681, RFC 6582).
  public static let reno = Self(Reno.self)
}

/// The congestion control of Reno: one segment more for each window that has arrived, half of it after a loss.
struct Reno: CongestionAlgorithm {
  static let name = "Reno"

  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    guard let rest = window.growInSlowStart(by: acknowledged) else { return }
    window.grow(by: rest, segmentsPerIncrease: window.size)
  }

  mutating func threshold(after window: CongestionWindow) -> Int { max(window.size >> 1, 2) }
}
