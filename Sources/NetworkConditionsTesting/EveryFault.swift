import FailureSearch
import NetworkConditions
import Testing

/// Runs a test under every fault, and records one issue for each way in which the test fails.
struct EveryFault {
  var exploration: FaultExploration

  func perform(_ test: TestRun) async throws {
    let location = test.test.sourceLocation
    var exploration = exploration
    exploration.code = test.code
    exploration.scenario = test.test.qualifiedName
    let seen = SeenPlaces()
    let report: ExplorationReport
    do {
      exploration.workers = try test.test.workers(exploration.workers)
      let progress = SearchProgress(exploration.scenario)
      report = try await exploration.run(progress: progress.note) { network in
        try await test.attempt(over: network, seen)
      }
    } catch let error as SimulationError {
      Issue.record("\(error)", sourceLocation: location)
      return
    } catch let error as FailureSearchError {
      Issue.record("\(error)", sourceLocation: location)
      return
    }
    print(report.summary)
    Attachment.record("\(report.text)\n", named: "every-fault.txt", sourceLocation: location)
    Attachment.record(ExplorationPage(report).text, named: "every-fault.html", sourceLocation: location)
    Attachment.record(
      String(decoding: try report.json(), as: UTF8.self), named: "every-fault.json", sourceLocation: location)
    for text in report.issues { Issue.record("\(text)", sourceLocation: location) }
  }
}
