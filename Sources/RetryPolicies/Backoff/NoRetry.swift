/// Never tries again.
public struct NoRetry: RetryPolicy {
  /// Creates it.
  public init() {}

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
