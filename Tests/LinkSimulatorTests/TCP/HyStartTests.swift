import Testing

@testable import LinkSimulator

@Suite struct HyStartTests {
  /// Whether nine round trips of 200 ms, twice the smallest one, end slow start at a window.
  private func ends(window: Int) -> Bool {
    var hyStart = HyStart()
    hyStart.reset(now: 0, next: 100)
    return (1...9).contains { number in
      let sample = RoundTripSample(
        delay: 200_000_000, now: Int64(number) * 1_000_000_000, tick: 0, first: number, next: 100, delivered: 0)
      return hyStart.update(sample, delay: sample.delay, minimumDelay: 100_000_000, window: window)
    }
  }

  @Test func `HyStart ends slow start on a longer round trip only from a window of 16 segments`() {
    #expect(!ends(window: 15))
    #expect(ends(window: 16))
  }
}
