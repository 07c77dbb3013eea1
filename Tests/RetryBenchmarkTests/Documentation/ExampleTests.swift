import NetworkConditions
import Pictures
import RetryBenchmark
import RetryPolicies
import Testing
import URLLoading

/// The documentation's examples, compiled and run.
struct ExampleTests {
  struct OurClient {
    let session: URLSession
    let clock: any Clock<Duration>

    init(_ session: URLSession, _ clock: any Clock<Duration>) {
      self.session = session
      self.clock = clock
    }

    func send(_ request: URLRequest) async throws -> Data {
      for attempt in 0..<3 {
        if let (data, response) = try? await session.data(for: request),
          (response as? HTTPURLResponse)?.statusCode == 200
        {
          return data
        }
        try await clock.sleep(for: .seconds(1 << attempt))
      }
      throw URLError(.timedOut)
    }
  }

  /// The page's example, only compiled: a thousand seeds take too long.
  private func comparison() async throws {
    let benchmark = try RetryBenchmark(profiles: ["3G", "tunnel"], seeds: 0..<1000)
    let report = try await benchmark.run([
      Candidate(named: "none"),
      Candidate(named: "full-jitter"),
      Candidate("ours") { network, request in _ = try await OurClient(network.session, network.clock).send(request) },
    ])
    print(report)
    try Data(HTMLReport(report).text.utf8).write(to: URL(fileURLWithPath: "report.html"))
  }

  @Test func `the documentation's chart equals a new run of 100 seeds under the tunnel profile`() async throws {
    let benchmark = try RetryBenchmark(profiles: ["tunnel"], seeds: 0..<100)
    let report = try await benchmark.run([
      Candidate(named: "none"),
      Candidate(named: "full-jitter"),
      Candidate("ours") { network, request in _ = try await OurClient(network.session, network.clock).send(request) },
    ])
    #expect(try Picture.isCurrent("ours.svg", of: "RetryBenchmark", SVGReport(report).text))
  }

  private func gate(_ benchmark: RetryBenchmark) async throws {
    let report = try await benchmark.run([
      Candidate("ours") { network, request in _ = try await OurClient(network.session, network.clock).send(request) }
    ])
    try report.json().write(to: URL(fileURLWithPath: "Tests/retry-baseline.json"))
    try report.requireNoWorse(than: URL(fileURLWithPath: "Tests/retry-baseline.json"))
  }

  private func world() throws -> ([Workload], ServerModel, Candidate) {
    let workload = Workload(clients: 50, requestsPerClient: 20, think: .exponential(mean: .seconds(2)))
    let open = Workload(clients: 50, requestsPerClient: 20, every: .exponential(mean: .seconds(2)))
    let server = ServerModel(
      serviceTime: .logNormal(median: .milliseconds(20), spread: 2_500), capacity: 4,
      outages: [.seconds(3)..<(.seconds(10))])
    let shared = Candidate("a budget for ten", sharing: { RetryBudget() }, by: .process(of: 10)) {
      FullJitterBackoff().budgeted(by: $0)
    }
    return ([workload, open], server, shared)
  }

  private func situation() async throws {
    let scenario = RetryScenario.payment
    let report = try await RetryBenchmark(scenario).run(scenario.candidates())
    print(report)
  }

  private func measured(_ trials: [TrialRecord], _ other: PolicyMetrics) {
    var metrics = PolicyMetrics(policy: "full-jitter", profile: "tunnel")
    for trial in trials { metrics.add(trial) }
    let rate = metrics.estimate(of: .successRate)?.interval  // with 95 % confidence
    let slowest = metrics.timeToAnswer(0.99)  // failures included, to within 0.4 %
    let chance = metrics.compared(to: other, by: .successRate)?.probability
    print(rate as Any, slowest as Any, chance as Any)
  }

  @Test func `two shard reports, written to files and merged, make one report of all ten seeds`() async throws {
    var files: [URL] = []
    for number in ["1", "2"] {
      let arguments = ["benchmark", number, "2"]
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
      files.append(file)
      guard let share = Int(arguments[1]), let count = Int(arguments[2]) else { throw CocoaError(.formatting) }
      var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<10)
      benchmark.shard = (index: share - 1, count: count)
      let report = try await benchmark.run([
        Candidate("ours") { network, request in
          _ = try await OurClient(network.session, network.clock).send(request)
        }
      ])
      try report.json().write(to: file)
    }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    let parts = try files.map { try RetryReport(json: Data(contentsOf: $0)) }
    let whole = try RetryReport.merging(parts)
    #expect(whole.results.first?.success.total == 10 && whole.parts.count == 1)
  }
}
