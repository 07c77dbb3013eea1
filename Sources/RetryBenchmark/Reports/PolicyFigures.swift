/// The figures of one candidate under one profile, which all kinds of reports show.
public struct PolicyFigures: Sendable {
  /// The name of the network's profile.
  public let profile: String
  /// The name of the candidate.
  public let policy: String
  /// The policy's limits on attempts and times; `nil` for a client of the user's own.
  public let limits: AttemptLimits?
  /// The number of trials.
  public let trials: Int
  /// The number of requests, and how many succeeded.
  public let success: Proportion
  /// The measures of all trials with their intervals, without those that no trial has.
  public let measures: [TrialSummary.Measure: Estimate]
  /// The seconds within which 50, 90 and 99 % of requests are answered; infinite if fewer ever are.
  public let answers: (p50: Estimate, p90: Estimate, p99: Estimate)?
  /// The median of the seconds after which failed requests were given up; `nil` if none failed.
  public let timeToGiveUp: Estimate?
  /// The share of all requests that are answered within each of ``times``.
  public let within: [Estimate]
  /// The share of requests that succeed, by their start; empty if they start in fewer than three different seconds.
  public let successOverTime: [(seconds: Range<Int>, share: Double)]
  /// This candidate's failures divided by the first one's; `nil` for the first, and if neither fails.
  public let failureRatio: Estimate?
  /// The differences from the first candidate, in each measure of ``compared``; `nil` for the first.
  public let differences: [TrialSummary.Measure: PairedComparison]?

  /// The measures in which candidates are compared.
  public static let compared: [TrialSummary.Measure] = [.successRate, .wait, .amplification]
  /// The times of ``within``.
  public static let times: [Duration] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000].map {
    .milliseconds($0)
  }

  init(_ metrics: PolicyMetrics, against first: PolicyMetrics?, confidence: Double) {
    profile = metrics.profile
    policy = metrics.policy
    limits = metrics.limits
    trials = metrics.trials.count
    success = metrics.success
    var measures: [TrialSummary.Measure: Estimate] = [:]
    for measure in TrialSummary.Measure.allCases {
      measures[measure] = metrics.estimate(of: measure, confidence: confidence)
    }
    self.measures = measures
    let times = metrics.answerTimes
    answers = times.map { times in
      (
        times.quantile(0.5, confidence: confidence), times.quantile(0.9, confidence: confidence),
        times.quantile(0.99, confidence: confidence)
      )
    }
    within = Self.times.compactMap { times?.within($0, confidence: confidence) }
    successOverTime = Self.successOverTime(metrics.load)
    failureRatio = first.flatMap { metrics.compared(to: $0, by: .successRate, confidence: confidence)?.failureRatio }
    timeToGiveUp = metrics.timeToGiveUp(0.5, confidence: confidence)
    differences = first.map { first in
      Self.compared.reduce(into: [:]) { $0[$1] = metrics.compared(to: first, by: $1, confidence: confidence) }
    }
  }

  private static let mostSlices = 10

  private static func successOverTime(_ load: ServerLoad) -> [(seconds: Range<Int>, share: Double)] {
    guard let last = load.requests.greatest, load.requests.entries.count > 2 else { return [] }
    let slices = Slices(0..<last + 1, most: mostSlices)
    return zip(slices.sums(load.requests), slices.sums(load.successes)).enumerated().compactMap { index, sums in
      let first = slices.first + index * slices.width
      return sums.0 > 0 ? (seconds: first..<first + slices.width, share: Double(sums.1) / Double(sums.0)) : nil
    }
  }
}

extension RetryReport {
  /// The figures of all candidates under one profile, each compared with the first.
  public func figures(of profile: String) -> [PolicyFigures] {
    let metrics = results.filter { $0.profile == profile }
    return metrics.enumerated().map {
      PolicyFigures($1, against: $0 == 0 ? nil : metrics.first, confidence: confidence)
    }
  }
}
