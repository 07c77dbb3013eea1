import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

struct FailureFormsTests {
  private static func load(_ path: String, _ network: SimulatedNetwork) async -> String {
    do {
      let (_, response) = try await network.data(from: #require(URL(string: "https://api.example.com\(path)")))
      return (response as? HTTPURLResponse)?.statusCode == 200 ? "fresh" : "bad"
    } catch { return "offline" }
  }

  /// Fails as `#expect(state == "fresh")` does.
  private static func expectFresh(_ state: String) throws {
    guard state != "fresh" else { return }
    let check = FailedChecks.Check(#"(state → "\#(state)") == "fresh""#, at: "A.swift:1")
    throw try #require(FailedChecks([check], label: "check"))
  }

  @Test func `an exploration names the other values of a failed expectation, each with its fault`() async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: [.refused, .dns, .status], under: "3G")
    exploration.prepare = { $0.stub("/a", with: .text("news")) }
    let whole = try await exploration.run { try await Self.expectFresh(Self.load("/a", $0)) }
    let text = try #require(whole.failures.first).explanation
    #expect(whole.failures.count == 1 && whole.failingPoints == 14, "\(whole)")
    #expect(
      text.contains(
        """

        With other values it failed, too:
          12 points: (state → "bad") == "fresh" at A.swift:1
            with the 1st GET https://api.example.com/a: status 400

        """) && text.hasPrefix(#"14 points, for example: (state → "offline") == "fresh" at A.swift:1"#), "\(text)")
    #expect(try ExplorationReport(json: whole.json()).failures == whole.failures)

    var shards: [ExplorationReport] = []
    for number in 1...2 {
      exploration.shard = try #require(FaultExploration.Shard(number, of: 2))
      shards.append(try await exploration.run { try await Self.expectFresh(Self.load("/a", $0)) })
    }
    try shards[1].merge(shards[0])
    #expect(shards[1].failures.first?.explanation == text)
  }

  @Test func `a search of all seeds names the other values of a failed expectation, each with its seed`()
    async throws
  {
    let rules = [
      FaultRule(.status(code: 500), probability: .percent(40)), FaultRule(.refused, probability: .percent(40)),
    ]
    var search = FailureSearch(NetworkProfile(name: "failing", faults: rules), seeds: 0..<20)
    search.extent = .allFailures
    search.prepare = { $0.stub("/a", with: .text("news")) }
    let report = try await search.run { try await Self.expectFresh(Self.load("/a", $0)) }
    let failure = try #require(report.failures.first)
    let lines = failure.text.split(separator: "\n").drop { $0 != "With other values it failed, too:" }.dropFirst()
    #expect(report.failures.count == 1 && lines.count > 2, "\(report)")
    let seed = try #require(lines.dropFirst().first?.split(separator: " ").last.flatMap { UInt64($0) })
    var other = FailureSearch(NetworkProfile(name: "failing", faults: rules), seeds: seed..<seed + 1)
    other.prepare = search.prepare
    let named = try await other.run { try await Self.expectFresh(Self.load("/a", $0)) }
    let message = try #require(named.failures.first).message
    #expect(message != failure.message && lines.first?.hasSuffix(" runs: \(message)") == true, "\(lines)")
  }

  @Test func `values that differ in each run are not listed`() {
    func forms(_ count: Int) -> FailureForms? {
      (0..<count).reduce(into: nil) { (forms: inout FailureForms?, number) in
        let form = FailureForms("after \(number) s", 1, example: "seed \(number)", place: [number])
        if forms?.add(form) == nil { forms = form }
      }
    }
    func text(_ count: Int) -> String? { forms(count)?.text(besides: "after 0 s") { "\($0) runs" } }
    #expect(text(1) == nil && text(FailureForms.most + 1) == nil && text(FailureForms.most + 2) == nil)
    #expect(text(FailureForms.most)?.hasSuffix("\n    with seed 11\n  and 8 more") == true)
  }
}
