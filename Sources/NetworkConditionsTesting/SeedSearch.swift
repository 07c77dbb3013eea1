import FailureSearch
import NetworkConditions
import Testing

/// Runs a test under many seeds, and records one issue for the first that fails.
struct SeedSearch {
  var search: FailureSearch

  func perform(_ test: TestRun) async throws {
    let location = test.test.sourceLocation
    var search = search
    search.code = test.code
    search.name = test.test.qualifiedName
    search.known = KnownFailures(besides: test.test.path, name: test.test.qualifiedName)
    let seen = SeenPlaces()
    let report: FailureReport
    do {
      search.workers = try test.test.workers(search.workers)
      let progress = SearchProgress(test.test.qualifiedName)
      report = try await search.run(progress: progress.note) { network in try await test.attempt(over: network, seen) }
    } catch let error as SimulationError {
      Issue.record("\(error)\n\(range)", sourceLocation: location)
      return
    } catch let error as FailureSearchError {
      Issue.record("\(error)", sourceLocation: location)
      return
    }
    guard let failure = report.failures.first else { return }
    Issue.record("\(report.explanation)", sourceLocation: location)
    FailureAttachments(failure).record(at: location)
  }

  private var range: String {
    "under \(search.profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")), one of the seeds \(search.seeds)"
  }
}
