/// Proportional rate reduction: spreads the halving of the window over a round trip.
///
/// RFC 6937 (and RFC 9937) as in net/ipv4/tcp_input.c, `tcp_cwnd_reduction`.
struct Reduction: Sendable {
  /// The window before the reduction.
  private var windowBefore = 0
  /// Segments that arrived since it began.
  private var delivered = 0
  /// Segments that were sent since it began.
  var sent = 0

  init() {}

  /// Begins a reduction from this window.
  init(from window: Int) {
    windowBefore = window
  }

  /// The window that this acknowledgement allows.
  mutating func window(
    threshold: Int, inFlight: Int, newlyDelivered: Int, newlyLost: Int, advances: Bool
  ) -> Int? {
    guard newlyDelivered > 0, windowBefore > 0 else { return nil }
    delivered += newlyDelivered
    let room = threshold - inFlight
    var quota: Int
    if room < 0 {
      quota = (threshold * delivered + windowBefore - 1) / windowBefore - sent
    } else {
      quota = max(delivered - sent, newlyDelivered)
      if advances, newlyLost == 0 { quota += 1 }
      quota = min(room, quota)
    }
    // The first retransmission always goes.
    quota = max(quota, sent > 0 ? 0 : 1)
    return inFlight + quota
  }
}
