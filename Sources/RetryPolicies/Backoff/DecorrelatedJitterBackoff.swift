/// Waits a random time whose upper bound grows with the previous wait: min(cap, U(base, 3 x previous)).
///
/// The base counts as the first previous wait. This is "Decorrelated jitter" of Brooker, "Exponential backoff and jitter",
/// AWS Architecture Blog, 2015.
public struct DecorrelatedJitterBackoff: RetryPolicy {
  /// The shortest wait.
  public let base: Duration
  /// The longest wait.
  public let cap: Duration

  /// Creates the policy; it waits from 100 ms to 20 s by default.
  public init(base: Duration = .milliseconds(100), cap: Duration = .seconds(20)) {
    precondition(base >= .zero && cap >= .zero, "a delay is never negative")
    self.base = base
    self.cap = cap
  }

  /// Retries after min(cap, U(base, 3 x previous wait)).
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    // A hedge has no wait, and the retry after a refused token starts at once.
    let waited = request.attempts.last { ($0.plan.backoff ?? .zero) > .zero } ?? attempt
    let previous = max(base, waited.plan.backoff ?? base)
    return .retry(after: min(cap, random.duration(from: base, to: previous * 3)))
  }
}
