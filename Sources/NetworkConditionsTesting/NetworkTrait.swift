import FailureSearch
import Foundation
import NetworkConditions
public import Testing

/// Runs a test in virtual time over a network with conditions, which the test finds in ``NetworkUnderTest``.
///
/// ```swift
/// @Test(.network("tunnel", seeds: 0..<200)) func `the feed survives a tunnel`() async throws {
///   NetworkUnderTest.network.stub("/feed", with: .bytes(count: 20_000))
///   let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
///   #expect(try await client.feed().count == 20_000)
/// }
/// ```
///
/// On a suite it holds for each of its tests; where several hold for one test, the last does, which is the nearest to it.
/// `NETCOND_PROFILE`, `NETCOND_SEED` and `NETCOND_REPLAY` in the environment go before what is written.
public struct NetworkTrait: TestTrait, SuiteTrait, TestScoping {
  /// Tells a trait from others that say the same.
  private final class Identity: Sendable {}

  let request: RequestedNetwork
  let sourceLocation: SourceLocation
  /// Where the variables are looked up.
  var environment = ProcessInfo.processInfo.environment
  private let identity = Identity()

  init(_ request: RequestedNetwork, at sourceLocation: SourceLocation) {
    self.request = request
    self.sourceLocation = sourceLocation
  }

  /// A suite's trait holds for each of its tests, and not for the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs the test's function in virtual time, as often as it takes.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard isInnermost(of: test) else { return try await function() }
    let resolved: RequestedNetwork.Resolved
    do {
      resolved = try request.resolved(in: environment)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
      return
    }
    try await LentFunction.lend(function, of: test.qualifiedName) { function in
      let run = TestRun(test: test, testCase: testCase, function: function)
      switch resolved {
      case .run(let token):
        try await SingleRun(token: token, request: request, traitLocation: sourceLocation).perform(run)
      case .search(let search): try await SeedSearch(search: search).perform(run)
      case .exploration(let exploration): try await EveryFault(exploration: exploration).perform(run)
      }
    }
  }

  /// Whether no other trait is nearer to the test.
  private func isInnermost(of test: Test) -> Bool {
    let traits = test.traits.compactMap { $0 as? NetworkTrait }
    guard let last = traits.last, traits.contains(where: { $0.identity === identity }) else { return true }
    return last.identity === identity
  }
}
