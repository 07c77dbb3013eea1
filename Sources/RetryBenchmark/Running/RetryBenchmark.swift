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
/// Each trial is one simulation: a profile, a contender, a seed. Under one seed all contenders meet the same network at the
/// same moment, so that they can be compared in pairs. The result depends on nothing else: not on the number of workers, nor
/// on the order in which trials end, nor on how the seeds were divided between machines.
public struct RetryBenchmark: Sendable {
  /// The networks.
  public let profiles: [NetworkProfile]
  /// The seeds; each is one trial for each profile and contender.
  public private(set) var seeds: Range<UInt64>
  /// The requests of clients.
  public let workload: Workload
  /// Who answers.
  public let server: ServerModel
  /// The least difference in success that matters; `nil` is the usual one (``SuccessMargin``).
  public var margin: SuccessMargin?
  /// How many trials run at once; as many as there are cores, unless said otherwise.
  ///
  /// Trials keep all cores busy. Where clients are not captured, those on `URLSession` do not: all sessions of a process
  /// share one serial queue of Foundation's on Linux. Then give each of several processes a ``shard`` of the seeds, and put
  /// what they report together with ``RetryReport/merging(_:)``.
  public var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
  /// Which of the seeds are run here, when they are divided: those that leave this remainder.
  public var shard = (index: 0, count: 1)

  /// Creates a benchmark.
  ///
  /// - Parameters:
  ///   - profiles: the names of built-in profiles, files, or profiles.
  ///   - seeds: each is one trial for each profile and contender; such as `0..<1000` or `1...1000`.
  ///   - workload: what clients ask for.
  ///   - server: who answers.
  /// - Throws: ``RetryBenchmarkError`` for what cannot be run; a `ProfileError` that lists near names for a profile that
  ///   nobody knows.
  public init<Seeds: RangeExpression>(
    profiles: [some ProfileSource], seeds: Seeds, workload: Workload = Workload(), server: ServerModel = ServerModel()
  ) throws where Seeds.Bound: FixedWidthInteger {
    let profiles = try profiles.map { try $0.networkProfile() }
    if profiles.isEmpty { throw RetryBenchmarkError.impossible("no profile: name at least one") }
    try Self.requireOnce("profile", profiles.map(\.name))
    guard let range = seeds.seeds, range.canBeCounted else {
      throw RetryBenchmarkError.impossible("seeds \(seeds): write for example 0..<1000")
    }
    if let problem = workload.problem ?? server.problem { throw RetryBenchmarkError.impossible(problem) }
    self.profiles = profiles
    self.seeds = range
    self.workload = workload
    self.server = server
  }

  /// Runs policies that the catalogue knows by their names.
  public func run(_ policies: [String], progress: (@Sendable (Int, Int) -> Void)? = nil) async throws -> RetryReport {
    try await run(policies.map { try Contender(named: $0) }, progress: progress)
  }

  private static func requireOnce(_ kind: String, _ names: [String]) throws {
    guard let twice = names.first(where: { name in names.count { $0 == name } > 1 }) else { return }
    throw RetryBenchmarkError.impossible("the \(kind) \(twice.quoted) is there twice: give each a name of its own")
  }

  /// Runs all contenders under all profiles with all seeds.
  ///
  /// - Parameters:
  ///   - contenders: those that are compared; the first is what the others are compared with.
  ///   - progress: is told how many trials of how many are done.
  /// - Returns: a report; marked as partial when the task was cancelled before all trials were done. A contender of which a trial
  ///   has no end is left out under that profile, and a client that cannot read the server's answers under all: both are named
  ///   there (``RetryReport/leftOut``).
  /// - Throws: a ``RetryBenchmarkError`` that gives the reason where all contenders are left out.
  public func run(
    _ contenders: [Contender], progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws -> RetryReport {
    if contenders.isEmpty { throw RetryBenchmarkError.impossible("no policy: name at least one") }
    try Self.requireOnce("policy", contenders.map(\.name))
    guard shard.count > 0, (0..<shard.count).contains(shard.index) else {
      throw RetryBenchmarkError.impossible(
        "shard \(shard.index + 1)/\(shard.count): write 1/\(max(1, shard.count)) to \(max(1, shard.count))/\(max(1, shard.count))"
      )
    }
    let first = seeds.lowerBound
    let (skipped, step) = shard
    let seedCount = (seeds.count - skipped + step - 1) / step
    let cells = profiles.flatMap { profile in contenders.map { (profile, $0) } }
    let (total, isTooMuch) = cells.count.multipliedReportingOverflow(by: seedCount)
    if isTooMuch { throw RetryBenchmarkError.impossible("seeds \(seeds): write for example 0..<1000") }
    let empty = cells.map {
      PolicyMetrics(policy: $0.1.name, profile: $0.0.name, limits: limits(of: $0.1), plan: $0.1.plan)
    }
    let cursor = WorkCursor(total: total)
    // Of each cell that has a trial without an end the first such trial: its later ones are not run.
    let endless = Locked<[Int: (number: Int, error: RetryBenchmarkError)]>([:])
    // Of each client that threw after a good answer the first such error.
    let unread = Locked<[String: (number: Int, error: any Error)]>([:])
    let parts = try await withThrowingTaskGroup(of: [PolicyMetrics].self) { group in
      for _ in 0..<min(max(1, workers), max(1, total)) {
        group.addTask {
          var metrics = empty
          while !Task.isCancelled, let number = cursor.next() {
            // One seed of all cells after another, so that an interrupted run has whole pairs.
            let (cell, seed) = (number % cells.count, first + UInt64(skipped + number / cells.count * step))
            let name = cells[cell].1.name
            if let first = endless.value[cell], first.number < number { continue }
            let trial = Trial(
              profile: cells[cell].0, contender: cells[cell].1, seed: seed, workload: workload, server: server)
            do {
              let outcome = try await trial.outcome()
              // A trial that was cancelled on its way gave its requests up for another reason than its own.
              if Task.isCancelled { break }
              metrics[cell].add(outcome.record)
              if let error = outcome.afterAnswer {
                unread.withLock { known in
                  if known[name].map({ number < $0.number }) ?? true { known[name] = (number, error) }
                }
              }
            } catch let error where error is CancellationError || Task.isCancelled {
              // A simulation says under which seed it was cancelled, in an error of its own.
              break
            } catch let error as SimulationError {
              let error = unfinished(error, of: cells[cell].1, under: cells[cell].0.name, seed: seed)
              endless.withLock { known in
                if known[cell].map({ number < $0.number }) ?? true { known[cell] = (number, error) }
              }
              // Nobody else is there to go on.
              if endless.value.count == cells.count { throw error }
            }
            if let progress { progress(cursor.finish(), total) }
          }
          return metrics
        }
      }
      var parts: [[PolicyMetrics]] = []
      for try await part in group { parts.append(part) }
      return parts
    }
    var results = empty
    for part in parts {
      for cell in cells.indices { results[cell].merge(part[cell]) }
    }
    let lost = endless.value
    let unreadable = unread.value.filter { name, _ in
      results.allSatisfy { $0.policy != name || $0.success.successes == 0 }
    }
    let leftOut =
      lost.map { cell, first in
        RetryReport.LeftOut(
          policy: cells[cell].1.name, profile: cells[cell].0.name, isWaiting: first.error.isWaiting,
          reason: "\(first.error)")
      }
      + unreadable.map { name, first in
        RetryReport.LeftOut(
          policy: name, profile: nil, isWaiting: false, reason: "\(self.unreadable(name, first.error))")
      }
    results.removeAll { metrics in leftOut.contains { $0.concerns(metrics) } }
    if results.isEmpty {
      let errors =
        lost.values.map { ($0.number, $0.error) } + unreadable.map { ($1.number, self.unreadable($0, $1.error)) }
      if let first = errors.min(by: { $0.0 < $1.0 }) { throw first.1 }
    }
    return RetryReport(
      seeds: seeds, workload: workload, server: server, parts: [RetryReport.Part(shard.index, of: shard.count)],
      isPartial: results.contains { $0.trials.count < seedCount }, results: results,
      leftOut: leftOut.sorted(by: RetryReport.LeftOut.areInOrder), margin: margin)
  }

  /// The error of a trial without an end: a policy that waits does so for a network, and a client for anything.
  private func unfinished(
    _ reason: SimulationError, of contender: Contender, under profile: String, seed: UInt64
  ) -> RetryBenchmarkError {
    if case .policy = contender.kind, case .deadlock = reason {
      return .waiting(contender: contender.name, profile: profile)
    }
    return .unfinished(contender: contender.name, profile: profile, seed: seed, reason: reason)
  }

  /// The reason why a client is left out that fails although the server answers.
  private func unreadable(_ name: String, _ error: any Error) -> RetryBenchmarkError {
    let words = "\(type(of: error)): \(error)".split(whereSeparator: \.isNewline).joined(separator: " ").shortened(
      to: 200)
    let size = FigureText.bytes(Double(workload.responseBytes))
    return .impossible(
      "no request of \(name) succeeds, and it throws after a good answer (\(words)). The server answers with \(size) of "
        + (workload.responseBody == nil
          ? "zeros: give the body that it reads, such as Workload(responseBody: Data(\"[]\".utf8))"
          : "the workload's responseBody: give the body that it reads"))
  }

  /// The limits of a policy under this workload.
  func limits(of contender: Contender) -> AttemptLimits? {
    guard case .policy(let make) = contender.kind else { return nil }
    return AttemptLimits(workload.limited(make(SharedStates())).rules)
  }

  /// Runs contenders under more and more seeds, until each is known to differ from the first in its share of successes, or to
  /// be as good but for less than matters, under every profile; or until all of ``seeds`` are used up.
  ///
  /// What matters is ``margin``.
  ///
  /// Looking at the figures again and again would find differences that are not there. Here the looks are planned
  /// (``SequentialDesign``), and the chance that any comparison is called wrongly is at most 5 %. The report has the figures
  /// of the seeds that were run, and all of its intervals are as wide as that takes.
  ///
  /// - Parameters:
  ///   - contenders: those that are compared; the first is what the others are compared with.
  ///   - progress: is told how many trials of how many are done, up to the present look.
  public func runUntilDecided(
    _ contenders: [Contender], progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws -> RetryReport {
    if contenders.count < 2 { throw RetryBenchmarkError.impossible("one policy is compared with nothing: name two") }
    if shard.count != 1 {
      throw RetryBenchmarkError.impossible("a shard of the seeds decides nothing: run all of them")
    }
    let design = SequentialDesign(limit: seeds.count, comparisons: profiles.count * (contenders.count - 1))
    var whole: RetryReport?
    for look in design.looks {
      var next = self
      let known = whole?.seeds.count ?? 0
      next.seeds = seeds.lowerBound + UInt64(known)..<seeds.lowerBound + UInt64(look)
      let part = try await next.run(contenders) { done, total in progress?(done, total) }
      whole = whole?.continued(by: part) ?? part
      let isDecided = whole?.isDecided(by: design) ?? false
      whole?.decision = RetryReport.Decision(design: design, isDecided: isDecided)
      if isDecided || whole?.isPartial == true { break }
    }
    guard let whole else { preconditionFailure("there is a look") }
    return whole
  }

  /// Runs one trial, which is the same as among all others: what each client did, and when.
  ///
  /// - Parameters:
  ///   - contender: who is tried.
  ///   - profile: the name of one of the profiles.
  ///   - seed: any.
  public func trial(of contender: Contender, under profile: String, seed: UInt64) async throws -> TrialRecord {
    guard let network = profiles.first(where: { $0.name == profile }) else {
      let names = profiles.map(\.name).joined(separator: ", ")
      throw RetryBenchmarkError.impossible("no profile is called \"\(profile)\"; there are \(names)")
    }
    return try await Trial(
      profile: network, contender: contender, seed: seed, workload: workload, server: server
    ).record()
  }
}

extension Range<UInt64> {
  /// Whether there are seeds, and not more than can be counted.
  var canBeCounted: Bool { !isEmpty && upperBound - lowerBound <= UInt64(Int.max) }
}

/// The reason why something cannot be run, in a sentence.
public enum RetryBenchmarkError: ExplainedError, Hashable, Sendable {
  /// The workload, the server, the seeds or the contenders make no sense.
  case impossible(String)
  /// Parts do not belong together.
  case unlike(String)
  /// A trial could not be carried to its end, such as one of a client that never stops.
  case unfinished(contender: String, profile: String, seed: UInt64, reason: SimulationError)
  /// A policy waits for ever, as for a network that a profile never has.
  case waiting(contender: String, profile: String)

  /// Whether a policy waits for ever.
  var isWaiting: Bool { if case .waiting = self { true } else { false } }

  /// The sentence.
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
    case .unlike(let reason): "These parts do not make a whole: \(reason)."
    case .waiting(let contender, let profile):
      "\(contender) waits for ever under \(profile): give it a deadline, as in + deadline(60 s) or --deadline '60 s'."
    case .unfinished(let contender, let profile, let seed, let reason):
      "The trial \(profile)/\(contender)/\(seed) could not be carried to its end. \(Self.text(reason))"
    }
  }

  /// The reason in words of those who set no limits of a network, but choose policies and clients.
  private static func text(_ reason: SimulationError) -> String {
    guard case .unending(let limit, let time, let waiting, let run) = reason else { return "\(reason)" }
    let most =
      switch limit {
      case .time(let time): RetryReport.time(time)
      case .requests(let count): "\(count) requests"
      }
    let since = "\(FigureText.digits(SimulatedInstant.zero.duration(to: time).inSeconds)) s"
    let open = waiting.isEmpty ? "" : " Open: \(waiting.joined(separator: "; "))."
    return "It goes on after \(since) of virtual time: the limit is \(most).\(open) Give the policy attempts or a "
      + "deadline, as in full-jitter(attempts 4) or --deadline '60 s', and a client of your own an end "
      + "\(Explanation.unending.reference). It ran \(run)"
  }
}
