/// An attempt that has ended.
public struct RetryAttempt: Sendable {
  /// The worth of an outcome under the rules.
  public enum Verdict: String, Hashable, Sendable, CaseIterable, Codable {
    /// A response below 400.
    case success
    /// A failure that may pass: a status or an error that the rules name.
    case transientFailure
    /// A failure that another attempt would meet again.
    case permanentFailure
    /// It was cancelled before it had an outcome.
    case abandoned
  }

  /// How it was begun: number, kind, start, delay.
  public let plan: AttemptPlan
  /// When it ended, since the origin of the client's time.
  public let end: Duration
  /// How it ended.
  public let outcome: AttemptOutcome
  /// The worth of the outcome under the rules.
  public let verdict: Verdict
  /// How long the server asked to wait, from `Retry-After`.
  public let retryAfter: Duration?

  /// Creates an attempt that has ended.
  public init(
    plan: AttemptPlan, end: Duration, outcome: AttemptOutcome, verdict: Verdict, retryAfter: Duration? = nil
  ) {
    self.plan = plan
    self.end = end
    self.outcome = outcome
    self.verdict = verdict
    self.retryAfter = retryAfter
  }

  /// The place among the attempts of the request, counted from 1.
  public var number: Int { plan.number }
}
