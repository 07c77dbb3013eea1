/// Proportional rate reduction: spreads a reduction of the congestion window over a round trip.
///
/// RFC 6937 (and RFC 9937) as in Linux (tcp_input.c: `tcp_cwnd_reduction`).
struct Reduction: Sendable {
  private var windowBefore = 0
  private var delivered = 0
  var sent = 0

  init() {}

  init(from window: Int) {
    windowBefore = window
  }

  /// The congestion window after an acknowledgement; `nil` to leave it unchanged.
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
    // The first retransmission is always allowed.
    quota = max(quota, sent > 0 ? 0 : 1)
    return inFlight + quota
  }
}
