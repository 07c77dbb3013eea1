import Internals
import LinkSimulator
import NetworkConditions

struct WorkloadFile {
  let cases: [WorkloadCase]

  init(_ list: [FormatReader], excess: Duration, limit: Duration) throws {
    cases = try list.map { try WorkloadCase($0, excess: excess, limit: limit) }
    var names: Set<String> = []
    for (place, item) in cases.enumerated() where !names.insert(item.name).inserted {
      throw list[place].error("\"\(item.name)\" is also the name of another case; each needs its own")
    }
  }

  func run(
    _ seeds: SeedRange, on workers: Workers, counting done: Locked<Int> = Locked(0)
  ) async -> [[WorkloadScenario.Outcome]] {
    await workers.run(cases: Array(cases.indices), seeds, counting: done) { [cases] in
      cases[$0].workload.run(seed: $1)
    }
  }

  func runs(_ seeds: SeedRange) -> Int { cases.count * seeds.count }
}
