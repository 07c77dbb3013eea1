public import URLLoading

/// Decides whether a request that failed is sent again, and when.
///
/// One method is required. A stateless policy decides by its arguments: the attempt, the request with its earlier attempts,
/// and a random generator. A policy that knows of other requests (a token bucket, a retry budget, a circuit breaker) holds
/// a reference to that shared state. It implements further methods, which all have defaults.
///
/// A policy reads no clock and draws no other random numbers: the same arguments, and the same shared state, give the
/// same answers. All times are durations since one origin, common to all requests of a client.
///
/// ``rules`` holds the settings of all policies: transient failures, number of attempts, deadlines, `Retry-After`.
/// The client enforces them. It calls ``decision(after:of:random:)`` only where the rules allow another attempt.
public protocol RetryPolicy: Sendable, CustomStringConvertible {
  /// Decides whether another attempt follows a transient failure, and how long after the failed attempt's end.
  ///
  /// - Parameters:
  ///   - attempt: the attempt that failed.
  ///   - request: the request with all attempts that have ended, this one included, in the order of their ends.
  ///   - random: a generator seeded by the request and the attempt's number.
  func decision(after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom) -> RetryDecision

  /// Which requests are retried, and within which limits; by default ``RetryRules/standard``.
  var rules: RetryRules { get }

  /// Returns how long after the start of an attempt a hedge starts beside it.
  ///
  /// `nil`, the default, means no hedge.
  func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration?

  /// Returns whether to make a retry or hedge that the rules allow; a budget is charged here.
  ///
  /// Called once for each retry or hedge when it is planned: for a retry before its wait, so a refusal costs no time.
  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool

  /// Returns how long an attempt must still wait for its turn; a rate limit is implemented here.
  ///
  /// Called immediately before ``admits(_:of:)`` for every attempt, the first included, and again after each such wait.
  /// An attempt that gets zero has taken its turn.
  func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration

  /// Returns whether an attempt may start, the first one included; a circuit breaker is implemented here.
  ///
  /// Called immediately before the start. ``didFinish(_:of:)`` is called for each attempt that was let through.
  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool

  /// Returns the request as an attempt sends it, for example with a fresh token.
  ///
  /// It may suspend; its time counts as the attempt's. If it throws, the attempt ends with its error.
  func prepare(_ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest) async throws -> URLRequest

  /// Returns whether an answer is a transient failure, for example by its body, although the rules do not name its status.
  func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool

  /// Returns a closure that a retry awaits before its own wait begins, for example until the network is back.
  ///
  /// `nil`, the default, means no such wait. The closure must return soon after its task is cancelled.
  func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)?

  /// Tells the policy how an attempt ended; called before ``decision(after:of:random:)``.
  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest)
}

extension RetryPolicy {
  /// By default the standard rules.
  public var rules: RetryRules { .standard }

  /// By default no hedges start.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { nil }

  /// By default every retry and hedge is granted.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { true }

  /// By default no attempt waits for its turn.
  public func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration { .zero }

  /// By default every attempt may start.
  public func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { true }

  /// By default the request is sent unchanged.
  public func prepare(
    _ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest
  ) async throws -> URLRequest { sent }

  /// By default only the rules decide which answers are transient failures.
  public func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool { false }

  /// By default a retry awaits nothing besides its delay.
  public func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)? { nil }

  /// By default the end of an attempt has no effect on the policy.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {}
}

/// A policy's decision after a failure.
public enum RetryDecision: Hashable, Sendable {
  /// Try again, this long after the end of the failed attempt; never negative.
  case retry(after: Duration)
  /// Make no new attempt, and wait for the attempts under way and a hedge that is due; without any, this counts as
  /// ``stop``.
  case wait
  /// Make no further attempt; when none is under way, the caller gets the failure.
  case stop
}
