public import Foundation
public import NetworkConditions

/// The result of a benchmark: everything that was measured, and what it was measured with.
///
/// Equal runs give equal JSON, byte for byte, however many workers ran them and however the seeds were divided.
public struct RetryReport: Hashable, Sendable, Codable {
  /// Which share of the seeds a report is about.
  public struct Part: Hashable, Sendable, Codable, Comparable {
    /// The share's number, from 0.
    public let index: Int
    /// How many shares there are.
    public let count: Int

    init(_ index: Int, of count: Int) {
      self.index = index
      self.count = count
    }

    /// Whether `lhs` comes first.
    public static func < (lhs: Part, rhs: Part) -> Bool { lhs.index < rhs.index }
  }

  /// The outcome of a run that went on until it was decided.
  public struct Decision: Hashable, Sendable, Codable {
    /// When it looked, and how sure it had to be.
    public let design: SequentialDesign
    /// Whether all comparisons were decided before the seeds were used up.
    public let isDecided: Bool
  }

  /// A contender of which a trial could not be carried to its end, so that it is compared with nobody.
  public struct LeftOut: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the contender.
    public let policy: String
    /// The profile under which it is left out; `nil` is every one.
    public let profile: String?
    /// Whether its policy waits, as for a network that never comes: right of it, and its requests have no end.
    public let isWaiting: Bool
    /// The trial, and why it has no end.
    public let reason: String

    /// The name and the reason, in a sentence or two.
    public var description: String { isWaiting ? reason : "\(policy) is left out. \(reason)" }

    /// Whether it is this contender under this profile that is left out.
    func concerns(_ metrics: PolicyMetrics) -> Bool {
      policy == metrics.policy && (profile ?? metrics.profile) == metrics.profile
    }

    /// The order in reports.
    static func areInOrder(_ one: LeftOut, _ other: LeftOut) -> Bool {
      (one.policy, one.profile ?? "") < (other.policy, other.profile ?? "")
    }
  }

  /// The version of the format.
  public let version: FormatVersion
  /// The seeds of the whole.
  public private(set) var seeds: Range<UInt64>
  /// The requests of clients.
  public let workload: Workload
  /// Who answered.
  public let server: ServerModel
  /// The shares that are in it; one of one is the whole.
  public private(set) var parts: [Part]
  /// Whether it was interrupted before all of its trials were done.
  public private(set) var isPartial: Bool
  /// The metrics of each contender under each profile.
  public private(set) var results: [PolicyMetrics]
  /// The contenders that are not in it, or not under each profile, since a trial of theirs has no end.
  public private(set) var leftOut: [LeftOut]
  /// Its outcome, if it was to go on until it was decided.
  public internal(set) var decision: Decision?
  /// The least difference in success that matters; `nil` is the usual one.
  public let margin: SuccessMargin?

  /// The confidence of all of its intervals: 0.95, or so much more that 0.95 is left for all looks and comparisons together.
  public var confidence: Double { decision?.design.confidence ?? 0.95 }

  init(
    seeds: Range<UInt64>, workload: Workload, server: ServerModel, parts: [Part], isPartial: Bool,
    results: [PolicyMetrics], leftOut: [LeftOut] = [], margin: SuccessMargin? = nil
  ) {
    self.margin = margin
    self.leftOut = leftOut
    version = FormatVersion()
    self.seeds = seeds
    self.workload = workload
    self.server = server
    self.parts = parts
    self.isPartial = isPartial
    self.results = results
  }

  /// The names of the profiles, in their order.
  public var profiles: [String] { Self.unique(results.map(\.profile)) }
  /// The names of the contenders, in their order.
  public var policies: [String] { Self.unique(results.map(\.policy)) }

  /// The words that make the contenders again on a command line: their plans, with their names where these are others.
  package var plans: [String] {
    policies.map { name in
      guard let plan = results.first(where: { $0.policy == name })?.plan, plan != name else { return name }
      return "\(name) = \(plan)"
    }
  }

  /// The metrics of one contender under one profile.
  public subscript(profile: String, policy: String) -> PolicyMetrics? {
    results.first { $0.profile == profile && $0.policy == policy }
  }

  /// The same run with the seeds that follow.
  func continued(by next: RetryReport) -> RetryReport {
    var whole = self
    whole.seeds = seeds.lowerBound..<next.seeds.upperBound
    whole.isPartial = isPartial || next.isPartial
    whole.take(next)
    return whole
  }

  /// Takes in the trials of another part; who is left out of one is left out of both.
  private mutating func take(_ other: RetryReport) {
    leftOut += other.leftOut.filter { one in
      !leftOut.contains { $0.policy == one.policy && $0.profile == one.profile }
    }
    leftOut.sort(by: LeftOut.areInOrder)
    results = results.compactMap { own in
      guard let more = other[own.profile, own.policy] else { return nil }
      var both = own
      both.merge(more)
      return both
    }
  }

  /// The cells of those that are in another report, too.
  private func common(with other: RetryReport) -> [PolicyMetrics] {
    results.filter { own in !other.leftOut.contains { $0.concerns(own) } }
  }

  /// Puts the parts of one run together.
  ///
  /// - Throws: ``RetryBenchmarkError/unlike(_:)`` when they are of different runs, or one is there twice.
  public static func merging(_ reports: [RetryReport]) throws(RetryBenchmarkError) -> RetryReport {
    guard var whole = reports.first else { throw .unlike("there are none") }
    for report in reports.dropFirst() {
      guard report.seeds == whole.seeds, report.workload == whole.workload, report.server == whole.server else {
        throw .unlike("they are of different runs: seeds, workload or server differ")
      }
      guard report.margin == whole.margin else { throw .unlike("they are judged by other margins") }
      guard report.parts.first?.count == whole.parts.first?.count else {
        throw .unlike("they are shards of another number")
      }
      let (new, known) = (report.common(with: whole), whole.common(with: report))
      guard new.map(\.policy) == known.map(\.policy), new.map(\.profile) == known.map(\.profile),
        new.map(\.limits) == known.map(\.limits), new.map(\.plan) == known.map(\.plan), !new.isEmpty
      else { throw .unlike("they compare other policies or profiles") }
      guard report.decision == nil, whole.decision == nil else {
        throw .unlike("one of them went on until it knew, which is no shard of anything")
      }
      guard report.parts.count + whole.parts.count <= ReportGate.mostParts else {
        throw .unlike("they are more than \(ReportGate.mostParts); put groups of them together first")
      }
      if let twice = report.parts.first(where: { whole.parts.contains($0) }) {
        throw .unlike("shard \(twice.index + 1)/\(twice.count) is there twice")
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
    // All shares of a run are the run.
    if whole.parts.count == whole.parts.first?.count { whole.parts = [Part(0, of: 1)] }
    return whole
  }

  /// The report as JSON; equal reports are equal bytes.
  ///
  /// Beside what was measured it has `answers`, which are computed from that and are not read again: for each profile the
  /// headline, and how many times the failures of the first contender the others have.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(AnsweredReport(report: self))
  }

  /// Reads a report.
  ///
  /// - Throws: an error that names the place, the value and what would be right; also for another version of the format.
  public init(json: Data) throws(ProfileError) {
    self = try ReportGate.read(json, \.problem)
  }

  static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
