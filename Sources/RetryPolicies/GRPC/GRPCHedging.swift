/// Hedges as gRPC does (proposal A6): sends copies of a request, one delay apart, and takes the first success.
///
/// A failure that is not fatal sends the next copy at once, or after the delay in the server's pushback. A fatal failure
/// ends the request. When all copies have failed, the request fails.
public struct GRPCHedging: RetryPolicy {
  /// The time between one copy of the request and the next.
  public let delay: Duration
  /// The token bucket, shared with other requests; `nil` means no throttling.
  public let throttle: RetryThrottle?
  /// The maximum number of attempts, and the failures that are not fatal.
  public let rules: RetryRules

  /// Creates the policy; the defaults are the proposal's example: 4 copies, 500 ms apart.
  ///
  /// - Parameters:
  ///   - maximumAttempts: includes the original; at least 2. Values above 5 count as 5.
  ///   - delay: the time between one copy of the request and the next.
  ///   - throttle: shared by all policies of a client; `nil` means no throttling.
  public init(
    maximumAttempts: Int = 4, delay: Duration = .milliseconds(500), throttle: RetryThrottle? = RetryThrottle()
  ) {
    precondition(maximumAttempts >= 2 && delay >= .zero, "hedging makes at least two attempts")
    self.delay = delay
    self.throttle = throttle
    rules = .grpc(maximumAttempts: maximumAttempts)
  }

  /// Sends the next copy at once, or as the server's pushback says.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    switch Pushback(attempt) {
    case .stop: .stop
    case .retry(let delay): .retry(after: delay)
    case .none: .retry(after: .zero)
    }
  }

  /// Returns the same delay after each copy.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { delay }

  /// Returns whether the throttle has enough tokens for another copy.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    throttle?.allowsRetry(host: request.host) ?? true
  }

  /// Counts the attempt in the throttle.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    throttle?.record(attempt, host: request.host)
  }
}
