/// Waits a random time below an exponential bound: U(0, v(n)).
///
/// "Full jitter" of Brooker, "Exponential backoff and jitter", AWS Architecture Blog, 2015.
public struct FullJitterBackoff: RetryPolicy {
  /// The curve of the waits.
  public let curve: ExponentialCurve

  /// Creates a policy whose waits the curve bounds.
  public init(curve: ExponentialCurve = ExponentialCurve()) {
    self.curve = curve
  }

  /// Retries after U(0, v(n)), n being the failures so far.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: random.duration(to: curve.value(at: request.failures)))
  }
}
