import ExampleClients
import ExampleSearches
import FailureSearch
import NetworkConditions

/// Searches for the mistakes of the examples' clients: the time to find and shrink each, and a clean client's cost.
enum Searching {
  private static let seeds: Range<UInt64> = 0..<10_000

  static func run() async throws {
    for example in ExampleSearch.all { try await find(example) }
    try await clear(.feed, goal: "0, under 10 s")
    try await clear(.checkout)
    try await clear(.download)
    try await replay(.checkout)
  }

  private static func find(_ example: ExampleSearch) async throws {
    let (found, time) = try await timed { try await example.run(.planted, seeds: seeds) }
    guard let failure = found.failures.first, case .shrunk(let shrunk) = failure.outcome else {
      return report("\(example.name): found", "no, or not cut down", goal: "within \(seeds.count) seeds, under 10 s")
    }
    let faults = shrunk.schedule.faults.count == 1 ? "1 fault" : "\(shrunk.schedule.faults.count) faults"
    report(
      "\(example.name): found and cut down",
      "\(time.fixed(2)) s: \(found.runs) runs, \(shrunk.reruns) reruns, \(shrunk.originalFaults) to \(faults)",
      goal: "under 10 s, 500 reruns, 1 fault")
  }

  private static func clear(_ example: ExampleSearch, goal: String = "0") async throws {
    let processor = processorSeconds()
    let (found, time) = try await timed { try await example.run(.fixed, seeds: seeds) }
    report(
      "\(example.name) without its mistake, \(seeds.count) seeds",
      "\(found.failures.count) failures, \(time.fixed(1)) s, "
        + "\((processorSeconds() - processor).fixed(1)) s of processors",
      goal: goal)
    for failure in found.failures { print(failure.summary) }
  }

  private static func replay(_ example: ExampleSearch) async throws {
    let found = try await example.run(.planted, seeds: seeds)
    guard let token = found.failures.first?.token, case .schedule(let schedule) = token.content else { return }
    var hashes: Set<TraceHash> = []
    let start = seconds()
    for _ in 0..<100 { hashes.insert(try await example.replay(schedule, .fixed).traceHash) }
    report(
      "one token, replayed 100 times",
      "\(hashes.count) course, \(((seconds() - start) * 10).fixed(2)) ms a run", goal: "1")
  }
}
