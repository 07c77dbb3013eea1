public import RetryPolicies

/// The record of one trial: what one or more clients did under one network and one seed.
///
/// All metrics are computed from it. Times are counted from the trial's start.
public struct TrialRecord: Hashable, Sendable {
  /// The trial's seed; policies are compared seed by seed.
  public var seed: UInt64
  /// The requests that clients made, in any order.
  public var requests: [RequestRecord]
  /// The times when the server or the network was down, in order and without overlap.
  public var outages: [Range<Duration>] = []
  /// The times when the server was slow, in any order.
  public var brownOuts: [Range<Duration>] = []

  /// When the server or the network was out, or the server slow; in order, with touching ranges joined.
  var troubles: [Range<Duration>] { Self.joined(outages + brownOuts) }

  /// The ranges in order, with those that touch or overlap joined.
  static func joined(_ ranges: [Range<Duration>]) -> [Range<Duration>] { Array(RangeSet(ranges).ranges) }
}

/// One request as its caller sees it, with its attempts.
public struct RequestRecord: Hashable, Sendable {
  /// The number of the client that asked, from 0.
  public var client = 0
  /// When the caller made the request.
  public var start: Duration
  /// When the caller received an answer or an error.
  public var end: Duration
  /// Whether the answer was a success.
  public var isSuccess: Bool
  /// Whether sending the request twice has the same effect as sending it once.
  public var isIdempotent = true
  /// How long the request may take; `nil` is no limit.
  public var deadline: Duration?
  /// Whether a budget or a throttle refused an attempt of the request.
  public var wasDenied = false
  /// The attempts, in the order of their starts.
  public var attempts: [AttemptTrace]
}

/// One attempt, as the client and the server saw it.
public struct AttemptTrace: Hashable, Sendable {
  /// Whether the attempt is the original, a retry or a hedge.
  public var kind: AttemptPlan.Kind
  /// When the attempt started.
  public var start: Duration
  /// When the attempt ended.
  public var end: Duration
  /// How the retry policy classifies the outcome, such as a success or a transient failure.
  public var outcomeClass: RetryAttempt.OutcomeClass
  /// A short name of the outcome: `503`, `timedOut`, `abandoned`.
  public var outcome: String
  /// The bytes sent on the link, including headers, handshakes and retransmissions.
  public var sent = 0
  /// The bytes received on the link, counted in the same way.
  public var received = 0
  /// The wait that the server's `Retry-After` asked for.
  public var retryAfter: Duration?
  /// Whether the server carried the request out, even if the client never got the answer.
  public var wasProcessed: Bool
}
