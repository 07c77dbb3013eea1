import NetworkConditions
import RetryBenchmark
import URLLoading

/// Trials of retry policies in virtual time: their rate, and whether memory stays bounded.
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
    try await crowds()
    try await sessions()
  }

  /// Compares the time to simulate a request among 40,000 clients and among 100, at the same arrival rate.
  private static func crowds() async throws {
    let few = try await cost(100, 400)
    let words = try Child.collect(["retry-crowd"]).compactMap(Double.init)
    report(
      "a request of 40,000 clients, of one of 100",
      "\(words[0].fixed(0)) us, \(few.fixed(0)) us: \((words[0] / few).fixed(2)) times", goal: "1.5")
    report("peak memory with 40,000 clients", "\(words[1].fixed(0)) MB", goal: "under 300 MB")
  }

  /// Simulates 40,000 clients in a process of their own; prints the microseconds of a request and the peak memory.
  static func crowd() async throws {
    print(try await cost(40_000, 1), peakMegabytes())
  }

  /// The microseconds that it takes to simulate a request of so many clients.
  private static func cost(_ clients: Int, _ trials: Int) async throws -> Double {
    var benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<UInt64(trials),
      workload: Workload(clients: clients, arrival: .poisson(over: .milliseconds(5 * clients))))
    benchmark.workers = 1
    return try await timed { try await benchmark.run(["none"]) }.seconds / Double(clients * trials) * 1e6
  }

  // MARK: Whole clients

  private static let profile = "tunnel"
  private static let trials = 1_000
  private static let rounds = 7

  /// A client with up to four attempts, on a session or on the network's own calls.
  private static func client(onSession: Bool) -> Candidate {
    Candidate(onSession ? "session" : "network") { network, request in
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
    var benchmark = try RetryBenchmark(profiles: [profile], seeds: 0..<UInt64(trials))
    benchmark.workers = workers
    let candidate = client(onSession: onSession)
    return try await Double(trials) / timed { try await benchmark.run([candidate]) }.seconds
  }

  /// Measures the gain of a second core: as another worker, and as another process with half the seeds.
  private static func sessions() async throws {
    var (calls, sessions, processes): ([[Double]], [[Double]], [[Double]]) = ([], [], [])
    // Alternate, and take the best of all rounds: other programs can only slow a round down.
    for _ in 0..<rounds {
      calls.append([try await rate(onSession: false, workers: 1), try await rate(onSession: false, workers: 2)])
      sessions.append([try await rate(onSession: true, workers: 1), try await rate(onSession: true, workers: 2)])
      processes.append([try processRate(1), try processRate(2)])
    }
    for (name, unit, rates) in [
      ("a client on the network's own calls", "worker", calls), ("the same client on URLSession", "worker", sessions),
      ("the latter, one worker in each process", "process", processes),
    ] {
      let (one, two) = (rates.map { $0[0] }.max() ?? .nan, rates.map { $0[1] }.max() ?? .nan)
      report(name, "\(one.fixed(0)) trials/s by 1 \(unit), \(two.fixed(0)) by 2: \((two / one).fixed(2)) times")
    }
  }

  /// Trials per second of processes that share the seeds.
  private static func processRate(_ count: Int) throws -> Double {
    let start = seconds()
    let shares = try (0..<count).map { try Child.start(["retry-share", "\($0)", "\(count)"]) }
    let parts = try shares.map { _, output in
      try RetryReport(json: output.fileHandleForReading.readDataToEndOfFile())
    }
    _ = try RetryReport.merging(parts)
    let rate = Double(trials) / (seconds() - start)
    for (process, _) in shares { process.waitUntilExit() }
    return rate
  }

  /// Runs one share of the seeds and prints its report.
  static func share(_ arguments: [String]) async throws {
    guard arguments.count == 2, let index = Int(arguments[0]), let count = Int(arguments[1]) else {
      throw CocoaError(.formatting)
    }
    var benchmark = try RetryBenchmark(profiles: [profile], seeds: 0..<UInt64(trials))
    benchmark.workers = 1
    benchmark.shard = (index, count)
    FileHandle.standardOutput.write(try await benchmark.run([client(onSession: true)]).json())
  }
}
