/// Whether the congestion window limits the sender (RFC 7661 in spirit; `tcp_cwnd_validate`).
struct WindowUsage: Sendable {
  private var isLimited = false
  private var greatestOut = 0
  private var roundEnd = 0
  private var used = 0
  private var stamp: Int64 = 0

  /// Whether the window limits the sender, so that it may grow (`tcp_is_cwnd_limited`).
  func isLimited(inSlowStart: Bool, size: Int) -> Bool {
    isLimited || (inSlowStart && size < 2 * greatestOut)
  }

  /// Updates the state after sending; returns `true` if the window was too large for a whole timeout.
  mutating func validate(
    isLimited now: Bool, first: Int, next: Int, inSlowStart: Bool, size: Int, now time: Int64,
    timeout: Int64
  ) -> Bool {
    let out = next - first
    if first >= roundEnd || now || (!isLimited && out > greatestOut) {
      isLimited = now
      greatestOut = out
      roundEnd = next
    }
    if isLimited(inSlowStart: inSlowStart, size: size) {
      used = 0
      stamp = time
      return false
    }
    used = max(used, out)
    return time - stamp >= timeout
  }

  /// Moves the window halfway towards its used part (`tcp_cwnd_application_limited`).
  mutating func shrink(_ window: inout CongestionWindow) {
    let needed = max(used, CongestionWindow.initial)
    if needed < window.size {
      window.threshold = window.currentThreshold(inReduction: false)
      window.size = (window.size + needed) >> 1
    }
    used = 0
  }

  /// Restarts the measurement after a reduction for idleness.
  mutating func restart(at now: Int64) {
    stamp = now
    used = 0
  }
}
