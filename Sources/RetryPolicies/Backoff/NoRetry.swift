/// Never tries again.
public struct NoRetry: RetryPolicy {
  /// Creates it.
  public init() {}

  /// One attempt.
  public var rules: RetryRules { RetryRules(maximumAttempts: 1) }

  /// Stops.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .stop
  }
}

extension RetryPolicy where Self == NoRetry {
  /// Never tries again.
  public static var never: NoRetry { NoRetry() }
}
