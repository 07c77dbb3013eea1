public import Foundation
public import NetworkConditions

/// The result of a benchmark: all that was measured, and the settings of the run.
///
/// Equal runs give equal JSON, byte for byte, however many workers ran them and however the seeds were divided.
public struct RetryReport: Hashable, Sendable, Codable {
  /// One share of the seeds, when a run is divided between machines or processes.
  public struct Part: Hashable, Sendable, Codable, Comparable {
    /// The share's number, from 0.
    public let index: Int
    /// How many shares there are.
    public let count: Int

    init(_ index: Int, of count: Int) {
      self.index = index
      self.count = count
    }

    /// Whether the index of `lhs` is lower.
    public static func < (lhs: Part, rhs: Part) -> Bool { lhs.index < rhs.index }
  }

  /// The outcome of a run that continued until its comparisons were decided.
  public struct Decision: Hashable, Sendable, Codable {
    /// The plan of the looks: their seed counts, and the confidence that each needs.
    public let design: SequentialDesign
    /// Whether all comparisons were decided before the seeds were used up.
    public let isDecided: Bool
  }

  /// A candidate that is in no comparison, because a trial of it could not be completed.
  public struct LeftOut: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the candidate.
    public let policy: String
    /// The profile whose results lack the candidate; `nil` if all do.
    public let profile: String?
    /// Whether its policy correctly waits for ever, such as for a network that never returns.
    public let isWaiting: Bool
    /// The trial that could not be completed, and why.
    public let reason: String

    /// The name and the reason, in a sentence or two.
    public var description: String { isWaiting ? reason : "\(policy) is left out. \(reason)" }

    /// Whether these metrics belong to this left-out candidate and profile.
    func concerns(_ metrics: PolicyMetrics) -> Bool {
      policy == metrics.policy && (profile ?? metrics.profile) == metrics.profile
    }

    /// Whether `one` comes before `other` in reports: by the candidate's name, the profile's, then the reason.
    static func areInOrder(_ one: LeftOut, _ other: LeftOut) -> Bool {
      (one.policy, one.profile ?? "", one.reason) < (other.policy, other.profile ?? "", other.reason)
    }
  }

  private var version = MetricsVersion()
  /// The seeds of the whole run, of all shares together.
  public private(set) var seeds: Range<UInt64>
  /// The workload: the requests that clients sent.
  public let workload: Workload
  /// The simulated server that answered.
  public let server: ServerModel
  /// The shares in this report; a single share of count 1 is the whole run.
  public private(set) var parts: [Part]
  /// Whether the run was interrupted before all trials were done.
  public private(set) var isPartial: Bool
  /// The metrics of each candidate under each profile.
  public private(set) var results: [PolicyMetrics]
  /// The candidates that are missing under one or all profiles, because a trial could not be completed.
  public private(set) var leftOut: [LeftOut]
  /// The outcome of a run that continued until its comparisons were decided; `nil` for other runs.
  public internal(set) var decision: Decision?
  /// The least difference in success that matters; `nil` is the default of ``SuccessMargin``.
  public let margin: SuccessMargin?

  /// The confidence of every interval in the report: 0.95 by default.
  ///
  /// A run that continues until it is decided uses a higher one, so that all looks and comparisons together keep 0.95.
  public var confidence: Double { decision?.design.confidence ?? 0.95 }

  init(
    seeds: Range<UInt64>, workload: Workload, server: ServerModel, parts: [Part], isPartial: Bool,
    results: [PolicyMetrics], leftOut: [LeftOut] = [], margin: SuccessMargin? = nil
  ) {
    self.margin = margin
    self.leftOut = leftOut
    self.seeds = seeds
    self.workload = workload
    self.server = server
    self.parts = parts
    self.isPartial = isPartial
    self.results = results
  }

  /// The names of the profiles, in the order of the run.
  public var profiles: [String] { Self.unique(results.map(\.profile)) }
  /// The names of the candidates, in the order of the run.
  public var policies: [String] { Self.unique(results.map(\.policy)) }

  /// Each candidate as the command line takes it: its plan, or `name = plan` where the name differs.
  package var plans: [String] {
    policies.map { name in
      guard let plan = results.first(where: { $0.policy == name })?.plan, plan != name else { return name }
      return "\(name) = \(plan)"
    }
  }

  /// The metrics of one candidate under one profile.
  public subscript(profile: String, policy: String) -> PolicyMetrics? {
    results.first { $0.profile == profile && $0.policy == policy }
  }

  /// This report with the results of the next seeds of the same run added.
  func continued(by next: RetryReport) -> RetryReport {
    var whole = self
    whole.seeds = seeds.lowerBound..<next.seeds.upperBound
    whole.isPartial = isPartial || next.isPartial
    whole.take(next)
    return whole
  }

  /// Adds the trials of another part; a candidate left out of one part is left out of the result.
  private mutating func take(_ other: RetryReport) {
    var known: Set<[String?]> = []
    leftOut = (leftOut + other.leftOut).sorted(by: LeftOut.areInOrder)
      .filter { known.insert([$0.policy, $0.profile]).inserted }
    results = results.compactMap { own in
      guard let more = other[own.profile, own.policy] else { return nil }
      var both = own
      both.merge(more)
      return both
    }
  }

  /// The metrics of this report, without the candidates that the other report leaves out.
  private func common(with other: RetryReport) -> [PolicyMetrics] {
    results.filter { own in !other.leftOut.contains { $0.concerns(own) } }
  }

  /// Combines the shares of one run into one report.
  ///
  /// - Throws: ``RetryBenchmarkError/unlike(_:)`` when the shares are of different runs, or one is given twice.
  public static func merging(_ reports: [RetryReport]) throws(RetryBenchmarkError) -> RetryReport {
    guard var whole = reports.first else { throw .unlike("there are no reports") }
    for report in reports.dropFirst() {
      guard report.seeds == whole.seeds, report.workload == whole.workload, report.server == whole.server else {
        throw .unlike("they are of different runs: seeds, workload or server differ")
      }
      guard report.margin == whole.margin else { throw .unlike("their margins differ") }
      guard report.parts.first?.count == whole.parts.first?.count else {
        throw .unlike("their numbers of shards differ")
      }
      let (new, known) = (report.common(with: whole), whole.common(with: report))
      guard new.map(\.policy) == known.map(\.policy), new.map(\.profile) == known.map(\.profile),
        new.map(\.limits) == known.map(\.limits), new.map(\.plan) == known.map(\.plan), !new.isEmpty
      else { throw .unlike("they compare different policies or profiles") }
      guard report.decision == nil, whole.decision == nil else {
        throw .unlike("one of them ran until decided, so it is not a shard")
      }
      guard report.parts.count + whole.parts.count <= ReportGate.mostParts else {
        throw .unlike("there are more than \(ReportGate.mostParts); merge groups of them first")
      }
      if let twice = report.parts.first(where: { whole.parts.contains($0) }) {
        throw .unlike("shard \(twice.index + 1)/\(twice.count) is given twice")
      }
      for (known, new) in zip(known, new) {
        let seeds = Set(known.trials.map(\.seed))
        if let twice = new.trials.first(where: { seeds.contains($0.seed) }) {
          throw .unlike("seed \(twice.seed) is in two of them")
        }
      }
      whole.take(report)
      whole.parts = (whole.parts + report.parts).sorted()
      whole.isPartial = whole.isPartial || report.isPartial
    }
    // A report of all shares equals the report of an undivided run.
    if whole.parts.count == whole.parts.first?.count { whole.parts = [Part(0, of: 1)] }
    return whole
  }

  /// The report as JSON; equal reports give equal bytes.
  ///
  /// The JSON also has `answers`, computed from the measurements and ignored when read. For each profile they hold the
  /// headline, and how many times as many failures each other candidate has as the first.
  public func json() throws -> Data {
    try AnsweredReport(report: self).stableJSON()
  }

  /// Reads a report from JSON.
  ///
  /// - Throws: an error that names the place, the value and its correction; also for another format version.
  public init(json: Data) throws(ProfileError) {
    self = try ReportGate.read(json)
  }

  static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
