import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

struct ExplorationMergeTests {
  /// The reports of both shards of an exploration.
  private static func shards() async throws -> [ExplorationReport] {
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
    return shards
  }

  @Test(arguments: [
    (1, 1, true), (0, 1, false), (2, 1, false), (100_000, 100_000, true), (1, 100_001, false), (1, 0, false),
    (-1, 2, false),
  ])
  func `there are 1 to 100,000 shards, counted from 1`(number: Int, count: Int, exists: Bool) {
    #expect((FaultExploration.Shard(number, of: count) != nil) == exists)
  }

  @Test func `shard n of m runs piece n and every m-th piece after it`() throws {
    let pieces = try (1...3).map { number in
      let shard = try #require(FaultExploration.Shard(number, of: 3))
      return (0..<8).filter(shard.has)
    }
    #expect(pieces == [[0, 3, 6], [1, 4, 7], [2, 5]])
  }

  @Test func `a report merged from an interrupted shard counts as interrupted`() async throws {
    let shards = try await Self.shards()
    for interrupted in [nil, 0, 1] {
      var (one, other) = (shards[0], shards[1])
      if interrupted == 0 { one.isPartial = true }
      if interrupted == 1 { other.isPartial = true }
      try one.merge(other)
      #expect(one.isPartial == (interrupted != nil))
    }
  }

  @Test func `a merged report lists once what either shard left out`() async throws {
    var shards = try await Self.shards()
    shards[0].omissions = ["b"]
    shards[1].omissions = ["a", "b"]
    try shards[0].merge(shards[1])
    #expect(shards[0].omissions == ["a", "b"])
  }

  @Test func `the report of an exploration says which places in a coded body it left out`() async throws {
    let exploration = try FailureSearch.everyFault(upTo: 1, of: [.reset], under: "3G")
    let report = try await exploration.run { network in
      network.stub("/a", with: .data(Data(count: 5_000)).header("Content-Encoding", "br"))
      _ = try? await network.data(from: #require(URL(string: "https://api.example.com/a")))
    }
    #expect(report.omissions.count == 1 && report.summary.contains("all but every 1448th byte"))
  }

  @Test func `merging counts runs that no shard continued only once and marks the report incomplete`() async throws {
    var shards = try await Self.shards()
    var whole = shards[0]
    try whole.merge(shards[1])
    #expect(whole.isWhole)
    for index in shards.indices { shards[index].levels[0].alike = 3 }
    try shards[0].merge(shards[1])
    #expect(shards[0].levels[0].alike == 3 && !shards[0].isWhole)
  }

  @Test func `a report does not call a whole response cut short`() async throws {
    for report in try await Self.shards() { #expect(!report.usual.contains("cut short"), "\(report.usual)") }
  }

  @Test func `a report's example has as few faults as possible`() {
    #expect([5, 0].precedes([1, 0, 2, 0]) && ![1, 0, 2, 0].precedes([5, 0]))
    #expect([1, 0].precedes([1, 1]) && ![1, 1].precedes([1, 0]))
  }
}
