import FailureSearch
import NetworkConditions
import Testing

extension TestRun {
  /// Runs the test under many seeds, and records one issue for the first that fails.
  func search(_ given: FailureSearch) async throws {
    var search = given
    search.code = code
    search.name = test.qualifiedName
    search.known = KnownFailures(besides: test.path, name: test.qualifiedName)
    let profiles = search.profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let report = try await report(note: "\nunder \(profiles), one of the seeds \(search.seeds)") { seen, progress in
      search.workers = try test.workers(search.workers)
      return try await search.run(progress: progress.note) { network in try await attempt(over: network, seen) }
    }
    guard let report else { return }
    // A suite may have tests that make no request.
    if let text = report.idleText, report.madeRequests || !isTraitOfSuite { warn(text, at: test.sourceLocation) }
    guard let failure = report.failures.first else { return }
    Issue.record("\(report.explanation)", sourceLocation: test.sourceLocation)
    FailureAttachments(failure).record(for: test)
  }

  /// Runs the test under every fault, and records one issue for each way in which the test fails.
  func explore(_ given: FaultExploration) async throws {
    var exploration = given
    exploration.code = code
    exploration.scenario = test.qualifiedName
    let report = try await report { seen, progress in
      exploration.workers = try test.workers(exploration.workers)
      return try await exploration.run(progress: progress.note) { network in try await attempt(over: network, seen) }
    }
    guard let report else { return }
    // The first issue ends with the summary.
    if report.failures.isEmpty { print(report.summary) }
    test.attach("\(report.text)\n", named: "every-fault.txt")
    test.attach(ExplorationPage(report).text, named: "every-fault.html")
    test.attach(String(decoding: try report.json(), as: UTF8.self), named: "every-fault.json")
    for text in report.issues { Issue.record("\(text)", sourceLocation: test.sourceLocation) }
  }

  /// Makes many runs and returns their report; `nil` if they could not go on, which it records with a note.
  private func report<Report>(
    note: String = "", _ run: (SeenPlaces, SearchProgress) async throws -> Report
  ) async throws -> Report? {
    do {
      return try await run(SeenPlaces(), SearchProgress(test.qualifiedName))
    } catch let error as SimulationError {
      Issue.record("\(error)\(note)", sourceLocation: test.sourceLocation)
    } catch let error as FailureSearchError {
      Issue.record("\(error)", sourceLocation: test.sourceLocation)
    }
    return nil
  }
}
