public import RetryPolicies

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
  /// How far the policy goes at most; `nil` of a client of the user's own, whose limits nobody knows.
  public let limits: AttemptLimits?
  /// The text that makes the policy again, where there is one.
  public let plan: String?
  /// One summary for each trial, in the order of the seeds.
  public private(set) var trials: [TrialSummary] = []
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
  public init(policy: String, profile: String, limits: AttemptLimits? = nil, plan: String? = nil) {
    version = FormatVersion()
    self.policy = policy
    self.profile = profile
    self.limits = limits
    self.plan = plan
  }

  /// Adds a trial, whose seed is new.
  public mutating func add(_ trial: TrialRecord) {
    for request in trial.requests { add(request) }
    load.add(trial)
    outageLoad.add(trial)
    recovery.add(trial)
    synchronisation.add(trial)
    insert([TrialSummary(trial)])
  }

  /// Adds the trials of another part of the same policy and profile; no seed is in both.
  public mutating func merge(_ other: PolicyMetrics) {
    precondition(policy == other.policy && profile == other.profile, "parts of one policy under one profile")
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

  /// The same policy on some of its seeds: what estimates go by, and nothing else.
  package func restricted(to seeds: Range<UInt64>) -> PolicyMetrics {
    var part = PolicyMetrics(policy: policy, profile: profile, limits: limits, plan: plan)
    part.trials = trials.filter { seeds.contains($0.seed) }
    return part
  }

  /// The same policy on trials drawn from its own, by their places, as if each were of a seed of its own.
  package func resampled(_ places: [Int]) -> PolicyMetrics {
    var part = PolicyMetrics(policy: policy, profile: profile, limits: limits, plan: plan)
    part.trials = places.enumerated().map { number, place in
      var trial = trials[place]
      trial.seed = UInt64(number)
      return trial
    }
    return part
  }

  private mutating func add(_ request: RequestRecord) {
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

/// How far a policy goes at most: policies that differ in these are compared in them more than in their waits.
public struct AttemptLimits: Hashable, Sendable, Codable {
  /// How many attempts a request may have; `nil` is any number.
  public let attempts: Int?
  /// How long it may take in all.
  public let deadline: Duration?
  /// How long one attempt may take.
  public let perTry: Duration?

  /// The limits of a policy's rules.
  public init(_ rules: RetryRules) {
    (attempts, deadline, perTry) = (rules.maximumAttempts, rules.deadline, rules.perTryTimeout)
  }

  /// The limits in words, such as `4 attempts, 20 s in all, 5 s each`.
  public var text: String {
    let parts = [
      attempts.map { "\($0) attempt\($0 == 1 ? "" : "s")" } ?? "any number of attempts",
      deadline.map { "\(RetryReport.time($0)) in all" }, perTry.map { "\(RetryReport.time($0)) each" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

/// The version of a format, which refuses to be read where it is another.
public struct FormatVersion: Hashable, Sendable, Codable {
  /// The version that this module writes and reads.
  public static let current = 5

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
