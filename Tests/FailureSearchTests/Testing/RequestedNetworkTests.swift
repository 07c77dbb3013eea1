import NetworkConditions
import Testing

@testable import FailureSearch

struct RequestedNetworkTests {
  @Test func `an exploration tries the kinds that a test asks for, by default all but suspensions`() throws {
    func kinds(_ kinds: Set<FaultKinds.Kind>) throws -> Set<FaultKinds.Kind>? {
      guard
        case .exploration(let exploration) = try RequestedNetwork(
          .everyFault("3G", upTo: 1, of: kinds)
        ).resolved(in: [:])
      else { return nil }
      return exploration.faults.kinds
    }
    #expect(try kinds(.all) == Set(FaultKinds.Kind.allCases.filter { $0 != .suspend }))
    #expect(try kinds(.all.union([.suspend])) == Set(FaultKinds.Kind.allCases))
    #expect(try kinds(.all.subtracting([.corrupt]))?.contains(.corrupt) == false)
  }

  @Test func `an exploration takes its shard from the environment, where an empty value is none`() throws {
    func shard(_ value: String?) throws -> FaultExploration.Shard? {
      let asked = RequestedNetwork(.everyFault("3G", upTo: 1, of: .all))
      guard case .exploration(let exploration) = try asked.resolved(in: value.map { ["NETCOND_SHARD": $0] } ?? [:])
      else { return nil }
      return exploration.shard
    }
    #expect(try shard("2/4") == FaultExploration.Shard(2, of: 4))
    #expect(try shard("") == .whole && shard(nil) == .whole)
  }

  @Test(arguments: [
    (RequestedNetwork(.seed("3G", 1), clients: 0), "0 clients: at least 1 is needed"),
    (RequestedNetwork(.seeds("3G", 5..<5)), "the range of seeds is empty"),
    (RequestedNetwork(.seeds("3G", range: -1..<5)), "the seeds -1..<5 are not all from 0"),
  ])
  func `a test that asks for zero clients, no seeds or a negative seed is refused with a reason`(
    _ asked: RequestedNetwork, _ reason: String
  ) {
    #expect(performing: { try asked.resolved(in: [:]) }, throws: { "\($0)".contains(reason) })
  }

  @Test func `a test's settings reach its search, its exploration and its run`() throws {
    func resolved(_ runs: RequestedNetwork.Runs, seeds: String? = nil) throws -> RequestedNetwork.Resolved {
      let options = NetworkOptions(patience: .seconds(7))
      return try RequestedNetwork(
        runs, clients: 3, startsAnywhere: false, capturing: .nothing, options: options, workers: 2
      ).resolved(in: seeds.map { ["NETCOND_SEED": $0] } ?? [:])
    }
    guard case .exploration(let exploration) = try resolved(.everyFault("3G", upTo: 1, of: .all)),
      case .search(let search) = try resolved(.seeds("3G", 5..<6)),
      case .search(let more) = try resolved(.seed("3G", 1), seeds: "5..<7"),
      case .run(let run) = try resolved(.seed("3G", 1), seeds: "5"),
      case .run(let one) = try resolved(.seeds("3G", 0..<9), seeds: "5")
    else { throw FailureSearchError.impossible("a run of another kind") }
    #expect(exploration.clients == 3 && exploration.capture == .nothing && exploration.workers.count == 2)
    #expect(exploration.options.patience == .seconds(7) && search.options.patience == .seconds(7))
    #expect(search.clients == 3 && search.capture == .nothing && search.workers.count == 2 && !search.startsAnywhere)
    #expect(search.seeds == 5..<6 && more.seeds == 5..<7 && run.inputs.seed == 5 && one.inputs.seed == 5)
    #expect(FailureSearch.Workers.inProcess(0).count == 1)
  }

  @Test func `a note on a run lists the last three faults and counts the earlier ones`() throws {
    let faults = (1...5).map { ScheduledFault.request(.get, "/\($0)", .reset(after: 0)) }
    let token = ReplayToken(try .named("3G"), seed: 7)
    func lines(_ faults: [ScheduledFault]) -> [Substring] { "\(RunNote(token, faults: faults))".split(separator: "\n") }
    let last = faults.suffix(3).map(\.description).joined(separator: "; ")
    #expect(lines(faults)[1] == "Until then: 2 earlier faults; \(last)")
    #expect(lines(faults.suffix(4))[1] == "Until then: 1 earlier fault; \(last)")
    #expect(lines(faults.suffix(3))[1] == "Until then: \(last)")
    #expect(lines([])[1] == "Until then no fault had happened.")
  }
}
