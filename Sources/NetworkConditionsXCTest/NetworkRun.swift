import FailureSearch
import Foundation
import Internals
import NetworkConditions
import XCTest

struct NetworkRun: Sendable {
  struct Finding: Sendable {
    enum Kind: Sendable {
      case failure
      /// A note that is no failure: a scheduled fault did not happen.
      case note
      /// The summary of what an exploration covered.
      case summary
    }
    var kind: Kind
    var text: String
    var timeline: String?
  }

  let request: RequestedNetwork
  let file: String
  let name: String
  /// The argument that makes the test program run only this test, such as `AppTests.FeedTests/testSync`.
  let selector: String
  let body: @Sendable (SimulatedNetwork) async throws -> Void
  /// The environment variables, which tests may replace.
  var environment = ProcessInfo.processInfo.environment

  /// Runs the closure, once or for each run of a search.
  ///
  /// - Throws: an error that ends a test without failing it.
  func findings() async throws -> [Finding] {
    do {
      switch try request.resolved(in: environment) {
      case .run(let token): return try await once(token)
      case .search(let search): return try await many(search)
      case .exploration(let exploration): return try await all(exploration)
      }
    } catch let end as EndOfTest {
      throw end.error
    } catch let error as CancellationError {
      throw error
    } catch {
      return [Finding(kind: .failure, text: "\(error)")]
    }
  }

  private func once(_ token: ReplayToken) async throws -> [Finding] {
    let run: SearchRun
    do throws(SimulationError) {
      run = try await SearchRun(token, as: request, in: name, attempt)
    } catch {
      return [Finding(kind: .failure, text: "\(error)\n\(RunNote(token, faults: []))")]
    }
    if let end = run.error as? EndOfTest { throw end }
    var findings: [Finding] = []
    if let error = run.error, let text = run.errorText {
      if error is CancellationError, Task.isCancelled { throw error }
      let faults = run.schedule?.faults ?? []
      let (note, drawing) = (RunNote(token, faults: faults), TimelineDrawing(run.timeline, faults: faults))
      findings.append(Finding(kind: .failure, text: "\(text)\n\(note)\n\n\(drawing)", timeline: run.timelineText))
    }
    if let text = run.unusedText { findings.append(Finding(kind: .note, text: text)) }
    return findings
  }

  private func many(_ search: FailureSearch) async throws -> [Finding] {
    var search = search
    search.code = Self.code
    search.name = name
    search.workers = try workers(search.workers)
    search.known = KnownFailures(besides: file, name: name)
    let skip = Mutex<EndOfTest?>(nil)
    let progress = SearchProgress(name)
    let report = try await search.run(progress: progress.note) { network in try await attempt(network, noting: skip) }
    if report.failures.isEmpty, let end = skip.withLock({ $0 }) { throw end }
    guard let failure = report.failures.first else {
      return report.idleText.map { [Finding(kind: .note, text: $0)] } ?? []
    }
    return [Finding(kind: .failure, text: report.explanation, timeline: failure.timelineText)]
  }

  private static let code = ReplayCode(title: "To repeat it, in the test") {
    "\($0.comments)try await withNetwork(\($0.arguments)) { network in"
  }

  /// Returns the requested workers, set up so that their processes run only this test.
  private func workers(_ asked: FailureSearch.Workers) throws(FailureSearchError) -> FailureSearch.Workers {
    guard asked.areProcesses else { return asked }
    guard FailureSearch.Workers.canRunTests else {
      throw .impossible("a test's runs have their own processes only on Linux: remove `workers:`")
    }
    return asked.started(with: ["--testing-library", "xctest", selector])
  }

  private func all(_ exploration: FaultExploration) async throws -> [Finding] {
    var exploration = exploration
    exploration.code = Self.code
    exploration.scenario = name
    exploration.workers = try workers(exploration.workers)
    let skip = Mutex<EndOfTest?>(nil)
    let progress = SearchProgress(name)
    let report = try await exploration.run(progress: progress.note) { network in
      try await attempt(network, noting: skip)
    }
    if report.failures.isEmpty, let end = skip.withLock({ $0 }) { throw end }
    return [Finding(kind: .summary, text: report.summary)]
      + report.issues.map { Finding(kind: .failure, text: $0, timeline: "\(report)") }
  }

  /// Makes one run of a search; a run that skips its test does not count as failed.
  private func attempt(_ network: SimulatedNetwork, noting skip: borrowing Mutex<EndOfTest?>) async throws {
    do {
      try await attempt(network)
    } catch let end as EndOfTest {
      skip.withLock { $0 = $0 ?? end }
    }
  }

  /// Makes one run of the closure, and throws its failed assertions as an error.
  private func attempt(_ network: SimulatedNetwork) async throws {
    let log = AssertionLog(of: network)
    do {
      try await log.collect { try await body(network) }
    } catch let skip as XCTSkip {
      throw EndOfTest(error: skip)
    } catch {
      throw log.error ?? error
    }
    if let error = log.error { throw error }
  }

  /// The test was skipped: it ends, and has not failed.
  private struct EndOfTest: Error {
    let error: any Error
  }
}
