import NetworkConditions
public import RetryPolicies

/// All measurements of one policy under one network profile, over many trials.
///
/// Parts of a run can be merged in any order, and give the same metrics as the whole run, byte for byte in JSON. All
/// sums are of integers; rates and means are computed on demand.
public struct PolicyMetrics: Mergeable, Hashable, Sendable, Codable {
  private var version = MetricsVersion()
  /// The name of the policy.
  public let policy: String
  /// The name of the network's profile.
  public let profile: String
  /// The policy's limits on attempts and times; `nil` for a client of the user's own.
  public let limits: AttemptLimits?
  /// The text from which the policy can be made again, if there is one.
  public let plan: String?
  /// One summary for each trial, in the order of the seeds.
  public package(set) var trials: [TrialSummary] = []
  /// How many requests had each number of attempts.
  public private(set) var attempts = CountHistogram()
  /// How many attempts had each outcome, such as `503` or `abandoned`.
  public private(set) var outcomes: [String: Int] = [:]
  /// The number of attempts that were started while another was under way.
  public private(set) var hedges = 0
  /// How many requests had an attempt denied by a budget or a throttle.
  public private(set) var denials = 0
  /// The bytes of all attempts, and how many of them were wasted.
  public private(set) var traffic = Traffic()
  /// The server's load in each second since the trials' start.
  public private(set) var load = ServerLoad()
  /// The server's load in each second around outages.
  public private(set) var outageLoad = OutageLoad()
  /// How soon requests succeeded again after outages and brown-outs.
  public private(set) var recovery = Recovery()
  /// How often the client broke a rule, such as a deadline.
  public private(set) var violations = Violations()
  /// How closely retries came together in time.
  public private(set) var synchronisation = Synchronisation()

  /// Creates metrics without any trial.
  public init(policy: String, profile: String, limits: AttemptLimits? = nil, plan: String? = nil) {
    self.policy = policy
    self.profile = profile
    self.limits = limits
    self.plan = plan
  }

  /// Adds a trial, whose seed must be new.
  public mutating func add(_ trial: TrialRecord) {
    for request in trial.requests { add(request) }
    load.add(trial)
    outageLoad.add(trial)
    recovery.add(trial)
    synchronisation.add(trial)
    insert([TrialSummary(trial)])
  }

  /// Adds another part's trials of the same policy and profile; the parts have no seed in common.
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

/// A policy's limits; where policies differ in these, a comparison shows the limits more than the waits.
public struct AttemptLimits: Hashable, Sendable, Codable {
  /// How many attempts a request may have; `nil` is any number.
  public let attempts: Int?
  /// How long a request may take with all its attempts; `nil` is no limit.
  public let deadline: Duration?
  /// How long one attempt may take; `nil` is no limit.
  public let perTry: Duration?

  /// Takes the limits from a policy's rules.
  public init(_ rules: RetryRules) {
    // Callers may pass `.max` for "no limit", but a report holds no count above 2^53.
    attempts = rules.maximumAttempts.flatMap { $0 < 1 << 53 ? $0 : nil }
    (deadline, perTry) = (rules.deadline, rules.perTryTimeout)
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

/// The version of the format of metrics and of the reports that hold them.
struct MetricsVersion: FormatVersion {
  static let known = 5
  static func refusal(of version: Int) -> String { "metrics of version \(version); this module reads version \(known)" }
}
