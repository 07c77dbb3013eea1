import Internals
import NetworkConditions
import RetryPolicies

/// One run of a benchmark: each candidate under each profile with each seed of the shard.
struct BenchmarkRun: Sendable {
  private typealias First<Failure> = (number: Int, error: Failure)

  private let benchmark: RetryBenchmark
  private let cells: [(profile: NetworkProfile, candidate: Candidate)]
  /// The metrics of each cell before its first trial.
  private let empty: [PolicyMetrics]
  private let seedCount: Int
  private let cursor: WorkCursor
  /// For each cell, the first trial that could not be completed; later trials of the cell are skipped.
  private let endless = Locked<[Int: First<RetryBenchmarkError>]>([:])
  /// For each candidate, the first error that its client threw although the server's answer was good.
  private let unread = Locked<[String: First<any Error>]>([:])

  init(_ benchmark: RetryBenchmark, _ candidates: [Candidate]) throws(RetryBenchmarkError) {
    self.benchmark = benchmark
    cells = benchmark.profiles.flatMap { profile in candidates.map { (profile, $0) } }
    empty = cells.map { profile, candidate in
      PolicyMetrics(
        policy: candidate.name, profile: profile.name, limits: benchmark.limits(of: candidate), plan: candidate.plan)
    }
    let (skipped, step) = benchmark.shard
    seedCount = (benchmark.seeds.count - skipped + step - 1) / step
    let (total, isTooMuch) = cells.count.multipliedReportingOverflow(by: seedCount)
    if isTooMuch { throw .impossible("the seeds \(benchmark.seeds) give too many trials: write for example 0..<1000") }
    cursor = WorkCursor(total: total)
  }

  func report(progress: (@Sendable (Int, Int) -> Void)?) async throws -> RetryReport {
    var results = empty
    try await withThrowingTaskGroup(of: [PolicyMetrics].self) { group in
      for _ in 0..<min(max(1, benchmark.workers), max(1, cursor.end)) {
        group.addTask(executorPreference: DriverThreads.executor) { try await work(progress) }
      }
      for try await part in group {
        for cell in cells.indices { results[cell].merge(part[cell]) }
      }
    }
    let leftOut = leftOut(results)
    let known = results.filter { metrics in !leftOut.contains { $0.what.concerns(metrics) } }
    if known.isEmpty, let first = leftOut.min(by: { $0.first.number < $1.first.number }) { throw first.first.error }
    return RetryReport(
      seeds: benchmark.seeds, workload: benchmark.workload, server: benchmark.server,
      parts: [RetryReport.Part(benchmark.shard.index, of: benchmark.shard.count)],
      isPartial: known.contains { $0.trials.count < seedCount }, results: known,
      leftOut: leftOut.map(\.what).sorted(by: RetryReport.LeftOut.areInOrder), margin: benchmark.margin)
  }

  // MARK: Trials

  /// Runs trials until none is left or the task is cancelled.
  private func work(_ progress: (@Sendable (Int, Int) -> Void)?) async throws -> [PolicyMetrics] {
    var metrics = empty
    let (skipped, step) = benchmark.shard
    while !Task.isCancelled, let number = cursor.next() {
      // All cells run one seed before the next, so that an interrupted run has complete pairs.
      let cell = number % cells.count
      let seed = benchmark.seeds.lowerBound + UInt64(skipped + number / cells.count * step)
      if let first = endless.value[cell], first.number < number { continue }
      let (profile, candidate) = cells[cell]
      let trial = Trial(
        profile: profile, candidate: candidate, seed: seed, workload: benchmark.workload, server: benchmark.server)
      do {
        let outcome = try await trial.outcome()
        // Cancelling a trial makes its requests fail, so its result does not count.
        if Task.isCancelled { break }
        metrics[cell].add(outcome.record)
        if let error = outcome.afterAnswer { unread.withLock { $0.note((number, error), of: candidate.name) } }
      } catch let error where error is CancellationError || Task.isCancelled {
        // A cancelled simulation throws its own error, which names the seed.
        break
      } catch let error as SimulationError {
        let error = unfinished(error, of: candidate, under: profile.name, seed: seed)
        endless.withLock { $0.note((number, error), of: cell) }
        // Every cell has failed, so nothing is left to run.
        if endless.value.count == cells.count { throw error }
      }
      progress?(cursor.finish(), cursor.end)
    }
    return metrics
  }

  // MARK: What is left out

  /// The candidates with a trial that could not be completed, and those that read no answer, with their first errors.
  private func leftOut(_ results: [PolicyMetrics]) -> [(what: RetryReport.LeftOut, first: First<RetryBenchmarkError>)] {
    let lost = endless.value.map { cell, first in
      let (profile, candidate) = cells[cell]
      return (
        RetryReport.LeftOut(
          policy: candidate.name, profile: profile.name, isWaiting: first.error.isWaiting, reason: "\(first.error)"),
        first
      )
    }
    let unreadable = unread.value.filter { name, _ in
      results.allSatisfy { $0.policy != name || $0.success.successes == 0 }
    }
    return lost
      + unreadable.map { name, first in
        let error = self.unreadable(name, first.error)
        return (
          RetryReport.LeftOut(policy: name, profile: nil, isWaiting: false, reason: "\(error)"), (first.number, error)
        )
      }
  }

  /// The error of a trial that could not be completed; a deadlock means that the policy waits for a network.
  private func unfinished(
    _ reason: SimulationError, of candidate: Candidate, under profile: String, seed: UInt64
  ) -> RetryBenchmarkError {
    if case .policy = candidate.kind, case .deadlock = reason {
      return .waiting(candidate: candidate.name, profile: profile)
    }
    return .unfinished(candidate: candidate.name, profile: profile, seed: seed, reason: reason)
  }

  /// The error that explains why no request of a client succeeds, although the server answers.
  private func unreadable(_ name: String, _ error: any Error) -> RetryBenchmarkError {
    let words = "\(type(of: error)): \(error)".split(whereSeparator: \.isNewline).joined(separator: " ").shortened(
      to: 200)
    let size = FigureText.bytes(Double(benchmark.workload.responseBytes))
    return .impossible(
      "no request of \(name) succeeds: the client throws after a good answer (\(words)). The server answers with \(size) of "
        + (benchmark.workload.responseBody == nil
          ? "zeros: give the body that it reads, such as Workload(responseBody: Data(\"[]\".utf8))"
          : "the workload's responseBody: give the body that it reads"))
  }
}

extension Dictionary {
  /// Stores an error for a key, unless one with a lower trial number is stored.
  fileprivate mutating func note<Failure>(_ error: Value, of key: Key) where Value == (number: Int, error: Failure) {
    if self[key].map({ error.number < $0.number }) ?? true { self[key] = error }
  }
}
