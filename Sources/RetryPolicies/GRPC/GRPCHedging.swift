/// Hedges as gRPC does (proposal A6): copies of a request, one delay apart, and the first that succeeds counts.
///
/// A failure that is not fatal sends the next copy at once, or when the server's pushback says; a fatal one ends the
/// request. When all copies have failed nothing further is tried.
public struct GRPCHedging: RetryPolicy {
  /// How long after a copy the next one is sent.
  public let delay: Duration
  /// The tokens, shared with other requests; `nil` is not to throttle.
  public let throttle: RetryThrottle?
  /// The attempts, and what is not fatal.
  public let rules: RetryRules

  /// Creates it; by default the example of the proposal: 4 copies, 500 ms apart.
  ///
  /// - Parameters:
  ///   - maximumAttempts: the original included, at least 2; more than five count as five.
  ///   - delay: how long after a copy the next one is sent.
  ///   - throttle: shared by all policies of a client; `nil` is not to throttle.
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

  /// One delay after each copy.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { delay }

  /// Whether the throttle has tokens.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    throttle?.allowsRetry(host: request.host) ?? true
  }

  /// Counts the attempt.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    throttle?.record(attempt, host: request.host)
  }
}
