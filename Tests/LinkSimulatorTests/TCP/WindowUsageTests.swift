import Testing

@testable import LinkSimulator

struct WindowUsageTests {
  /// Whether a window of ten counts as too large with `out` packets in flight, after a timeout of 50.
  private func isUnused(_ usage: inout WindowUsage, out: Int, at time: Int64, inSlowStart: Bool = true) -> Bool {
    usage.validate(
      isLimited: false, first: 100, next: 100 + out, inSlowStart: inSlowStart, size: 10, now: time, timeout: 50)
  }

  @Test func `a window that is never more than half full counts as too large after a whole timeout`() {
    var usage = WindowUsage()
    #expect([0, 49, 50].map { isUnused(&usage, out: 2, at: $0) } == [false, false, true])
    var window = CongestionWindow()
    window.size = 40
    usage.shrink(&window)
    #expect(window.size == (40 + CongestionWindow.initial) / 2)
  }

  @Test func `in slow start a window that is more than half full limits its sender`() {
    for (out, isLimited) in [(5, false), (6, true)] {
      var usage = WindowUsage()
      #expect(isUnused(&usage, out: out, at: 50) == !isLimited)
      #expect(usage.isLimited(inSlowStart: true, size: 10) == isLimited)
      #expect(!usage.isLimited(inSlowStart: false, size: 10))
    }
  }
}
