/// Multiplies the wait before each retry by a constant, without jitter: v(n) of the curve.
///
/// Clients that failed together also retry together. The jittered policies exist to keep them apart.
public struct ExponentialBackoff: RetryPolicy {
  /// The curve of the waits.
  public let curve: ExponentialCurve

  /// Creates a policy that waits as the curve says.
  public init(curve: ExponentialCurve = ExponentialCurve()) {
    self.curve = curve
  }

  /// Retries after v(n), n being the failures so far.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: curve.value(at: request.failures))
  }
}
