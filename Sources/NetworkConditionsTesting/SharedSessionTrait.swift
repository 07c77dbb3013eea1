public import Testing

/// Makes `URLSession.shared` run over the network under test, for clients that take no session.
///
/// On Linux a captured client needs no such trait: all its sessions run over the network.
///
/// ```swift
/// @Test(.network("tunnel", seeds: 0..<200), .sharedSession) func `the feed survives a tunnel`() async throws {
///   NetworkUnderTest.network.stub("/feed", with: .bytes(count: 20_000))
///   #expect(try await FeedClient().feed().count == 20_000)
/// }
/// ```
///
/// A process has one shared session. Each run waits until no other run uses it, while its virtual time stands still.
/// Several clients use it one after another.
public struct SharedSessionTrait: TestTrait, SuiteTrait {
  /// A suite's trait holds for each of its tests.
  public var isRecursive: Bool { true }

  /// Records an issue for a test that has this trait but no `.network(…)` trait.
  public func prepare(for test: Test) async throws {
    guard !test.isSuite, !test.traits.contains(where: { $0 is NetworkTrait }) else { return }
    Issue.record(
      "There is no network for URLSession.shared: add the trait `.network(\"3G\", seed: 42)` to the test or its suite.",
      sourceLocation: test.sourceLocation)
  }
}

extension Trait where Self == SharedSessionTrait {
  /// Makes `URLSession.shared` run over the network that the trait `.network(…)` gives the test.
  public static var sharedSession: Self { SharedSessionTrait() }
}
