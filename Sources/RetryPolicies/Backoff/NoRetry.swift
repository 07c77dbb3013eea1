/// Never tries again.
public struct NoRetry: RetryPolicy {
  /// Creates a policy that never retries.
  public init() {}

  /// Rules that allow one attempt.
  public var rules: RetryRules { RetryRules(maximumAttempts: 1) }

  /// Always stops.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .stop
  }
}
