import RetryPolicies

/// Everything that is measured of one policy under one network, over many trials.
///
/// The parts of a run that were gathered apart and are merged, in any order, equal the whole: also in JSON, byte for
/// byte. All sums are of integers; rates and means are computed when they are asked for.
public struct PolicyMetrics: Mergeable, Hashable, Sendable, Codable {
  /// The version of the format.
  public let version: FormatVersion
  /// The name of the policy.
  public let policy: String
  /// The name of the network's profile.
  public let profile: String
  /// One summary for each trial, in the order of the seeds.
  public private(set) var trials: [TrialSummary] = []
  /// How many requests succeeded.
  public private(set) var success = Proportion()
  /// How long requests that succeeded took.
  public private(set) var latency = QuantileSketch()
  /// The mean of the same, with its uncertainty.
  public private(set) var meanLatency = SampleMean()
  /// How long it took until a request was given up.
  public private(set) var timeToGiveUp = QuantileSketch()
  /// How many requests had so many attempts.
  public private(set) var attempts = CountHistogram()
  /// How many attempts ended in which way, by a short name.
  public private(set) var outcomes: [String: Int] = [:]
  /// How many attempts were made beside others.
  public private(set) var hedges = 0
  /// How many requests a budget or a throttle denied something.
  public private(set) var denials = 0
  /// The bytes, and those that were wasted.
  public private(set) var traffic = Traffic()
  /// The server's load.
  public private(set) var load = ServerLoad()
  /// The same around outages.
  public private(set) var outageLoad = OutageLoad()
  /// How soon all was well after outages.
  public private(set) var recovery = Recovery()
  /// The client's violations.
  public private(set) var violations = Violations()
  /// How much retries came together.
  public private(set) var synchronisation = Synchronisation()

  /// Creates metrics that have seen no trial.
  public init(policy: String, profile: String) {
    version = FormatVersion()
    self.policy = policy
    self.profile = profile
  }

  /// Adds a trial, whose seed is new.
  public mutating func add(_ trial: TrialRecord) {
    var wasted = Traffic()
    for request in trial.requests {
      add(request)
      wasted.add(request)
    }
    load.add(trial)
    outageLoad.add(trial)
    recovery.add(trial)
    synchronisation.add(trial)
    let successes = trial.requests.filter(\.isSuccess)
    insert([
      TrialSummary(
        seed: trial.seed, requests: trial.requests.count, successes: successes.count,
        latency: successes.reduce(.zero) { $0 + $1.end - $1.start },
        attempts: trial.requests.reduce(0) { $0 + $1.attempts.count },
        wastedBytes: wasted.wastedSent + wasted.wastedReceived)
    ])
  }

  /// Adds the trials of another part of the same policy and profile; no seed is in both.
  public mutating func merge(_ other: PolicyMetrics) {
    precondition(policy == other.policy && profile == other.profile, "parts of one policy under one profile")
    success.merge(other.success)
    latency.merge(other.latency)
    meanLatency.merge(other.meanLatency)
    timeToGiveUp.merge(other.timeToGiveUp)
    attempts.merge(other.attempts)
    outcomes.merge(other.outcomes, uniquingKeysWith: +)
    hedges += other.hedges
    denials += other.denials
    traffic.merge(other.traffic)
    load.merge(other.load)
    outageLoad.merge(other.outageLoad)
    recovery.merge(other.recovery)
    violations.merge(other.violations)
    synchronisation.merge(other.synchronisation)
    insert(other.trials)
  }

  private mutating func add(_ request: RequestRecord) {
    let time = request.end - request.start
    success.add(request.isSuccess)
    if request.isSuccess {
      latency.add(time)
      meanLatency.add(time)
    }
    if !request.isSuccess { timeToGiveUp.add(time) }
    attempts.add(request.attempts.count)
    for attempt in request.attempts { outcomes[attempt.outcome, default: 0] += 1 }
    hedges += request.attempts.count { $0.kind == .hedge }
    if request.wasDenied { denials += 1 }
    traffic.add(request)
    violations.add(request)
  }

  private mutating func insert(_ more: [TrialSummary]) {
    let inOrder = trials.last.map { $0.seed < more.first?.seed ?? .max } ?? true
    trials += more
    guard !inOrder || more.count > 1 else { return }
    trials.sort { $0.seed < $1.seed }
    precondition(
      zip(trials, trials.dropFirst()).allSatisfy { $0.seed < $1.seed }, "each seed is counted once")
  }
}

/// The version of a format, which refuses to be read where it is another.
public struct FormatVersion: Hashable, Sendable, Codable {
  /// The version that this module writes and reads.
  public static let current = 2

  /// Creates the current version.
  public init() {}

  /// Reads a version.
  public init(from decoder: any Decoder) throws {
    let version = try decoder.singleValueContainer().decode(Int.self)
    guard version == Self.current else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "metrics of version \(version); this module reads version \(Self.current)"))
    }
  }

  /// Writes the current version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.current)
  }
}
