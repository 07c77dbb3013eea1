import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

@Suite struct ExplorationMergeTests {
  @Test func `a report that contains an interrupted shard is that of an interrupted exploration`() async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: [.refused, .dns], under: "3G")
    var shards: [ExplorationReport] = []
    for number in 1...2 {
      exploration.shard = try #require(FaultExploration.Shard(number, of: 2))
      shards.append(
        try await exploration.run { network in
          network.stub("/a", with: .text("news"))
          _ = try? await network.data(from: #require(URL(string: "https://api.example.com/a")))
        })
    }
    for interrupted in [nil, 0, 1] {
      var (one, other) = (shards[0], shards[1])
      if interrupted == 0 { one.isPartial = true }
      if interrupted == 1 { other.isPartial = true }
      try one.merge(other)
      #expect(one.isPartial == (interrupted != nil))
    }
  }
}
