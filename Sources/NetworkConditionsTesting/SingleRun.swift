import FailureSearch
import NetworkConditions
import Testing

/// Runs a test once; its issues are recorded as they come, the first with a note on how to repeat the run.
struct SingleRun {
  let token: ReplayToken
  let request: RequestedNetwork
  let traitLocation: SourceLocation

  func perform(_ test: TestRun) async throws {
    let (token, log) = (token, IssueLog())
    let location = test.test.sourceLocation
    let run: SearchRun
    do throws(SimulationError) {
      run = try await SearchRun(token, as: request, in: test.test.qualifiedName) { network in
        try await test.perform(over: network) { issue in
          guard log.add(issue) else { return issue }
          var noted = issue
          noted.comments.append("\(RunNote(token, in: network))")
          return noted
        }
      }
    } catch {
      Issue.record("\(error)\n\(RunNote(token, faults: []))", sourceLocation: location)
      return
    }
    let unusual = report(run, log, at: location)
    if !log.failures.isEmpty || (run.error != nil && unusual == nil) {
      FailureAttachments(run, token).record(for: test.test)
    }
    if let text = run.unusedText { warn(text, at: traitLocation) }
    if let unusual { throw unusual }
  }

  /// Records the test's error as an issue, or returns it if the test library must handle it itself.
  private func report(_ run: SearchRun, _ log: IssueLog, at location: SourceLocation) -> (any Error)? {
    guard let error = run.error else { return nil }
    if isOfTestLibrary(error) || (error is CancellationError && Task.isCancelled) { return error }
    let note = RunNote(token, faults: run.schedule?.faults ?? [])
    if run.hasReturned {
      Issue.record(error, log.failures.isEmpty ? "\(note)" : nil, sourceLocation: location)
    } else {
      Issue.record("\(error)\n\(note)", sourceLocation: location)
    }
    return nil
  }
}

/// Records a warning, which does not fail the test.
func warn(_ text: String, at location: SourceLocation) {
  #if compiler(>=6.3)
    Issue.record("\(text)", severity: .warning, sourceLocation: location)
  #else
    print("\(location): warning: \(text)")
    Attachment.record(text, named: "warning.txt", sourceLocation: location)
  #endif
}
