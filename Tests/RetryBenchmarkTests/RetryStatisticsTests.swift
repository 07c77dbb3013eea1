import RetryPolicies
import Testing

@testable import RetryBenchmark

/// Groups all tests of a benchmark's statistics and metrics.
struct RetryStatisticsTests {}

extension AttemptTrace {
  /// An attempt that by default the server carried out if it is a success.
  init(
    kind: AttemptPlan.Kind, start: Duration, end: Duration, outcomeClass: RetryAttempt.OutcomeClass, outcome: String,
    sent: Int = 0, received: Int = 0, retryAfter: Duration? = nil,
    wasProcessed: Bool? = nil
  ) {
    self.init(
      kind: kind, start: start, end: end, outcomeClass: outcomeClass, outcome: outcome, sent: sent, received: received,
      retryAfter: retryAfter, wasProcessed: wasProcessed ?? (outcomeClass == .success))
  }
}

extension PolicyMetrics {
  /// The metrics of the trials of some seeds only; all other counts are empty.
  func restricted(to seeds: Range<UInt64>) -> PolicyMetrics {
    var part = PolicyMetrics(policy: policy, profile: profile, limits: limits, plan: plan)
    part.trials = trials.filter { seeds.contains($0.seed) }
    return part
  }
}
