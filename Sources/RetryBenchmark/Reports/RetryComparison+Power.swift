import Internals

extension RetryComparison {
  /// How often a baseline's seeds notice a rise of failures.
  ///
  /// The rise doubles the failures, or is twice the margin if that is more. Both runs are assumed independent. Most
  /// real changes affect few seeds, so they are noticed more often.
  public struct Power: Hashable, Sendable, CustomStringConvertible {
    /// The name of the profile.
    public let profile: String
    /// The name of the candidate.
    public let policy: String
    /// The share of all requests that fail in the baseline.
    public let failing: Double
    /// The share of all requests that fail after the rise.
    public let raised: Double
    /// The number of seeds in the baseline.
    public let seeds: Int
    /// The share of runs in which the rise is noticed.
    public let chance: Double
    /// The number of seeds with which nine of ten runs notice the rise.
    public let seedsNeeded: Int

    /// Computes, with a normal distribution, how often the rise is beyond noise and at least the margin.
    init?(_ before: PolicyMetrics, confidence: Double, _ margin: SuccessMargin?) {
      let failing = 1 - (before.success.rate ?? 1)
      let least = SuccessMargin.least(margin, failing: failing)
      let raised = min(1, failing + max(failing, 2 * least))
      let rise = raised - failing
      guard rise > least, let deviation = before.deviationOfSuccess else { return nil }
      (profile, policy, seeds) = (before.profile, before.policy, before.trials.count)
      (self.failing, self.raised) = (failing, raised)
      // Failures after the rise are assumed to be as correlated within a seed as the baseline's.
      let spread = failing * (1 - failing)
      let scale = spread > 0 && deviation > 0 ? deviation * deviation / spread : 1
      let error = (scale * (spread + raised * (1 - raised))).squareRoot()
      let deviations = NormalDistribution.deviations(confidence: confidence)
      let root = Double(seeds).squareRoot()
      chance = NormalDistribution.cumulative(
        min(rise * root / error - deviations, (rise - least) * root / error))
      let often = NormalDistribution.quantile(0.9)
      let needed = max((deviations + often) * error / rise, often * error / (rise - least))
      seedsNeeded = max(
        PairedComparison.leastSeeds, Int(clamping: Int64(min(1e12, needed * needed).rounded(.up))))
    }

    /// A sentence such as `With 2,000 seeds a rise of failures from 1.1 to 2.1 in 100 is noticed in 54 of 100 runs`.
    public var description: String {
      let shares = [failing, raised].map { FigureText.digits($0 * 100) }
      let often = max(1, min(99, Int((chance * 100).rounded())))
      let needed =
        seedsNeeded > seeds ? "; with about \(RetryReport.rounded(seedsNeeded)) seeds, in 90 of 100" : ""
      return
        "With \(FigureText.count(seeds, "seed")) a rise of failures from \(shares[0]) to \(shares[1]) in 100 requests "
        + "(\(policy), \(profile)) is noticed in about \(often) of 100 runs\(needed)."
    }
  }
}
