import RetryPolicies

/// Whether one policy does better than another on the same seeds, and by how much.
///
/// Both met the same networks, so that each seed is a pair, and what made a seed hard cancels out. The same pairs give
/// the same answer, in whichever order they come.
public struct PairedComparison: Hashable, Sendable {
  /// How many seeds both have.
  public let count: Int
  /// The mean of the differences: the first less the second.
  public let meanDifference: Double
  /// The interval that holds the true mean difference with the confidence that was asked for.
  public let interval: ClosedRange<Double>
  /// The probability of differences at least as lopsided by chance.
  public let probability: Double

  /// More pairs than these are not drawn again: the mean of so many is normally distributed.
  static let mostResampled = 2_000

  /// Compares values by their seeds; seeds that only one side has are left out, and `nil` is where none is left.
  ///
  /// - Parameters:
  ///   - first: the values of one policy, by seed.
  ///   - second: the values of the other.
  ///   - confidence: of the interval, a percentile bootstrap (Efron, "Bootstrap methods", 1979); of more than 2000 pairs
  ///     the mean and its standard errors, which is then the same.
  ///   - resamples: how often the seeds are drawn again.
  public init?(
    _ first: [UInt64: Double], _ second: [UInt64: Double], confidence: Double = 0.95, resamples: Int = 2_000
  ) {
    precondition(resamples >= 100 && confidence > 0 && confidence < 1, "at least 100 resamples, below certainty")
    let differences = first.keys.sorted().compactMap { seed in second[seed].map { first[seed]! - $0 } }
    guard !differences.isEmpty else { return nil }
    count = differences.count
    meanDifference = differences.reduce(0, +) / Double(differences.count)
    probability = WilcoxonTest(differences).probability
    guard differences.count <= Self.mostResampled else {
      interval = Self.normalInterval(differences, around: meanDifference, confidence)
      return
    }
    var random = RetryRandom(seed: 0).keyed(by: "bootstrap")
    let means = (0..<resamples).map { _ in
      var sum = 0.0
      for _ in differences.indices {
        sum += differences[Int(UInt64(differences.count).multipliedFullWidth(by: random.next()).high)]
      }
      return sum / Double(differences.count)
    }.sorted()
    let tail = (1 - confidence) / 2
    let low = means[Rank.nearest(tail, of: resamples) - 1]
    interval = low...max(low, means[Rank.nearest(1 - tail, of: resamples) - 1])
  }

  /// The interval of a mean that is normally distributed.
  private static func normalInterval(
    _ differences: [Double], around mean: Double, _ confidence: Double
  ) -> ClosedRange<Double> {
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let count = Double(differences.count)
    let width = NormalDistribution.deviations(confidence: confidence) * (squares / (count - 1) / count).squareRoot()
    return (mean - width)...(mean + width)
  }
}
