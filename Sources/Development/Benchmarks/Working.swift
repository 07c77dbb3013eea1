import ExampleClients
import ExampleSearches
import FailureSearch
import Foundation
import NetworkConditions
import URLLoading

/// Searches in worker processes: the gain of a second one, and a client that traps.
enum Working {
  private static let seeds: Range<UInt64> = 0..<10_000

  static func run() async throws {
    let counts: [(String, FailureSearch.Workers)] = [
      ("in this process, one", .inProcess(1)), ("in this process, two", .inProcess(2)),
      ("one process", workers(1, for: "feed")), ("two processes", workers(2, for: "feed")),
    ]
    var times: [Double] = []
    for (name, workers) in counts {
      let (found, time) = try await timed { try await ExampleSearch.feed.run(.fixed, seeds: seeds, workers: workers) }
      times.append(time)
      report(
        "clean feed client, \(seeds.count) seeds, \(name)",
        "\(found.failures.count) failures, \(time.fixed(1)) s, \((time / times[0]).fixed(2)) of the first",
        goal: name == "two processes" ? "under 6 s, 0.6" : "0")
    }
    try await pairs()
    try await traps()
    try await trap()
  }

  private static func pairs() async throws {
    var texts: [Data] = []
    var times: [Double] = []
    for count in [1, 2] {
      let (found, time) = try await timed {
        try await ExampleSearch.checkout.explore(
          .planted, upTo: 2, under: .named("3G"),
          changing: {
            $0.faults.kinds.subtract([.reset, .truncate, .stall, .corrupt])
            $0.workers = workers(count, for: "checkout")
          })
      }
      texts.append(try found.json())
      times.append(time)
      report("pairs of faults, \(count) processes", "\(time.fixed(1)) s, \(found.classes) classes", goal: "")
    }
    report(
      "two processes against one",
      "\((times[1] / times[0]).fixed(2)), reports \(texts[0] == texts[1] ? "equal" : "DIFFER")",
      goal: "0.6, equal")
  }

  /// What a run costs that ends its process.
  private static func traps() async throws {
    let search = try Self.search(of: 0..<200, workers: 2)
    let (found, time) = try await timed { try await search.run(alwaysTraps) }
    report("a run that traps, two processes", "\((time * 1000 / Double(found.runs)).fixed(1)) ms", goal: "under 20 ms")
  }

  private static func search(of seeds: Range<UInt64>, workers count: Int) throws -> FailureSearch {
    var search = try FailureSearch("3G", seeds: seeds)
    search.workers = workers(count, for: "traps")
    search.extent = .allFailures
    search.rerunLimit = 0
    return search
  }

  private static func alwaysTraps(_ network: SimulatedNetwork) async throws {
    network.stub("/price", with: .json(#"{"price": 4711}"#))
    let request = URLRequest(url: URL(string: "https://api.example.com/price")!)
    let answers = [try await network.session.data(for: request)]
    _ = answers[1]
  }

  private static func trap() async throws {
    var search = try FailureSearch("flaky", seeds: seeds)
    search.workers = workers(2, for: "trap")
    search.extent = .allFailures
    let (found, time) = try await timed { [search] in try await search.run(rarelyTraps) }
    guard let failure = found.failures.first, case .shrunk(let shrunk) = failure.outcome else {
      return report("a client that traps", "not found, or not cut down: \(found)", goal: "found")
    }
    report(
      "a client that traps at \(failure.seedCount) of \(found.runs) seeds",
      "\(time.fixed(1)) s, cut down from \(shrunk.originalFaults) faults to \(shrunk.schedule.faults.count) in \(shrunk.reruns) runs",
      goal: "found, cut down, and this line is printed")
    print("    \(failure.summary.replacingOccurrences(of: "\n", with: "\n    "))")
  }

  /// Makes five attempts and traps if none gets a response.
  private static func rarelyTraps(_ network: SimulatedNetwork) async throws {
    network.stub("/price", with: .json(#"{"price": 4711}"#))
    var request = URLRequest(url: URL(string: "https://api.example.com/price")!)
    request.timeoutInterval = 10
    var answers: [Data] = []
    for _ in 0..<5 where answers.isEmpty {
      if let (data, _) = try? await network.session.data(for: request) { answers.append(data) }
      try await network.clock.sleep(for: .milliseconds(200))
    }
    _ = answers[0]
  }

  /// Processes of this program that run ``serve(_:)``.
  static func workers(_ count: Int, for search: String) -> FailureSearch.Workers {
    .processes(count).started(for: search, with: ["child", "worker", search])
  }

  /// Serves the runs of a search to another process.
  static func serve(_ search: String) async throws {
    switch search {
    case "feed": _ = try await ExampleSearch.feed.run(.fixed, seeds: seeds, workers: workers(1, for: search))
    case "checkout":
      _ = try await ExampleSearch.checkout.explore(
        .planted, upTo: 2, under: .named("3G"), changing: { $0.workers = workers(1, for: search) })
    case "ten": _ = try await Exploring.pairsOfTenRequests(workers(1, for: search))
    case "traps": _ = try await self.search(of: 0..<200, workers: 1).run(alwaysTraps)
    default:
      var other = try FailureSearch("flaky", seeds: seeds)
      other.workers = workers(1, for: search)
      _ = try await other.run(rarelyTraps)
    }
  }
}
