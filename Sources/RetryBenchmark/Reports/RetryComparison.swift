public import Foundation
import HTMLPages
public import Internals
import NetworkConditions

/// Compares a report with a stored baseline report, as a gate for continuous integration.
///
/// ```swift
/// let report = try await benchmark.run([Candidate("ours") { network, request in try await send(request, network) }])
/// try report.requireNoWorse(than: URL(fileURLWithPath: "Tests/retry-baseline.json"))
/// ```
///
/// Both reports have the same seeds, so every seed is a pair, and a small change shows despite chance.
///
/// - Success, the time in which 99 of 100 are answered, and the load are compared. A figure counts as worse
///   if the difference is beyond noise and large enough to matter.
/// - The margin for success is the report's ``RetryReport/margin``. At most 5 of 100 runs without a change fail.
/// - One more request carried out twice is always worse, as if an order were paid twice.
public struct RetryComparison: Hashable, Sendable, CustomStringConvertible {
  /// One figure of one candidate under one profile.
  public struct Check: Hashable, Sendable {
    /// The figures that are compared.
    public enum Figure: String, Hashable, Sendable, CaseIterable {
      /// The share of requests that succeed; ``SuccessMargin`` is the least difference that matters.
      case success
      /// The share answered within the baseline's p99 (or else p90, or p50); one percentage point matters.
      case slowest
      /// Requests that are not idempotent and were carried out twice; one more matters.
      case repeated = "carried out twice"
      /// Attempts per request; 5 % matter.
      case attempts
      /// Attempts in a trial's busiest second; 5 % matter.
      case busiestSecond = "busiest second"
    }

    /// The outcome of a check.
    public enum Outcome: String, Hashable, Sendable {
      /// No change, or one within chance or too small to matter.
      case same
      /// Better beyond noise.
      case better
      /// Worse beyond noise.
      case worse
    }

    /// The name of the profile.
    public let profile: String
    /// The name of the candidate.
    public let policy: String
    /// The figure.
    public let figure: Figure
    /// The outcome.
    public let outcome: Outcome
    /// The baseline's figure, the present figure and their difference.
    public let text: String
  }

  /// All checks, in the order of profiles and candidates.
  public let checks: [Check]

  /// The power for the candidate and profile where a rise is hardest to notice; `nil` if no more requests can fail.
  public let power: Power?

  /// The checks that are worse.
  public var worse: [Check] { checks.filter { $0.outcome == .worse } }

  /// The changes, one line each, the worse first; one line if nothing changed.
  ///
  /// If nothing is worse, another line says which rise of failures these seeds notice, and how often.
  public var description: String {
    let changed = worse + checks.filter { $0.outcome == .better }
    let lines =
      changed.isEmpty
      ? ["Nothing is worse or better than the baseline, beyond noise."]
      : changed.map { "\($0.outcome.rawValue): \($0.profile), \($0.policy): \($0.text)" }
    return (lines + (worse.isEmpty ? power.map { ["\($0)"] } ?? [] : [])).joined(separator: "\n")
  }

  /// Compares a report with a baseline.
  ///
  /// - Throws: ``RetryBenchmarkError/unlike(_:)`` if the seeds, workloads or servers differ, or if a candidate or a
  ///   profile of the baseline is missing.
  public init(_ report: RetryReport, to baseline: RetryReport) throws(RetryBenchmarkError) {
    try Self.requireLike(baseline, report.workload, report.server)
    for (name, one) in [("the baseline", baseline), ("this run", report)] {
      guard let part = one.parts.first, part.count > 1 else { continue }
      throw .unlike("\(name) is one shard of \(part.count): merge all of them first, as netcond merge does")
    }
    try Self.requireSeeds(of: baseline, report.seeds, isWhole: report.parts == baseline.parts && !report.isPartial)
    if baseline.seeds.count < PairedComparison.leastSeeds {
      throw .unlike(
        "\(baseline.seeds.count) seeds are too few to compare; store a baseline of \(PairedComparison.leastSeeds) or more"
      )
    }
    for before in baseline.results where report[before.profile, before.policy] == nil {
      throw .unlike("the baseline has \(before.policy.quoted) under \(before.profile.quoted), but this run does not")
    }
    let cells = baseline.results.compactMap { before in report[before.profile, before.policy].map { (before, $0) } }
    // Requests carried out twice are counted, not estimated. Only one side of an interval makes a run worse.
    let estimated = Double(cells.count * (Check.Figure.allCases.count - 1))
    let confidence = 1 - 2 * 0.05 / max(4, estimated)
    checks = cells.flatMap { before, now in
      Check.Figure.allCases.compactMap { Self.check($0, before, now, confidence, report.margin) }
    }
    power = cells.compactMap { Power($0.0, confidence: confidence, report.margin) }.min { $0.chance < $1.chance }
  }

  /// Throws if no report of this benchmark is like the baseline, so that no trial need run.
  package static func requireLike(
    _ baseline: RetryReport, _ benchmark: RetryBenchmark, isSequential: Bool
  ) throws(RetryBenchmarkError) {
    try requireLike(baseline, benchmark.workload, benchmark.server)
    // A sequential design chooses how many of the seeds to run.
    if !isSequential { try requireSeeds(of: baseline, benchmark.seeds, isWhole: true) }
  }

  private static func requireLike(
    _ baseline: RetryReport, _ workload: Workload, _ server: ServerModel
  ) throws(RetryBenchmarkError) {
    guard workload == baseline.workload, server == baseline.server else {
      throw .unlike("the workload or the server differs from the baseline's; store a new baseline")
    }
  }

  private static func requireSeeds(
    of baseline: RetryReport, _ seeds: Range<UInt64>, isWhole: Bool
  ) throws(RetryBenchmarkError) {
    guard seeds == baseline.seeds, isWhole, !baseline.isPartial else {
      throw .unlike("the baseline has all seeds of \(baseline.seeds); run these, or store a new baseline")
    }
  }

  private static func check(
    _ figure: Check.Figure, _ before: PolicyMetrics, _ now: PolicyMetrics, _ confidence: Double,
    _ margin: SuccessMargin?
  ) -> Check? {
    let (pair, least, moreIsGood, text): (PairedComparison?, Double, Bool, String)
    switch figure {
    case .repeated:
      let counts = [before, now].map(\.repeatedEffects)
      return Check(
        profile: now.profile, policy: now.policy, figure: figure,
        outcome: counts[1] == counts[0] ? .same : counts[1] > counts[0] ? .worse : .better,
        text: "requests carried out twice \(counts[0]) -> \(counts[1]) of \(now.success.total)")
    case .success:
      pair = now.compared(to: before, by: .successRate, confidence: confidence)
      (least, moreIsGood) = (Ranking.margin(now, before, margin), true)
      let rates = [before, now].map { "\(FigureText.percent($0.success.rate ?? 0)) %" }
      text = "success \(rates[0]) -> \(rates[1])\(RetryReport.failures(of: now, beside: before, pair))"
    case .slowest:
      let shares = [0.99, 0.9, 0.5]
      guard let share = shares.first(where: { before.timeToAnswer($0)?.value.isFinite ?? false }),
        let seconds = before.timeToAnswer(share)?.value
      else { return nil }
      let time = Duration.nanoseconds(Int64(seconds * 1e9))
      pair = now.compared(to: before, within: time, confidence: confidence)
      (least, moreIsGood) = (Ranking.point, true)
      let rates = [before, now].map { "\(FigureText.percent($0.answered(within: time)?.value ?? 0)) %" }
      let p = FigureText.digits(share * 100)
      let new =
        now.timeToAnswer(share).map { $0.value.isFinite ? "\(FigureText.digits($0.value)) s" : "never" } ?? "never"
      text =
        "p\(p) \(FigureText.digits(seconds)) s -> \(new); answered within \(FigureText.digits(seconds)) s "
        + "\(rates[0]) -> \(rates[1])"
    case .attempts, .busiestSecond:
      let measure: TrialSummary.Measure = figure == .attempts ? .amplification : .busiestSecond
      pair = now.compared(to: before, by: measure, confidence: confidence)
      let values = [before, now].map { $0.estimate(of: measure)?.value ?? 0 }
      (least, moreIsGood) = (0.05 * values[0], false)
      text =
        "\(figure == .attempts ? "attempts per request" : "attempts in the busiest second") "
        + values.map { FigureText.digits($0) }.joined(separator: " -> ")
    }
    guard let pair else { return nil }
    let matters = pair.isBeyondNoise && abs(pair.difference) >= least
    let outcome: Check.Outcome = !matters ? .same : (pair.difference > 0) == moreIsGood ? .better : .worse
    return Check(profile: now.profile, policy: now.policy, figure: figure, outcome: outcome, text: text)
  }

  /// The comparison as JUnit XML, which CI systems show: one test case for each check.
  public var junit: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuite name="retry baseline" tests="\#(checks.count)" failures="\#(worse.count)" skipped="0" errors="0">"#,
    ]
    for check in checks {
      let name = "\(check.profile), \(check.policy): \(check.figure.rawValue)"
      let head = #"  <testcase classname="retry" name="\#(Markup.escaped(name))""#
      let text = Markup.escaped(check.text)
      lines.append(
        check.outcome == .worse ? "\(head)><failure message=\"\(text)\">\(text)</failure></testcase>" : "\(head)/>")
    }
    return (lines + ["</testsuite>", ""]).joined(separator: "\n")
  }

  /// One GitHub Actions annotation for each check that is worse.
  public var annotations: [String] {
    worse.map { "::error title=\("\($0.profile) \($0.policy)".annotationTitle)::\($0.text.annotationText)" }
  }
}

/// The error of a run that is worse than its baseline.
public struct RetryRegression: ExplainedError, Hashable, Sendable {
  /// The comparison with the baseline.
  public let comparison: RetryComparison

  /// The changed figures, the worse first, with a reference to an explanation.
  public var description: String { explanation.ending(sentence) }

  package var sentence: String { comparison.description }
  package var explanation: Explanation { .regression }
}

extension RetryReport {
  /// Requires that nothing is worse than in the report in a file; writes the file if it does not exist.
  ///
  /// To accept a change, delete the file and run again.
  ///
  /// - Throws: ``RetryRegression``, which says what is worse; ``RetryBenchmarkError/unlike(_:)`` if the file is of
  ///   another run; an error that names the place if the file is not a report.
  public func requireNoWorse(than file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else {
      if isPartial { throw RetryBenchmarkError.unlike("an interrupted run cannot be a baseline") }
      return try json().write(to: file, options: .atomic)
    }
    let comparison = try RetryComparison(self, to: RetryReport(json: Data(contentsOf: file)))
    if !comparison.worse.isEmpty { throw RetryRegression(comparison: comparison) }
  }
}
