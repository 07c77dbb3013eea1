import FailureSearch
import Foundation
import NetworkConditions
import PlantedClients
import Testing
import Thoroughness

/// Explores clients that throw on every error, under one kind of fault and under several.
struct RethrowingClientTests {
  private static func explore(
    _ client: RethrowingClient, _ kinds: Set<FaultKinds.Kind>, upTo bound: Int = 1, under profile: String = "3G",
    _ reduction: FaultExploration.Reduction
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: bound, under: profile)
    (exploration.timeLimit, exploration.rerunLimit) = (nil, 0)
    (exploration.faults.kinds, exploration.reduction) = (kinds, reduction)
    let base = try #require(URL(string: "https://api.notes.test"))
    return try await exploration.run { network in
      for (path, answer) in RethrowingClient.answers { network.stub("/\(path)", with: .text(answer)) }
      network.stub(.post, "/note", with: .text("stored"))
      try await client.run(network.session, base: base, clock: network.clock)
    }
  }

  @Test(arguments: Thoroughness.cases(1, of: RethrowingClient.all.indices))
  func `trying one fault per class of equivalent faults finds all failures of resets and truncations`(
    _ index: Int
  ) async throws {
    let client = RethrowingClient.all[index]
    let kinds: Set<FaultKinds.Kind> = [.reset, .truncate]
    let whole = try await Self.explore(client, kinds, .none)
    let reduced = try await Self.explore(client, kinds, .classes)
    func points(_ report: ExplorationReport) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: report.behaviours.map { ($0.words, $0.points) })
    }
    #expect(points(reduced) == points(whole))
    #expect(reduced.failures.count >= (client.tolerance == 0 ? 2 : 0))
    #expect(reduced.levels[0].run < whole.points / 4)
  }

  /// Draws kinds of faults, a client, a profile and a bound for one exploration; the first draws are quick ones.
  @Test(arguments: Thoroughness.cases(3, of: [1, 2, 3, 4, 6, 8, 9, 10, 11, 7, 0, 5]))
  func `an exploration with random kinds of faults counts each fault once`(_ draw: Int) async throws {
    var random = SplitMix(state: UInt64(draw))
    let client = RethrowingClient.all[Int(random.next() % UInt64(RethrowingClient.all.count))]
    let bound = random.next() % 4 == 0 ? 2 : 1
    var kinds = Set(FaultKinds.Kind.allCases.filter { _ in random.next() % 3 == 0 })
    // Pairs of bytes are too many, and some of these kinds offer no point alone.
    if bound == 2 { kinds.subtract([.stall, .corrupt, .packet]) }
    kinds.formUnion([.status, .reset, .truncate].shuffled(using: &random).prefix(2))
    let profile = ["3G", "wifi", "tunnel", "satellite"][Int(random.next() % 4)]
    let report = try await Self.explore(client, kinds, upTo: bound, under: profile, .classes)
    #expect(client.tolerance > 0 || !report.failures.isEmpty, "\(client.name), \(kinds)")
    #expect(report.behaviours.reduce(0) { $0 + $1.points } == report.points)
  }

  /// SplitMix64 by Steele, Lea and Flood: a test draws the same numbers each time.
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
