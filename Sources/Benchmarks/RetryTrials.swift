import Foundation
import NetworkConditions
import RetryBenchmark

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
    try await sessions()
  }

  // MARK: Whole clients

  private static let profile = "tunnel"
  private static let trials = 2_000

  /// A client that asks up to four times and waits in between, on a session or on the network's own calls.
  private static func client(onSession: Bool) -> Contender {
    Contender(onSession ? "session" : "network") { network, request in
      for attempt in 0..<4 {
        let answer =
          onSession
          ? try? await network.session.data(for: request, delegate: nil) : try? await network.data(for: request)
        if let answer, (answer.1 as? HTTPURLResponse)?.statusCode == 200 { return }
        try await network.clock.sleep(for: .milliseconds(500 << attempt))
      }
      throw URLError(.timedOut)
    }
  }

  private static func rate(onSession: Bool, workers: Int) async throws -> Double {
    var benchmark = try RetryBenchmark(profiles: [profile], seeds: 0..<trials)
    benchmark.workers = workers
    let contender = client(onSession: onSession)
    let start = seconds()
    _ = try await benchmark.run([contender])
    return Double(trials) / (seconds() - start)
  }

  /// What a second core brings: as another worker, and as another process with its share of the seeds.
  private static func sessions() async throws {
    for onSession in [false, true] {
      let one = try await rate(onSession: onSession, workers: 1)
      let two = try await rate(onSession: onSession, workers: 2)
      report(
        "a client on \(onSession ? "URLSession" : "the network's own calls")",
        "\(one.fixed(0)) trials/s by 1 worker, \(two.fixed(0)) by 2: \((two / one).fixed(2)) times")
    }
    let times = try [1, 2].map { processes in
      let start = seconds()
      let shares = try (0..<processes).map { try Child.start(["retry-share", "\($0)", "\(processes)"]) }
      let parts = try shares.map { process, output in
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try RetryReport(json: data)
      }
      _ = try RetryReport.merging(parts)
      return seconds() - start
    }
    report(
      "the client on URLSession in processes of 1 worker",
      "\((Double(trials) / times[0]).fixed(0)) trials/s by 1 process, \((Double(trials) / times[1]).fixed(0)) by 2: "
        + "\((times[0] / times[1]).fixed(2)) times")
  }

  /// Runs one share of the seeds and prints its report.
  static func share(_ arguments: [String]) async throws {
    guard arguments.count == 2, let index = Int(arguments[0]), let count = Int(arguments[1]) else {
      throw CocoaError(.formatting)
    }
    var benchmark = try RetryBenchmark(profiles: [profile], seeds: 0..<trials)
    benchmark.workers = 1
    benchmark.shard = (index, count)
    FileHandle.standardOutput.write(try await benchmark.run([client(onSession: true)]).json())
  }
}
