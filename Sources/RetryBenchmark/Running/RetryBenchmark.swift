import Foundation
public import Internals
public import NetworkConditions
import RetryPolicies

/// Compares retry policies and whole clients over many networks and seeds, in virtual time.
///
/// ```swift
/// let benchmark = try RetryBenchmark(profiles: ["3G", "tunnel"], seeds: 0..<1000)
/// let report = try await benchmark.run(["none", "exponential", "full-jitter"])
/// print(report.headline(of: "tunnel"))
/// ```
///
/// Each trial is one simulation of a profile, a candidate and a seed. Under one seed all candidates meet the same
/// network at the same moment, so they can be compared in pairs. The result does not depend on the number of workers,
/// the order in which trials end, or how seeds were divided between machines.
public struct RetryBenchmark: Sendable {
  /// The profiles of the networks.
  public let profiles: [NetworkProfile]
  /// The seeds; each gives one trial for each profile and candidate.
  public private(set) var seeds: Range<UInt64>
  /// The requests that clients send.
  public let workload: Workload
  /// The simulated server.
  public let server: ServerModel
  /// The least difference in success that matters; `nil` is the default of ``SuccessMargin``.
  public var margin: SuccessMargin?
  /// How many trials run at once; by default the number of active cores.
  ///
  /// Trials keep all cores busy, except for clients on `URLSession` that are not captured. On Linux, all sessions of a
  /// process share one serial queue of Foundation's. For such clients, run several processes, each with a ``shard`` of
  /// the seeds, and combine their reports with ``RetryReport/merging(_:)``.
  public var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
  /// The share of the seeds to run: every `count`-th seed, beginning with the one at place `index`, from 0.
  public var shard = (index: 0, count: 1)

  /// Creates a benchmark.
  ///
  /// - Parameters:
  ///   - profiles: names of built-in profiles, files, or profiles.
  ///   - seeds: each gives one trial for each profile and candidate; such as `0..<1000` or `1...1000`.
  ///   - workload: the requests that clients send.
  ///   - server: the simulated server.
  /// - Throws: ``RetryBenchmarkError`` for an invalid benchmark; a `ProfileError` that lists similar names for an
  ///   unknown profile.
  public init<Seeds: RangeExpression>(
    profiles: [some ProfileSource], seeds: Seeds, workload: Workload = Workload(), server: ServerModel = ServerModel()
  ) throws where Seeds.Bound: FixedWidthInteger {
    let profiles = try profiles.map { try $0.networkProfile() }
    if profiles.isEmpty { throw RetryBenchmarkError.impossible("no profile: name at least one") }
    try Self.requireOnce("profile", profiles.map(\.name))
    guard let range = seeds.seeds, range.canBeCounted else {
      throw RetryBenchmarkError.impossible(
        "the seeds \(seeds) are empty, negative or too many: write for example 0..<1000")
    }
    if let problem = workload.problem ?? server.problem { throw RetryBenchmarkError.impossible(problem) }
    self.profiles = profiles
    self.seeds = range
    self.workload = workload
    self.server = server
  }

  /// Runs policies given as plans in text form, such as names of the catalogue.
  public func run(_ policies: [String], progress: (@Sendable (Int, Int) -> Void)? = nil) async throws -> RetryReport {
    try await run(policies.map { try Candidate(named: $0) }, progress: progress)
  }

  private static func requireOnce(_ kind: String, _ names: [String]) throws {
    guard let twice = names.first(where: { name in names.count { $0 == name } > 1 }) else { return }
    throw RetryBenchmarkError.impossible("the \(kind) \(twice.quoted) is given twice: give each its own name")
  }

  /// Runs all candidates under all profiles with all seeds.
  ///
  /// - Parameters:
  ///   - candidates: the candidates to compare; the first is the baseline.
  ///   - progress: called with the number of trials done and the number of all.
  /// - Returns: a report; it is partial if the task was cancelled. ``RetryReport/leftOut`` names candidates that are
  ///   missing: a trial could not be completed, or a client cannot read the server's answers.
  /// - Throws: ``RetryBenchmarkError`` with the reason if all candidates are left out.
  public func run(
    _ candidates: [Candidate], progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws -> RetryReport {
    if candidates.isEmpty { throw RetryBenchmarkError.impossible("no policy: name at least one") }
    try Self.requireOnce("policy", candidates.map(\.name))
    guard shard.count > 0, (0..<shard.count).contains(shard.index) else {
      throw RetryBenchmarkError.impossible(
        "shard \(shard.index + 1)/\(shard.count): write 1/\(max(1, shard.count)) to \(max(1, shard.count))/\(max(1, shard.count))"
      )
    }
    return try await BenchmarkRun(self, candidates).report(progress: progress)
  }

  /// The limits of a candidate's policy under this workload; `nil` for a client of the user's own.
  func limits(of candidate: Candidate) -> AttemptLimits? {
    guard case .policy(let make) = candidate.kind else { return nil }
    return AttemptLimits(workload.limited(make(SharedStates())).rules)
  }

  /// Runs candidates under more and more seeds, until every comparison is decided or ``seeds`` are used up.
  ///
  /// A comparison is decided when the candidate is known to differ from the first in its share of successes, or to
  /// differ by less than ``margin``. This must hold under every profile.
  ///
  /// Repeated looks at the figures would find differences that do not exist. So the looks are planned
  /// (``SequentialDesign``): the chance that any comparison is decided wrongly is at most 5 %. The report covers the
  /// seeds that were run, and its intervals are wide enough for that.
  /// - Parameters:
  ///   - candidates: the candidates to compare; the first is the baseline.
  ///   - progress: called with the trials done and the trials up to the present look.
  public func runUntilDecided(
    _ candidates: [Candidate], progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws -> RetryReport {
    if candidates.count < 2 { throw RetryBenchmarkError.impossible("one policy cannot be compared: name two or more") }
    if shard.count != 1 {
      throw RetryBenchmarkError.impossible("a shard has only a part of the seeds, so it cannot decide: run all seeds")
    }
    let design = SequentialDesign(limit: seeds.count, comparisons: profiles.count * (candidates.count - 1))
    var whole: RetryReport?
    for look in design.looks {
      var next = self
      let known = whole?.seeds.count ?? 0
      next.seeds = seeds.lowerBound + UInt64(known)..<seeds.lowerBound + UInt64(look)
      let part = try await next.run(candidates) { done, total in progress?(done, total) }
      whole = whole?.continued(by: part) ?? part
      let isDecided = whole?.isDecided(by: design) ?? false
      whole?.decision = RetryReport.Decision(design: design, isDecided: isDecided)
      if isDecided || whole?.isPartial == true { break }
    }
    guard let whole else { preconditionFailure("there is a look") }
    return whole
  }

  /// Runs one trial, as a whole run would, and returns what each client did and when.
  ///
  /// - Parameters:
  ///   - candidate: the candidate to run.
  ///   - profile: the name of one of the benchmark's profiles.
  ///   - seed: any seed, also one outside of ``seeds``.
  public func trial(of candidate: Candidate, under profile: String, seed: UInt64) async throws -> TrialRecord {
    guard let network = profiles.first(where: { $0.name == profile }) else {
      let names = profiles.map(\.name).joined(separator: ", ")
      throw RetryBenchmarkError.impossible("no profile is called \"\(profile)\"; the profiles are \(names)")
    }
    return try await Trial(
      profile: network, candidate: candidate, seed: seed, workload: workload, server: server
    ).record()
  }
}

extension Range<UInt64> {
  /// Whether the range is not empty and its count fits into an `Int`.
  var canBeCounted: Bool { !isEmpty && upperBound - lowerBound <= UInt64(Int.max) }
}

/// The reason why a benchmark cannot run or reports cannot be merged, in a sentence.
public enum RetryBenchmarkError: ExplainedError, Hashable, Sendable {
  /// The workload, the server, the seeds or the candidates are invalid.
  case impossible(String)
  /// Reports cannot be merged, because they are not parts of one run.
  case unlike(String)
  /// A trial could not be completed, for example because a client never stops.
  case unfinished(candidate: String, profile: String, seed: UInt64, reason: SimulationError)
  /// A policy waits for ever, for example for a network that the profile never provides.
  case waiting(candidate: String, profile: String)

  var isWaiting: Bool { if case .waiting = self { true } else { false } }

  /// The error in a sentence, with a reference to its explanation.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .impossible: .impossibleBenchmark
    case .unlike: .unlikeReports
    case .unfinished(_, _, _, let reason): reason.explanation
    case .waiting: .unending
    }
  }

  package var sentence: String {
    switch self {
    case .impossible(let reason): "This cannot be run: \(reason)."
    case .unlike(let reason): "These reports do not belong together: \(reason)."
    case .waiting(let candidate, let profile):
      "\(candidate) waits for ever under \(profile): give it a deadline, as in + deadline(60 s) or --deadline '60 s'."
    case .unfinished(let candidate, let profile, let seed, let reason):
      "The trial \(profile)/\(candidate)/\(seed) could not be completed. \(Self.text(reason))"
    }
  }

  /// The reason in terms of policies and clients, since users of a benchmark set no network limits.
  private static func text(_ reason: SimulationError) -> String {
    guard case .unending(let limit, let time, let waiting, let run) = reason else { return "\(reason)" }
    let most =
      switch limit {
      case .time(let time): RetryReport.time(time)
      case .requests(let count): "\(count) requests"
      }
    let since = "\(FigureText.digits(SimulatedInstant.zero.duration(to: time).inSeconds)) s"
    let open = waiting.isEmpty ? "" : " Open: \(waiting.joined(separator: "; "))."
    return Explanation.unending.ending(
      """
      It is still running after \(since) of virtual time: the limit is \(most).\(open) Give the policy attempts or a \
      deadline, as in full-jitter(attempts 4) or --deadline '60 s', and your own client an end
      """, of: run)
  }
}
