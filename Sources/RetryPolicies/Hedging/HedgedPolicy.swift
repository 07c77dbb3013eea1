/// A policy that also starts another attempt beside one that takes long, and takes the first that succeeds.
///
/// Dean and Barroso, "The Tail at Scale", 2013: a second request after the 95th percentile of the expected latency cuts
/// the tail for about 5 % more load. Failures are retried as the wrapped policy says.
public struct HedgedPolicy: WrappingPolicy {
  /// The policy that decides after failures.
  public let base: any RetryPolicy
  /// How long after an attempt the next one starts.
  public let delay: Duration

  /// One delay after each attempt.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { delay }
}

extension RetryPolicy {
  /// This policy, with another attempt beside each one that has not ended after `delay`.
  ///
  /// All attempts count towards the rules' maximum, and the rules' methods apply: only what may be repeated is hedged.
  public func hedged(after delay: Duration) -> HedgedPolicy {
    precondition(delay >= .zero, "a delay is never negative")
    return HedgedPolicy(base: self, delay: delay)
  }
}
