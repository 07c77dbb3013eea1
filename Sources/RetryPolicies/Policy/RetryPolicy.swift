public import URLLoading

/// Decides whether a request that failed is sent again, and when.
///
/// One method is required. A policy without memory computes its answer from what it is handed: the attempt, the request
/// with all attempts before it, and a source of chance of its own. A policy that knows of other requests (a token
/// bucket, a retry budget, a circuit breaker) holds a reference to that shared state and uses the further methods, all
/// of which have defaults.
///
/// A policy reads no clock and draws no other random numbers: the same arguments, and the same shared state, give the
/// same answers. All times are durations since one origin, common to all requests of a client.
///
/// The rules of all policies alike (which failures are transient, how many attempts, deadlines, `Retry-After`) stands
/// in ``rules`` and is enforced by whoever carries the request out: ``decision(after:of:random:)`` is asked only where
/// the rules would allow another attempt.
public protocol RetryPolicy: Sendable, CustomStringConvertible {
  /// Says whether another attempt follows a transient failure, and how long after its end.
  ///
  /// - Parameters:
  ///   - attempt: the attempt that failed.
  ///   - request: the request with all attempts that have ended, this one included, in the order of their ends.
  ///   - random: chance, decided by the seed of the request and the number of the attempt.
  func decision(after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom) -> RetryDecision

  /// The requests that are retried at all, and the limits; ``RetryRules/standard`` unless a policy says otherwise.
  var rules: RetryRules { get }

  /// Says how long after the start of an attempt another one starts beside it, when none has ended by then.
  ///
  /// `nil`, the default, is not to hedge.
  func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration?

  /// Has the last word on a retry or hedge that everything else allows: the place to spend from a budget.
  ///
  /// Called once for each, when it is planned: for a retry that is before the wait, so that a refusal costs no time.
  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool

  /// Says how long an attempt still has to wait for its turn, the first one included: the place of a limit of the rate.
  ///
  /// Called immediately before ``admits(_:of:)``, and after such a wait again. Zero has taken the turn.
  func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration

  /// Lets an attempt start, the first one included, or refuses: the place of a circuit breaker.
  ///
  /// Called immediately before the start. Each attempt that is let through is told of in ``didFinish(_:of:)``.
  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool

  /// The request as an attempt sends it: the place of a token, or of anything else that is new in each attempt.
  ///
  /// It may wait, within the time of the attempt. What it throws is how the attempt ends.
  func prepare(_ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest) async throws -> URLRequest

  /// Whether an answer is a transient failure although the rules do not name its status: the place to look at its body.
  func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool

  /// What a retry waits for before its own wait begins: the place of a network that is to come back.
  ///
  /// `nil`, the default, is nothing. It ends soon after its task is cancelled.
  func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)?

  /// Learns how an attempt ended, whichever way; called before a decision is asked for.
  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest)
}

extension RetryPolicy {
  /// The standard rules.
  public var rules: RetryRules { .standard }

  /// No hedging.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { nil }

  /// Everything is granted.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { true }

  /// Nothing waits for its turn.
  public func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration { .zero }

  /// Everything is let through.
  public func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { true }

  /// The request as it is.
  public func prepare(
    _ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest
  ) async throws -> URLRequest { sent }

  /// The rules alone decide.
  public func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool { false }

  /// Nothing is waited for but the time.
  public func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)? { nil }

  /// Nothing is remembered.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {}
}

/// The answer of a policy after a failure.
public enum RetryDecision: Hashable, Sendable {
  /// Try again, this long after the end of the attempt that failed; never negative.
  case retry(after: Duration)
  /// Leave it to the attempts that are under way, and to the hedge that is due; without any of them it is ``stop``.
  case wait
  /// No further attempt is made; when none is under way, the failure is handed to the caller.
  case stop
}
