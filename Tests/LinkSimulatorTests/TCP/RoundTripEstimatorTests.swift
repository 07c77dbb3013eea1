import Testing

@testable import LinkSimulator

@Suite struct RoundTripEstimatorTests {
  @Test func `each sample moves the smoothed round trip by an eighth of the difference`() {
    var estimator = RoundTripEstimator()
    estimator.add(100_000_000, acknowledged: 0, next: 1)
    #expect(estimator.smoothed == 100_000_000)
    estimator.add(20_000_000, acknowledged: 1, next: 2)
    #expect(estimator.smoothed == 90_000_000)
    estimator.add(170_000_000, acknowledged: 2, next: 3)
    #expect(estimator.smoothed == 100_000_000)
  }
}
