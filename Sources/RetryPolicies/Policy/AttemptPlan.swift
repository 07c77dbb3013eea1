/// An attempt that is about to be made.
public struct AttemptPlan: Hashable, Sendable {
  /// The kind of an attempt: the original, a retry or a hedge.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// The first attempt of its request.
    case original
    /// An attempt after a failure.
    case retry
    /// An attempt beside others that have not ended.
    case hedge
  }

  /// The attempt's number within its request, from 1.
  public let number: Int
  /// Why the attempt is made.
  public let kind: Kind
  /// When the attempt starts, since the origin of the client's time.
  public let start: Duration
  /// The wait that the policy asked for, before rules and `Retry-After` changed it; `nil` unless this is a retry.
  public let backoff: Duration?
  /// How long the request waited for this attempt.
  ///
  /// A retry counts from the failure before it, a hedge from the start of the attempt before it, the original from the request.
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

  /// When the attempt was planned, since the origin of the client's time: a retry before its wait, others at their start.
  public var decided: Duration {
    kind == .retry ? start - delay : start
  }

  func delayed(by time: Duration) -> AttemptPlan {
    AttemptPlan(number: number, kind: kind, start: start + time, backoff: backoff, delay: delay + time)
  }
}
