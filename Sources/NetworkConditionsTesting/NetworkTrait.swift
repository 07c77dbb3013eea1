import FailureSearch
import Foundation
import NetworkConditions
public import Testing

/// Runs a test in virtual time over a simulated network, which the test finds in ``NetworkUnderTest``.
///
/// ```swift
/// @Test(.network("tunnel", seeds: 0..<200)) func `the feed survives a tunnel`() async throws {
///   NetworkUnderTest.network.stub("/feed", with: .bytes(count: 20_000))
///   let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
///   #expect(try await client.feed().count == 20_000)
/// }
/// ```
///
/// On a suite the trait holds for each test that has none of its own. Two on one test are an issue.
/// The environment variables `NETCOND_PROFILE`, `NETCOND_SEED` and `NETCOND_REPLAY` override the trait's arguments.
public struct NetworkTrait: TestTrait, SuiteTrait, TestScoping {
  /// Distinguishes a trait from others with equal arguments.
  private final class Identity: Sendable {}

  let request: RequestedNetwork
  let sourceLocation: SourceLocation
  // Not the process's variables by default: they may contain secrets, and a trait may be printed.
  var environment: [String: String]?
  private let identity = Identity()

  init(_ request: RequestedNetwork, at sourceLocation: SourceLocation) {
    self.request = request
    self.sourceLocation = sourceLocation
  }

  /// A suite's trait holds for each of its tests, and not for the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs the test's function in virtual time, once or for each run of a search.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let traits = test.traits.compactMap { $0 as? NetworkTrait }
    // The last trait is the innermost. A test function can be called without being a test that has the trait.
    if let last = traits.last, traits.contains(where: { $0.identity === identity }), last.identity !== identity {
      return try await function()
    }
    guard !traits.suffix(2).dropLast().contains(where: { $0.isWritten(at: test, before: self) }) else {
      Issue.record("A test runs over one network: keep one trait `.network(…)`.", sourceLocation: sourceLocation)
      return
    }
    let resolved: RequestedNetwork.Resolved
    do {
      resolved = try request.resolved(in: environment ?? ProcessInfo.processInfo.environment)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
      return
    }
    try await LentFunction.lend(function, of: test.qualifiedName) { function in
      let run = TestRun(test: test, testCase: testCase, function: function, isTraitOfSuite: isOfSuite(of: test))
      switch resolved {
      case .run(let token):
        try await SingleRun(token: token, request: request, traitLocation: sourceLocation).perform(run)
      case .search(let search): try await run.search(search)
      case .exploration(let exploration): try await run.explore(exploration)
      }
    }
  }

  /// Whether the trait is written in front of the test, and so on a suite.
  private func isOfSuite(of test: Test) -> Bool {
    sourceLocation.fileID != test.sourceLocation.fileID || sourceLocation < test.sourceLocation
  }

  /// Whether the trait stands between the beginning of the test's attribute and the last trait.
  private func isWritten(at test: Test, before last: NetworkTrait) -> Bool {
    !isOfSuite(of: test) && sourceLocation < last.sourceLocation
  }
}
