public import URLLoading

/// A policy that wraps another; the wrapped policy answers every call that this one does not implement.
public protocol WrappingPolicy: RetryPolicy {
  /// The policy that is wrapped.
  var base: any RetryPolicy { get }
}

extension WrappingPolicy {
  /// Returns the decision of the wrapped policy.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    base.decision(after: attempt, of: request, random: &random)
  }

  /// The rules of the wrapped policy.
  public var rules: RetryRules { base.rules }

  /// Returns the wrapped policy's hedge delay.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? {
    base.hedgeDelay(after: plan, of: request)
  }

  /// Asks the wrapped policy whether it allows the retry or hedge.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    base.grants(plan, of: request)
  }

  /// Asks the wrapped policy how long the attempt has to wait for its turn.
  public func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration {
    base.wait(before: plan, of: request)
  }

  /// Asks the wrapped policy whether it lets the attempt through.
  public func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    base.admits(plan, of: request)
  }

  /// Returns the request as the wrapped policy prepares it.
  public func prepare(
    _ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest
  ) async throws -> URLRequest {
    try await base.prepare(sent, for: plan, of: request)
  }

  /// Asks the wrapped policy whether the answer is a transient failure.
  public func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool {
    base.isTransient(answer, of: request)
  }

  /// Returns the closure that the wrapped policy's retry awaits.
  public func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)? {
    base.hold(after: attempt, of: request)
  }

  /// Tells the wrapped policy how the attempt ended.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    base.didFinish(attempt, of: request)
  }
}
