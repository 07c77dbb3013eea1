import Internals
import LinkSimulator
import NetworkConditions

/// The workloads of a file of measurements.
struct WorkloadFile {
  let cases: [WorkloadCase]

  /// Reads the cases; throws an error that names the case and the field, the value and what would be right.
  init(_ list: [FormatReader], excess: Duration, limit: Duration) throws {
    cases = try list.map { try WorkloadCase($0, excess: excess, limit: limit) }
    var names: Set<String> = []
    for (place, item) in cases.enumerated() where !names.insert(item.name).inserted {
      throw list[place].error("\"\(item.name)\" is the name of another case, too; each has its own")
    }
  }

  /// The outcomes of every case under every seed, in their order.
  func run(
    _ seeds: SeedRange, on workers: Workers, counting done: Locked<Int> = Locked(0)
  ) async -> [[WorkloadScenario.Outcome]] {
    await workers.run(cases: Array(cases.indices), seeds, counting: done) { [cases] in
      cases[$0].workload.run(seed: $1)
    }
  }

  /// How many runs that takes.
  func runs(_ seeds: SeedRange) -> Int { cases.count * seeds.count }
}
