/// Waits the same time before every retry.
public struct FixedBackoff: RetryPolicy {
  /// The wait.
  public let delay: Duration

  /// Creates the policy; it waits one second by default.
  public init(delay: Duration = .seconds(1)) {
    precondition(delay >= .zero, "a delay is never negative")
    self.delay = delay
  }

  /// Retries after the delay.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: delay)
  }
}
