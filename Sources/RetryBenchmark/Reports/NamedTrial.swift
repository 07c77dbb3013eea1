/// One trial for a chart: when each client's attempts began and how they ended.
public struct NamedTrial: Sendable {
  /// The name of the network's profile.
  public let profile: String
  /// The name of the candidate.
  public let policy: String
  /// The record of the trial.
  public let trial: TrialRecord

  /// Names a trial, such as one from ``RetryBenchmark/RetryBenchmark/trial(of:under:seed:)``.
  public init(profile: String, policy: String, trial: TrialRecord) {
    self.profile = profile
    self.policy = policy
    self.trial = trial
  }
}

extension RetryReport {
  /// The seed under which the candidates' success rates differ most, or else their attempts per request.
  ///
  /// Of equal seeds it is the smallest; `nil` if the candidates have no seed in common.
  public func tellingSeed(of profile: String) -> UInt64? {
    let metrics = results.filter { $0.profile == profile }
    var found: [UInt64: (success: ClosedRange<Double>, attempts: ClosedRange<Double>, count: Int)] = [:]
    for trial in metrics.flatMap(\.trials) {
      guard let success = trial[.successRate], let attempts = trial[.amplification] else { continue }
      let known = found[trial.seed] ?? (success...success, attempts...attempts, 0)
      found[trial.seed] = (
        known.success.including(success), known.attempts.including(attempts), known.count + 1
      )
    }
    func weight(_ seed: UInt64) -> (Double, Double) {
      guard let known = found[seed] else { return (0, 0) }
      return (
        known.success.upperBound - known.success.lowerBound, known.attempts.upperBound - known.attempts.lowerBound
      )
    }
    return found.filter { $0.value.count == metrics.count }.keys.sorted().max { weight($0) < weight($1) }
  }
}

extension ClosedRange<Double> {
  fileprivate func including(_ value: Double) -> ClosedRange {
    Swift.min(lowerBound, value)...Swift.max(upperBound, value)
  }
}
