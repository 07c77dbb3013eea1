/// Tries again at once.
///
/// This is the worst behaviour towards an overloaded server; it serves as a baseline for comparison.
public struct ImmediateRetry: RetryPolicy {
  /// Creates a policy that retries at once.
  public init() {}

  /// Retries without a wait.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: .zero)
  }
}
