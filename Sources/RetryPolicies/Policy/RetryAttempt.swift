/// An attempt that has ended.
public struct RetryAttempt: Sendable {
  /// The class of an outcome under the rules.
  public enum OutcomeClass: String, Hashable, Sendable, CaseIterable, Codable {
    /// A response below 400.
    case success
    /// A failure that may go away: its status or error is among those that the rules list.
    case transientFailure
    /// A failure that every further attempt would have, too.
    case permanentFailure
    /// The attempt was cancelled before it had an outcome.
    case abandoned
  }

  /// The attempt's number, kind, start and delay.
  public let plan: AttemptPlan
  /// When the attempt ended, since the origin of the client's time.
  public let end: Duration
  /// How the attempt ended.
  public let outcome: AttemptOutcome
  /// The class of the outcome under the rules.
  public let outcomeClass: OutcomeClass
  /// How long the server asked to wait, from `Retry-After`; `nil` without the header.
  public let retryAfter: Duration?

  /// Creates an attempt that has ended.
  public init(
    plan: AttemptPlan, end: Duration, outcome: AttemptOutcome, outcomeClass: OutcomeClass, retryAfter: Duration? = nil
  ) {
    self.plan = plan
    self.end = end
    self.outcome = outcome
    self.outcomeClass = outcomeClass
    self.retryAfter = retryAfter
  }

  /// The attempt's number within its request, from 1.
  public var number: Int { plan.number }
}
