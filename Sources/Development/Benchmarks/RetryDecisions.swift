import NetworkConditions
import RetryBenchmark
import RetryPolicies

/// How often a run until a decision is wrong: it compares policies with known differences on disjoint seeds.
///
/// In one pair the second policy draws the same waits with other random numbers. In the other pair the difference
/// exceeds the point that matters. `Benchmarks child retry-decisions BLOCKS LIMIT PAIR` runs one pair with other
/// numbers.
enum RetryDecisions {
  /// A policy with the same distribution of waits, but other draws.
  private struct Twin: WrappingPolicy {
    let base: any RetryPolicy

    func decision(
      after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
    ) -> RetryDecision {
      var own = random.keyed(by: "twin")
      return base.decision(after: attempt, of: request, random: &own)
    }
  }

  static func run(_ arguments: [String]) async throws {
    let (blocks, limit) = (max(2, arguments.number(0, usual: 500)), max(6, arguments.number(1, usual: 1_600)))
    let first = try Candidate(named: "full-jitter")
    let pairs = [
      Candidate("its twin") { Twin(base: FullJitterBackoff()) }, try Candidate(named: "full-jitter(base 105 ms)"),
    ]
    for (index, other) in pairs.enumerated() where arguments.count < 3 || arguments.number(2, usual: 0) == index {
      try await decide(first, other, isTwin: index == 0, blocks, limit)
    }
  }

  private static func decide(
    _ first: Candidate, _ other: Candidate, isTwin: Bool, _ blocks: Int, _ limit: Int
  ) async throws {
    // The blocks' verdicts: the differences found, and how many found none or did not decide.
    var (differences, alike, open) = ([Double](), 0, 0)
    var successes = [0, 0]
    var requests = 0
    for block in 0..<blocks {
      let report = try await RetryBenchmark(
        profiles: ["wifi"], seeds: UInt64(block * limit)..<UInt64((block + 1) * limit), workload: Workload(clients: 8),
        server: ServerModel(serviceTime: .milliseconds(100), capacity: 2, queueLength: 2)
      ).runUntilDecided([first, other])
      for (index, result) in report.results.enumerated() { successes[index] += result.success.successes }
      requests += report.results[0].success.total
      let pair = report.results[1].compared(
        to: report.results[0], by: .successRate, confidence: report.confidence)
      guard let pair, report.decision?.isDecided == true else {
        open += 1
        continue
      }
      if pair.isBeyondNoise { differences.append(pair.difference) } else { alike += 1 }
    }
    let truth = isTwin ? 0 : Double(successes[1] - successes[0]) / Double(max(1, requests))
    let wrong = differences.count { $0 * truth <= 0 } + (abs(truth) > 0.01 ? alike : 0)
    print(
      "\(other.name) against \(first.name), \((truth * 100).fixed(2)) points apart: of \(blocks) runs of up to \(limit) "
        + "seeds \(differences.count) say that they differ, \(alike) that they do not, \(open) nothing")
    report("wrong", "\((Double(wrong) / Double(blocks) * 100).fixed(1)) %", goal: "at most 5 %")
  }
}
