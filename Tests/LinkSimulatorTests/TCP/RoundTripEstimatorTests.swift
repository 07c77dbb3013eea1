import Testing

@testable import LinkSimulator

struct RoundTripEstimatorTests {
  @Test func `each sample moves the smoothed round trip by an eighth of the difference`() {
    var estimator = RoundTripEstimator()
    estimator.add(100_000_000, acknowledged: 0, next: 1)
    #expect(estimator.smoothed == 100_000_000)
    estimator.add(20_000_000, acknowledged: 1, next: 2)
    #expect(estimator.smoothed == 90_000_000)
    estimator.add(170_000_000, acknowledged: 2, next: 3)
    #expect(estimator.smoothed == 100_000_000)
  }

  @Test func `the timeout rises with the greatest deviation of a round trip and falls slowly after it`() {
    var estimator = RoundTripEstimator()
    // The expected timeouts are those of `tcp_rtt_estimator` for the same samples, in ticks of 4 ms.
    for (sample, acknowledged, next, timeout) in [
      (100, 0, 10, 300), (400, 5, 10, 588), (40, 10, 20, 576), (100, 11, 20, 576), (100, 20, 30, 572),
      (100, 21, 40, 528), (100, 41, 50, 472), (20, 45, 60, 460), (700, 51, 60, 924),
    ] as [(Int64, Int, Int, Int64)] {
      estimator.add(sample * 1_000_000, acknowledged: acknowledged, next: next)
      #expect(estimator.timeout == timeout * 1_000_000, "\(sample)")
    }
  }

  @Test func `a round trip of zero is a valid sample`() {
    var estimator = RoundTripEstimator()
    estimator.add(0, acknowledged: 0, next: 1)
    estimator.addMinimum(0)
    #expect(estimator.hasSample && estimator.minimum == 1)
    estimator.add(0, acknowledged: 0, next: 1)
    #expect(estimator.hasSample)
  }
}
