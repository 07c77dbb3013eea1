/// Tries again at once.
///
/// The worst that clients can do to a server in trouble; here to be compared with.
public struct ImmediateRetry: RetryPolicy {
  /// Creates it.
  public init() {}

  /// Retries without a wait.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: .zero)
  }
}

extension RetryPolicy where Self == ImmediateRetry {
  /// Tries again at once.
  public static var immediate: ImmediateRetry { ImmediateRetry() }
}
