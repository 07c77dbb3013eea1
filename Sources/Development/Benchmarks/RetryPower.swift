import NetworkConditions
import RetryBenchmark
import RetryPolicies

/// How often a gate and a headline notice twice the failures at 99 % success, and how often they raise false alarms.
///
/// Three policies give up at random after a failure: 1 % of requests fail, 2 %, or 1 % with other draws. Each block has
/// its own seeds: first as many as the scenario `mobile`, then as many as the gate asks for. `Benchmarks child
/// retry-power BLOCKS SEEDS` uses other numbers.
enum RetryPower {
  /// Gives up at random after a failure.
  private struct Faint: WrappingPolicy {
    let base: any RetryPolicy
    /// The probability in thousandths.
    let share: UInt64
    let chance: String

    func decision(
      after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
    ) -> RetryDecision {
      var own = random.keyed(by: chance)
      if own.next() % 1_000 < share { return .stop }
      return base.decision(after: attempt, of: request, random: &random)
    }
  }

  /// The gated candidate has the same name in all reports, since a gate compares by name.
  private static func candidate(_ share: UInt64, _ chance: String, named name: String = "ours") -> Candidate {
    Candidate(name) { Faint(base: FullJitterBackoff(), share: share, chance: chance) }
  }

  static func run() async throws { try await run([]) }

  static func run(_ arguments: [String]) async throws {
    let blocks = max(2, arguments.number(0, usual: 200))
    let usual = max(6, arguments.number(1, usual: RetryScenario.mobile.seedCount))
    let needed = try await measure(blocks, usual)
    guard needed > usual else { return }
    print("The gate says that about \(needed) seeds notice twice the failures:")
    _ = try await measure(blocks, needed)
  }

  /// Measures blocks of `size` seeds; returns the median number of seeds that the gate asks for.
  private static func measure(_ blocks: Int, _ size: Int) async throws -> Int {
    let (one, other, twin) = (candidate(140, "one"), candidate(306, "other"), candidate(140, "twin"))
    var (caught, told, alarms, unsure, named, misnamed) = (0, 0, 0, 0, 0, 0)
    var (failures, needed, foretold) = ([0, 0, 0], [Int](), 0.0)
    for block in 0..<blocks {
      let benchmark = try RetryBenchmark(
        profiles: ["flaky"], seeds: UInt64(block * size)..<UInt64((block + 1) * size))
      let base = try await benchmark.run([one])
      let steady = candidate(140, "one", named: "steady")
      let worse = try await benchmark.run([other, steady])
      let same = try await benchmark.run([twin, steady])
      for (index, report) in [base, worse, same].enumerated() {
        failures[index] += size - report.results[0].success.successes
      }
      let (change, none) = (try RetryComparison(worse, to: base), try RetryComparison(same, to: base))
      if change.worse.contains(where: { $0.figure == .success }) {
        caught += 1
      } else if let power = change.power, "\(change)".contains("\(power)") {
        told += 1
      }
      if !none.worse.isEmpty { alarms += 1 }
      needed.append(none.power?.seedsNeeded ?? size)
      foretold += none.power?.chance ?? 0
      let headline = worse.headline(of: "flaky")
      if headline.hasPrefix("Under flaky, steady does best") {
        named += 1
      } else if headline.contains(" would tell") {
        unsure += 1
      } else {
        print(headline)
      }
      if same.headline(of: "flaky").contains("times the failures") { misnamed += 1 }
    }
    let requests = Double(blocks * size)
    print(
      "\(blocks) blocks of \(size) seeds; of 100 requests fail "
        + failures.map { (Double($0) / requests * 100).fixed(2) }.joined(separator: ", "))
    func share(_ count: Int) -> String { "\((Double(count) / Double(blocks) * 100).fixed(1)) %" }
    report(
      "gate: twice the failures are noticed",
      "\(share(caught)), foretold \((foretold / Double(blocks) * 100).fixed(1)) %; \(share(told)) say how many seeds it takes",
      goal: "90 %, or it says so")
    report("gate: false alarms of the twin", share(alarms), goal: "at most 5 %")
    report("headline: the better one is named", "\(share(named)), \(share(unsure)) say how many seeds it takes")
    report("headline: the twin is called better or worse", share(misnamed), goal: "at most 5 %")
    return needed.sorted()[blocks / 2]
  }
}
