import NetworkConditions
import Testing

@testable import FailureSearch
import URLLoading

struct ExplorationBaselineTests {
  private struct Refused: Error {}

  /// A client that accepts only status 200; the exploration tries only status faults.
  private static func report(shard: FaultExploration.Shard = .whole, failing: Bool = true) async throws
    -> ExplorationReport
  {
    var exploration = try FailureSearch.everyFault(upTo: 1, under: "3G")
    exploration.alphabet = FaultAlphabet([.status])
    exploration.shard = shard
    return try await exploration.run { network in
      network.stub("/a", with: .text("a"))
      let (_, response) = try await network.data(from: #require(URL(string: "https://api.example.com/a")))
      if failing, (response as? HTTPURLResponse)?.statusCode != 200 { throw Refused() }
    }
  }

  @Test func `comparing a report with a baseline finds known, new and gone failures`() async throws {
    let (failing, clean) = (try await Self.report(), try await Self.report(failing: false))
    let failures = failing.behaviours.filter(\.isFailure).map(\.words)
    #expect(!failures.isEmpty)
    let known = try ExplorationBaseline(failing).compare(failing, file: "b")
    #expect(known.new == [] && known.known == failures && known.gone == [])
    let new = try ExplorationBaseline(clean).compare(failing, file: "b")
    #expect(new.new == failures && new.known == [])
    #expect("\(ExplorationBaseline(clean))" == #"a baseline with 0 known failures of the client under "3G""#)
    let failure = try #require(failing.failures.first)
    #expect("\(failure)".hasSuffix("\nTo repeat it: NETCOND_REPLAY=\(failure.token)"))
    let gone = try ExplorationBaseline(failing).compare(clean, file: "b")
    #expect(gone.gone == failures.sorted() && gone.new == [])
    // A shard does not run all points, so a failure that it did not see may still exist.
    let share = try await Self.report(shard: #require(FaultExploration.Shard(1, of: 2)), failing: false)
    #expect(try ExplorationBaseline(failing).compare(share, file: "b").gone == [])
  }

  @Test func `a baseline file with a newer version number is refused`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("baseline-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = #"{"baseline": 2, "scenario": "s", "profile": "p", "bound": 1, "known": []}"#
    try Data(text.utf8).write(to: file)
    let problem = #expect(throws: ExplorationBaseline.Problem.self) { try ExplorationBaseline(contentsOf: file) }
    #expect(problem?.reason == "version 2 of a baseline is newer than this package, which reads 1")
    try Data(text.replacing(": 2", with: ": 1").utf8).write(to: file)
    #expect(throws: Never.self) { try ExplorationBaseline(contentsOf: file) }
  }
}
