public import RetryPolicies

/// The record of one trial: what one or more clients did under one network and one seed.
///
/// All metrics are computed from it. Times are counted from the trial's start.
public struct TrialRecord: Hashable, Sendable {
  /// The trial's seed; policies are compared seed by seed.
  public var seed: UInt64
  /// The requests that clients made, in any order.
  public var requests: [RequestRecord]
  /// When the server or the network was out, in order and without overlap.
  public var outages: [Range<Duration>]
  /// When the server was slow, in any order.
  public var brownOuts: [Range<Duration>]
  /// The load of each zone; empty for a server in one place.
  public var zones: [ZoneLoad]

  /// Creates a record.
  public init(
    seed: UInt64, requests: [RequestRecord], outages: [Range<Duration>] = [],
    brownOuts: [Range<Duration>] = [], zones: [ZoneLoad] = []
  ) {
    self.seed = seed
    self.requests = requests
    self.outages = outages
    self.brownOuts = brownOuts
    self.zones = zones
  }

  /// When the server or the network was out, or the server slow; in order, with touching ranges joined.
  var troubles: [Range<Duration>] { Self.joined(outages + brownOuts) }

  /// The ranges in order, with those that touch or overlap joined.
  static func joined(_ ranges: [Range<Duration>]) -> [Range<Duration>] {
    var joined: [Range<Duration>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

/// One request as its caller sees it, with its attempts.
public struct RequestRecord: Hashable, Sendable {
  /// The number of the client that asked, from 0.
  public var client: Int
  /// When the caller made the request.
  public var start: Duration
  /// When the caller received an answer or an error.
  public var end: Duration
  /// Whether the answer was a success.
  public var isSuccess: Bool
  /// Whether sending the request twice has the same effect as sending it once.
  public var isIdempotent: Bool
  /// How long the request may take; `nil` is no limit.
  public var deadline: Duration?
  /// Whether a budget or a throttle refused an attempt of the request.
  public var wasDenied: Bool
  /// The attempts, in the order of their starts.
  public var attempts: [AttemptTrace]

  /// Creates a record.
  public init(
    client: Int = 0, start: Duration, end: Duration, isSuccess: Bool, isIdempotent: Bool = true,
    deadline: Duration? = nil,
    wasDenied: Bool = false, attempts: [AttemptTrace]
  ) {
    precondition(end >= start, "a request ends after it starts")
    self.client = client
    self.start = start
    self.end = end
    self.isSuccess = isSuccess
    self.isIdempotent = isIdempotent
    self.deadline = deadline
    self.wasDenied = wasDenied
    self.attempts = attempts
  }
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
  public var verdict: RetryAttempt.Verdict
  /// A short name of the outcome: `503`, `timedOut`, `abandoned`.
  public var outcome: String
  /// The bytes sent on the link, including headers, handshakes and retransmissions.
  public var sent: Int
  /// The bytes received on the link, counted in the same way.
  public var received: Int
  /// The wait that the server's `Retry-After` asked for.
  public var retryAfter: Duration?
  /// Whether the server carried the request out, even if the client never got the answer.
  public var wasProcessed: Bool

  /// Creates a trace; by default only successes were carried out.
  public init(
    kind: AttemptPlan.Kind, start: Duration, end: Duration, verdict: RetryAttempt.Verdict, outcome: String,
    sent: Int = 0, received: Int = 0, retryAfter: Duration? = nil, wasProcessed: Bool? = nil
  ) {
    precondition(start >= .zero && end >= start && sent >= 0 && received >= 0, "times and bytes are not negative")
    self.kind = kind
    self.start = start
    self.end = end
    self.verdict = verdict
    self.outcome = outcome
    self.sent = sent
    self.received = received
    self.retryAfter = retryAfter
    self.wasProcessed = wasProcessed ?? (verdict == .success)
  }
}
