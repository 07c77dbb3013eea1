public import RetryPolicies

/// The course of one trial: a client, or many, under one network with one seed.
///
/// It is the input of all metrics. Times are counted from the trial's start.
public struct TrialRecord: Hashable, Sendable {
  /// The seed of the trial; policies are compared seed by seed.
  public var seed: UInt64
  /// The requests that clients asked for, in any order.
  public var requests: [RequestRecord]
  /// When the server or the network was out, in order and apart.
  public var outages: [Range<Duration>]
  /// When the server was slow, in any order.
  public var brownOuts: [Range<Duration>]
  /// The load of each of the server's zones; none of a server in one place.
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

  /// When the server or the network was out, or the server slow: in order, and those that touch as one.
  var troubles: [Range<Duration>] { Self.joined(outages + brownOuts) }

  /// The ranges in order, those that touch as one.
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

/// One request as its caller sees it, with the attempts that were made for it.
public struct RequestRecord: Hashable, Sendable {
  /// The number of the client that asked, from 0.
  public var client: Int
  /// When the caller asked.
  public var start: Duration
  /// When the caller had an answer or an error.
  public var end: Duration
  /// Whether the answer was a success.
  public var isSuccess: Bool
  /// Whether sending it twice does no more than sending it once.
  public var isIdempotent: Bool
  /// How long it was allowed to take.
  public var deadline: Duration?
  /// Whether a budget or a throttle refused a retry or the request itself.
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
  /// Why it was made.
  public var kind: AttemptPlan.Kind
  /// When it started.
  public var start: Duration
  /// When it ended.
  public var end: Duration
  /// The worth of its outcome.
  public var verdict: RetryAttempt.Verdict
  /// A short name of the outcome: `503`, `timedOut`, `abandoned`.
  public var outcome: String
  /// The bytes sent for it, as the link carried them: with all headers, handshakes, and what was sent again.
  public var sent: Int
  /// The bytes that were sent back.
  public var received: Int
  /// How long the server asked to wait after it.
  public var retryAfter: Duration?
  /// Whether it reached the server in whole.
  public var reachedServer: Bool
  /// Whether the server carried it out, whether or not the client learnt of it.
  public var wasProcessed: Bool

  /// Creates a trace.
  public init(
    kind: AttemptPlan.Kind, start: Duration, end: Duration, verdict: RetryAttempt.Verdict, outcome: String,
    sent: Int = 0,
    received: Int = 0, retryAfter: Duration? = nil, reachedServer: Bool? = nil, wasProcessed: Bool? = nil
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
    self.reachedServer = reachedServer ?? self.wasProcessed
  }
}
