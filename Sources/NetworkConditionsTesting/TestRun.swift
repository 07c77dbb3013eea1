import FailureSearch
import Internals
import NetworkConditions
import Testing

struct TestRun: Sendable {
  let test: Test
  let testCase: Test.Case?
  let function: LentFunction
  let isTraitOfSuite: Bool

  /// The code of a test that repeats a failure of this one.
  var code: ReplayCode {
    let traits = usesSharedSession ? ", .sharedSession" : ""
    // Two tests that fail at the same fault need different names.
    let name = test.qualifiedName.filter { $0 != "`" && $0 != "\\" } + " "
    return test.call.map { .test(calling: $0, traits: traits, name: name) } ?? .trait
  }

  /// Runs the test's function over a network, and calls `handle` with each issue that it records.
  ///
  /// An issue of a completion handler or a detached task has no test. If this run's client recorded it, this run's test
  /// gets it, too: the test library has already printed it under "unknown".
  ///
  /// - Parameter handle: returns the issue, changed or not, or `nil` to keep it back.
  func perform(over network: SimulatedNetwork, handling handle: @escaping @Sendable (Issue) -> Issue?) async throws {
    NetworkUnderTest.running.withLock { $0.append(network) }
    defer { NetworkUnderTest.running.withLock { $0.removeAll { $0 === network } } }
    let strays = Mutex<[Issue]>([])
    // Such an issue reaches the handlers of all running tests.
    let handler: IssueHandlingTrait = .compactMapIssues { issue in
      if Test.current != nil { return handle(issue) }
      if Self.isOfClient(of: network), let issue = handle(issue) { strays.withLock { $0.append(issue) } }
      return nil
    }
    defer { for issue in strays.withLock({ $0 }) where issue.counts { record(issue) } }
    try await NetworkUnderTest.$current.withValue(network) {
      // Outside of a running test no issue can be recorded.
      guard Test.current != nil else { return try await call(over: network) }
      try await handler.provideScope(for: test, testCase: testCase) { try await call(over: network) }
    }
  }

  /// Whether this thread runs the network's client; where clients are not captured, whether it is the only one.
  private static func isOfClient(of network: SimulatedNetwork) -> Bool {
    if network.isCaptured { return network.isOnThisThread }
    let others = NetworkUnderTest.running.withLock { $0 }.filter { $0 !== network && !$0.hasResult }
    return others.isEmpty
  }

  /// Records an issue again, in this test.
  private func record(_ issue: Issue) {
    let lines = ["\(issue.words), outside of the test's task"] + issue.furtherComments.map(\.rawValue)
    Issue.record("\(lines.joined(separator: "\n"))", sourceLocation: issue.sourceLocation ?? test.sourceLocation)
  }

  /// Makes one run of a search; it turns all failures into one error for the search, and records no issues.
  func attempt(over network: SimulatedNetwork, _ seen: SeenPlaces) async throws {
    let log = IssueLog()
    do {
      try await perform(over: network) { issue in
        _ = log.add(issue)
        return !issue.counts && seen.isFirst(issue) ? issue : nil
      }
    } catch {
      throw log.error ?? error
    }
    if let failed = log.error { throw failed }
  }

  private func call(over network: SimulatedNetwork) async throws {
    guard usesSharedSession else { return try await function(over: network) }
    try await network.interceptingSharedSession { try await function(over: network) }
  }

  /// Whether the test has the trait `.sharedSession`.
  var usesSharedSession: Bool { test.traits.contains { $0 is SharedSessionTrait } }
}

/// Whether the test library must handle the error itself, as for `#require` or a cancelled test.
func isOfTestLibrary(_ error: any Error) -> Bool {
  String(reflecting: type(of: error)).hasPrefix("Testing.")
}
