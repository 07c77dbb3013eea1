import Testing

@testable import LinkSimulator

struct HyStartTests {
  /// Whether nine equal round trips end slow start with this window.
  private func ends(window: Int, delay: Int64 = 200_000_000, least: Int64 = 100_000_000) -> Bool {
    var hyStart = HyStart()
    hyStart.reset(now: 0, next: 100)
    return (1...9).contains { number in
      let sample = RoundTripSample(
        delay: delay, now: Int64(number) * 1_000_000_000, tick: 0, first: number, next: 100, delivered: 0)
      return hyStart.update(sample, delay: sample.delay, minimumDelay: least, window: window)
    }
  }

  @Test func `HyStart ends slow start on a longer round trip only if the window has at least 16 segments`() {
    #expect(!ends(window: 15))
    #expect(ends(window: 16))
  }

  @Test(arguments: [(10, 4), (80, 10), (400, 16)])
  func `HyStart ends slow start when round trips grow by an eighth, clamped to 4 to 16 ms`(
    least: Int64, growth: Int64
  ) {
    for (excess, isEnd) in [(0, false), (1, true)] as [(Int64, Bool)] {
      #expect(ends(window: 16, delay: (least + growth) * 1_000_000 + excess, least: least * 1_000_000) == isEnd)
    }
  }
}
