/// Waits half of an exponential time, plus a random part of the other half: v(n) / 2 + U(0, v(n) / 2).
///
/// "Equal jitter" of Brooker, "Exponential backoff and jitter", AWS Architecture Blog, 2015.
public struct EqualJitterBackoff: RetryPolicy {
  /// The curve of the waits.
  public let curve: ExponentialCurve

  /// Creates a policy whose waits follow the curve.
  public init(curve: ExponentialCurve = ExponentialCurve()) {
    self.curve = curve
  }

  /// Retries after v(n) / 2 + U(0, v(n) / 2), n being the failures so far.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    let value = curve.value(at: request.failures)
    return .retry(after: random.duration(from: value / 2, to: value))
  }
}
