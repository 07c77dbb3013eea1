import Testing

@testable import RetryBenchmark

struct TimeDistributionTests {
  private static let year = Duration.seconds(365 * 86_400)

  @Test(
    arguments: [
      (.constant(.zero), .constant(.nanoseconds(-1)), "a time below zero or above a year"),
      (.exponential(mean: year), .exponential(mean: year + .nanoseconds(1)), "a time below zero or above a year"),
      (
        .logNormal(median: .zero, spread: 1_000), .logNormal(median: .zero, spread: 999),
        "a spread below 1 or above 1000"
      ),
      (
        .logNormal(median: year, spread: 1_000_000), .logNormal(median: year, spread: 1_000_001),
        "a spread below 1 or above 1000"
      ),
      (.pareto(least: .zero, shape: 100), .pareto(least: .zero, shape: 99), "a shape below 0.1 or above 1000"),
      (
        .pareto(least: year, shape: 1_000_000), .pareto(least: year, shape: 1_000_001),
        "a shape below 0.1 or above 1000"
      ),
      (.histogram([.init(.zero, weight: 1)]), .histogram([]), "a histogram of 0 bins: write 1 to 10000"),
      (
        .histogram(Array(repeating: .init(year, weight: 1), count: 10_000)),
        .histogram(Array(repeating: .init(year, weight: 1), count: 10_001)),
        "a histogram of 10001 bins: write 1 to 10000"
      ),
      (
        .histogram([.init(.zero, weight: 1_000_000_000)]), .histogram([.init(.zero, weight: 1_000_000_001)]),
        "a bin with a count below 1 or above 1000000000"
      ),
    ] as [(TimeDistribution, TimeDistribution, String)])
  func `a distribution of times beyond its limits has a problem`(
    good: TimeDistribution, bad: TimeDistribution, problem: String
  ) {
    #expect(good.problem == nil && bad.problem == problem)
  }
}
