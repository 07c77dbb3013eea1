/// Waits one step longer before each retry: the n-th waits n steps.
public struct LinearBackoff: RetryPolicy {
  /// The time by which each wait is longer than the one before.
  public let step: Duration
  /// The longest wait.
  public let cap: Duration

  /// Creates it; steps of half a second up to 20 s by default.
  public init(step: Duration = .milliseconds(500), cap: Duration = .seconds(20)) {
    precondition(step >= .zero && cap >= .zero, "a delay is never negative")
    self.step = step
    self.cap = cap
  }

  /// Retries after as many steps as attempts have failed.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: step.scaled(by: Double(request.failures), atMost: cap))
  }
}

extension RetryPolicy where Self == LinearBackoff {
  /// Waits one step longer before each retry.
  public static func linear(step: Duration = .milliseconds(500), cap: Duration = .seconds(20)) -> LinearBackoff {
    LinearBackoff(step: step, cap: cap)
  }
}
