import Internals

extension RetryComparison {
  /// How often a rise of failures is noticed with the seeds of a baseline.
  ///
  /// The rise is to twice the failures, or by twice the margin where that is more. Both runs are taken for independent: most
  /// changes leave most seeds alike, and are noticed more often.
  public struct Power: Hashable, Sendable, CustomStringConvertible {
    /// The name of the profile.
    public let profile: String
    /// The name of the contender.
    public let policy: String
    /// The share of all requests that fail in the baseline.
    public let failing: Double
    /// The share that would fail after the rise.
    public let raised: Double
    /// How many seeds the baseline has.
    public let seeds: Int
    /// In which share of all runs the rise is noticed.
    public let chance: Double
    /// With how many seeds it is noticed in nine of ten runs.
    public let seedsNeeded: Int

    /// A rise is noticed where it is beyond noise and at least the margin, both by the normal distribution of the difference.
    init?(_ before: PolicyMetrics, confidence: Double, _ margin: SuccessMargin?) {
      let failing = 1 - (before.success.rate ?? 1)
      let least = SuccessMargin.least(margin, failing: failing)
      let raised = min(1, failing + max(failing, 2 * least))
      let rise = raised - failing
      guard rise > least, let deviation = before.deviationOfSuccess else { return nil }
      (profile, policy, seeds) = (before.profile, before.policy, before.trials.count)
      (self.failing, self.raised) = (failing, raised)
      // More failures vary as many independent requests do, as often as those of the baseline go together.
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

    /// Such as `With 2,000 seeds a rise of failures from 1.1 to 2.1 in 100 is noticed in 54 of 100 runs`.
    public var description: String {
      let shares = [failing, raised].map { FigureText.digits($0 * 100) }
      let often = max(1, min(99, Int((chance * 100).rounded())))
      let needed =
        seedsNeeded > seeds ? "; in 90 of 100 it is with about \(RetryReport.rounded(seedsNeeded)) seeds" : ""
      return
        "With \(FigureText.count(seeds, "seed")) a rise of failures from \(shares[0]) to \(shares[1]) in 100 requests "
        + "(\(policy), \(profile)) is noticed in about \(often) of 100 runs\(needed)."
    }
  }
}
