import ExampleClients
import ExampleSearches
import FailureSearch
import URLLoading
import NetworkConditions

/// Tries every fault on clients: counts points and runs, and compares the failures with those of brute force.
enum Exploring {
  static func run() async throws {
    for example in ExampleSearch.explored { try await find(example) }
    try await tenRequests()
  }

  /// Compares explorations of planted clients with brute force.
  static func planted() async throws { try await compare(PlantedClient.all) }

  private static func compare(_ clients: [PlantedClient]) async throws {
    var whole: [(PlantedClient, ExplorationReport)] = []
    for client in clients { whole.append((client, try await explore(client, by: .none))) }
    try await compare(whole, by: .automatic, named: "planted clients", goal: "0 missed, 0 invented")
    try await compare(whole, by: .classes, named: "by classes alone, however few points", goal: "")
  }

  private static func explore(
    _ client: PlantedClient, by reduction: FaultExploration.Reduction
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: client.bound, under: "3G")
    exploration.timeLimit = nil
    exploration.rerunLimit = 0
    exploration.reduction = reduction
    if let kinds = client.kinds {
      exploration.faults.kinds = kinds
    } else if client.bound > 1 {
      // Brute force cannot afford pairs of byte positions.
      exploration.faults.kinds.subtract([.reset, .truncate, .stall, .corrupt, .packet])
    }
    return try await exploration.run(client.run)
  }

  private static func compare(
    _ clients: [(PlantedClient, ExplorationReport)], by reduction: FaultExploration.Reduction, named name: String,
    goal: String
  ) async throws {
    var (points, runs, missed, invented, unseen, silent) = (0, 0, 0, 0, 0, 0)
    var (single, wrong) = (0, 0)
    let start = seconds()
    for (client, all) in clients {
      let found = try await explore(client, by: reduction)
      points += all.points
      runs += found.levels.reduce(0) { $0 + $1.run }
      let (few, many) = (Set(found.failures.map(\.fingerprint)), Set(all.failures.map(\.fingerprint)))
      missed += many.subtracting(few).count
      invented += few.subtracting(many).count
      if many.isEmpty { silent += 1 }
      if client.bound == 1 {
        single += all.points
        wrong += mistaken(found, all)
      }
      let (seen, there) = (Set(found.behaviours.map(\.words)), Set(all.behaviours.map(\.words)))
      unseen += there.subtracting(seen).count
      let isSame = many == few && found.failingPoints == all.failingPoints && there.isSubset(of: seen)
      if !isSame || many.isEmpty {
        print(
          "    \(client.name): \(found.failingPoints) of \(found.points) points fail in \(few.count) ways, "
            + "\(found.classes) classes; by brute force \(all.failingPoints) of \(all.points) in \(many.count)")
      }
      for behaviour in all.behaviours where !seen.contains(behaviour.words) {
        print(
          "      unseen: \(behaviour.points) points, \(behaviour.words); \(behaviour.example.joined(separator: "; "))")
      }
    }
    report(
      "\(clients.count) \(name)",
      "\(missed) failures missed, \(invented) invented, \(unseen) behaviours unseen, "
        + "\(silent) without a failure, \(points) points, \(runs) runs, \((seconds() - start).fixed(0)) s",
      goal: goal)
    report(
      "members that behave as their representatives", "\(single - wrong) of \(single) single faults",
      goal: "9,999 of 10,000")
  }

  /// The number of points that an exploration assigns to the wrong behaviour.
  private static func mistaken(_ found: ExplorationReport, _ all: ExplorationReport) -> Int {
    let counts = Dictionary(uniqueKeysWithValues: found.behaviours.map { ($0.words, $0.points) })
    return all.behaviours.reduce(0) { $0 + max(0, $1.points - counts[$1.words, default: 0]) }
  }

  private static func find(_ example: ExampleSearch) async throws {
    let (found, time) = try await timed { try await example.explore(.planted) }
    report(
      "\(example.name): found and cut down",
      "\(time.fixed(2)) s, \(found.points) points, \(found.classes) classes, \(found.checked) checked, \(found.splits.count) split, \(found.failingPoints) fail in \(found.failures.count) ways",
      goal: "under 15 s, 50 times fewer runs than points")
    for split in found.splits { print("    split: \(split)") }
    guard found.points < 15_000 else { return }
    let (all, longer) = try await timed { try await example.explore(.planted, changing: { $0.reduction = .none }) }
    let missed = Set(all.failures.map(\.fingerprint)).subtracting(found.failures.map(\.fingerprint))
    let unseen = Set(all.behaviours.map(\.words)).subtracting(found.behaviours.map(\.words))
    report(
      "\(example.name): brute force",
      "\(longer.fixed(1)) s, \(all.points) points, \(all.failingPoints) fail, \(missed.count) failures missed, \(unseen.count) of \(all.behaviours.count) behaviours unseen, \(mistaken(found, all)) points counted to another",
      goal: "0 missed")
    for behaviour in all.behaviours where unseen.contains(behaviour.words) {
      print("    unseen, \(behaviour.points) points: \(behaviour.words); \(behaviour.example.joined(separator: "; "))")
    }
    let (clean, fixedTime) = try await timed { try await example.explore(.fixed) }
    report(
      "\(example.name) without its mistake", "\(clean.failures.count) failures, \(fixedTime.fixed(2)) s", goal: "0")
    for failure in clean.failures { print(failure.summary) }
  }

  /// A client with ten sequential requests, each retried once.
  private static func tenRequests(_ network: SimulatedNetwork) async throws {
    let text = String(repeating: #"{"id": 4711, "title": "What happened, and why"}"#, count: 12)
    network.stub("/pages/*", with: .data(Data("[\(text)]".utf8)))
    for page in 0..<10 {
      var request = URLRequest(url: URL(string: "https://api.example.com/pages/\(page)")!)
      request.timeoutInterval = 20
      do {
        _ = try await network.session.data(for: request)
      } catch {
        try await network.clock.sleep(for: .seconds(1))
        _ = try? await network.session.data(for: request)
      }
    }
  }

  /// Tries every pair of faults on the client of ten requests.
  static func pairsOfTenRequests(_ workers: FailureSearch.Workers) async throws -> ExplorationReport {
    try await tenRequests(upTo: 2, workers)
  }

  private static func tenRequests(
    upTo bound: Int, _ workers: FailureSearch.Workers, by reduction: FaultExploration.Reduction = .automatic
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: bound, under: "3G")
    exploration.timeLimit = nil
    exploration.workers = workers
    exploration.reduction = reduction
    return try await exploration.run(tenRequests)
  }

  private static func tenRequests() async throws {
    let single = try FailureSearch.everyFault(upTo: 1, under: "3G")
    let (found, time) = try await timed { try await single.run(tenRequests) }
    report(
      "ten requests: every single fault",
      "\(time.fixed(2)) s, \(found.points) points, \(found.classes) classes, \(found.checked) checked, \(found.splits.count) split",
      goal: "under 10 s, 50 times fewer runs than points")
    for split in found.splits { print("    split: \(split)") }
    let (all, whole) = try await timed {
      try await tenRequests(upTo: 1, Working.workers(2, for: "ten"), by: .none)
    }
    report(
      "ten requests: brute force",
      "\(whole.fixed(0)) s, \(all.points) points, \(mistaken(found, all)) points counted to another", goal: "3")
    let (pairs, longer) = try await timed { try await pairsOfTenRequests(Working.workers(2, for: "ten")) }
    report(
      "ten requests: every pair",
      "\(longer.fixed(0)) s, \(pairs.levels.map { "\($0.points) points in \($0.classes) classes" }), \(pairs.checked) checked",
      goal: "under 300 s")
  }
}
