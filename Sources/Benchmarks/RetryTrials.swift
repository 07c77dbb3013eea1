import Foundation
import NetworkConditions
import RetryBenchmark

/// Trials of retry policies in virtual time: how many a second, and that memory does not grow with them.
enum RetryTrials {
  static func run() async throws {
    let start = seconds()
    let one = try await RetryBenchmark(profiles: ["tunnel"], seeds: 0..<10_000).run(["full-jitter"])
    report(
      "10,000 trials of full jitter under tunnel, one client",
      "\((seconds() - start).fixed(2)) s, "
        + "\(one.results.first?.success.successes ?? 0) succeeded", goal: "under 5 s")
    let before = peakMegabytes()
    let again = seconds()
    _ = try await RetryBenchmark(profiles: ["tunnel"], seeds: 0..<1000, workload: Workload(clients: 50))
      .run(["full-jitter"])
    report("1000 trials with 50 clients each", "\((seconds() - again).fixed(1)) s", goal: "under 60 s")
    report("peak memory of both", "\(before) MB, then \(peakMegabytes()) MB")
  }
}
