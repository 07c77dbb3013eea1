/// Waits twice as long before each retry, or as the multiplier says: v(n) of the curve, without chance.
///
/// Clients that failed together come back together; the jitters exist to keep them apart.
public struct ExponentialBackoff: RetryPolicy {
  /// The curve of the waits.
  public let curve: ExponentialCurve

  /// Creates it.
  public init(curve: ExponentialCurve = ExponentialCurve()) {
    self.curve = curve
  }

  /// Retries after v(n).
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    let value = curve.value(at: request.failures)
    return .retry(after: value)
  }
}

extension RetryPolicy where Self == ExponentialBackoff {
  /// Waits twice as long before each retry, the same for every client.
  public static func exponential(
    base: Duration = .milliseconds(100), multiplier: Double = 2, cap: Duration = .seconds(20)
  ) -> ExponentialBackoff {
    ExponentialBackoff(curve: ExponentialCurve(base: base, multiplier: multiplier, cap: cap))
  }
}
