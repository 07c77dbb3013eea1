/// Waits one step longer before each retry: the n-th retry waits n steps.
public struct LinearBackoff: RetryPolicy {
  /// The difference from one wait to the next.
  public let step: Duration
  /// The longest wait.
  public let cap: Duration

  /// Creates the policy; by default steps of half a second, up to 20 s.
  public init(step: Duration = .milliseconds(500), cap: Duration = .seconds(20)) {
    precondition(step >= .zero && cap >= .zero, "a delay is never negative")
    self.step = step
    self.cap = cap
  }

  /// Retries after one step for each failed attempt, up to the cap.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: step.scaled(by: Double(request.failures), atMost: cap))
  }
}
