/// An attempt that is about to be made.
public struct AttemptPlan: Hashable, Sendable {
  /// Why an attempt is made.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// The first of its request.
    case original
    /// Another one after a failure.
    case retry
    /// Another one beside those that have not ended.
    case hedge
  }

  /// The place among the attempts of the request, counted from 1.
  public let number: Int
  /// Why it is made.
  public let kind: Kind
  /// When it starts, since the origin of the client's time.
  public let start: Duration
  /// How long the policy asked to wait before it, before rules and `Retry-After` had their say; only of a retry.
  public let backoff: Duration?
  /// How long the request waited for it: since the failure before it, for a hedge since the attempt before it began, and for
  /// the original since the request was made.
  public let delay: Duration

  /// Creates a plan.
  public init(
    number: Int, kind: Kind, start: Duration = .zero, backoff: Duration? = nil, delay: Duration = .zero
  ) {
    precondition(number >= 1, "attempts are counted from 1")
    self.number = number
    self.kind = kind
    self.start = start
    self.backoff = backoff
    self.delay = delay
  }

  /// When it was planned, since the origin of the client's time: a retry before its wait, everything else at its start.
  public var decided: Duration {
    kind == .retry ? start - delay : start
  }

  /// The same, so much later.
  func delayed(by time: Duration) -> AttemptPlan {
    AttemptPlan(number: number, kind: kind, start: start + time, backoff: backoff, delay: delay + time)
  }
}
