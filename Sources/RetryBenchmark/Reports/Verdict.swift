/// Who does best under one profile, as far as chance lets it be told.
struct Verdict {
  /// All contenders that made requests, in their order.
  let all: [PolicyMetrics]
  /// Those that chance could have put behind the one with the most successes, and itself.
  let equals: [PolicyMetrics]
  /// Those of them that need the fewest attempts and then the least time, give or take 5 %.
  let choices: [PolicyMetrics]
  /// The one with the fewest successes.
  let worst: PolicyMetrics

  init?(_ report: RetryReport, _ profile: String) {
    all = report.results.filter { $0.profile == profile && $0.success.total > 0 }
    guard let best = all.max(by: { ($0.success.rate ?? 0) < ($1.success.rate ?? 0) }),
      let worst = all.min(by: { ($0.success.rate ?? 0) < ($1.success.rate ?? 0) })
    else { return nil }
    self.worst = worst
    equals = Self.alike(all, best, .successRate)
    let cheap = Self.alike(equals, Self.least(equals, \.amplification) ?? best, .amplification)
    choices = Self.alike(cheap, Self.least(cheap, \.meanLatency.mean) ?? best, .meanLatency)
  }

  /// Those that do not differ from one of them beyond noise, or by so little of it that nobody would mind.
  private static func alike(
    _ metrics: [PolicyMetrics], _ one: PolicyMetrics, _ measure: TrialSummary.Measure
  ) -> [PolicyMetrics] {
    metrics.filter { $0.policy == one.policy || difference($0, one, measure) == nil }
  }

  /// By how much a contender differs from another one; `nil` where that is noise, or less than a point of success or 5 % of time or
  /// attempts, which many seeds may well tell from noise, but which matters to nobody.
  static func difference(
    _ metrics: PolicyMetrics, _ other: PolicyMetrics, _ measure: TrialSummary.Measure
  ) -> PolicyFigures.Difference? {
    guard let difference = PolicyFigures.Difference(metrics, other, measure), difference.isBeyondNoise else {
      return nil
    }
    let size: Double
    switch measure {
    // A point of a hundred.
    case .successRate: size = 0.2
    case .wastedBytes: size = 0
    case .meanLatency: size = (other.meanLatency.mean ?? 0) / 1e9
    case .amplification: size = other.amplification ?? 0
    }
    return abs(difference.mean) >= 0.05 * size ? difference : nil
  }

  private static func least(
    _ metrics: [PolicyMetrics], _ value: (PolicyMetrics) -> Double?
  ) -> PolicyMetrics? {
    metrics.min { (value($0) ?? .infinity) < (value($1) ?? .infinity) }
  }
}
