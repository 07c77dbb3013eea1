import NetworkConditions
import RetryBenchmark
import RetryPolicies
import Testing

/// Policies that adapt to the server's answers, with state that all clients share.
struct AdaptivePolicyTests {
  private func run(
    _ plans: [String], clients: Int, requests: Int, think: TimeDistribution = .milliseconds(0),
    seeds: Range<UInt64> = 0..<1,
    _ server: ServerModel
  ) async throws -> [PolicyMetrics] {
    let benchmark = try RetryBenchmark(
      profiles: ["unlimited"], seeds: seeds,
      workload: Workload(clients: clients, requestsPerClient: requests, think: think), server: server)
    let report = try await benchmark.run(plans)
    return try plans.map { try #require(report["unlimited", $0]) }
  }

  @Test func `hedging after the 95th percentile adds about one attempt for twenty requests`() async throws {
    let metrics = try await run(
      ["none + hedge(after p95, shared)"], clients: 10, requests: 100, seeds: 0..<3,
      ServerModel(serviceTime: .exponential(mean: .milliseconds(100))))
    let amplification = try #require(metrics[0].amplification)
    // Of 3,000 requests 150 are expected, plus or minus 12.
    #expect((1.042...1.064).contains(amplification), "\(amplification)")
  }

  @Test func `a shared rate limit cuts the number of refused attempts to under a third`() async throws {
    let plain = "fixed(delay 200 ms, attempts 100)"
    let metrics = try await run(
      [plain, "\(plain) + rate-limit(shared)"], clients: 30, requests: 5,
      ServerModel(serviceTime: .milliseconds(100), capacity: 2, queueLength: 0))
    let refused = metrics.map { $0.outcomes["503"] ?? 0 }
    for metrics in metrics { #expect(metrics.success.successes == 150) }
    #expect(refused[1] * 3 < refused[0], "\(refused)")
  }

  @Test func `a shared adaptive bulkhead gives more successes with fewer attempts on an overloaded server`()
    async throws
  {
    let plain = "none + per-try(500 ms)"
    let metrics = try await run(
      [plain, "\(plain) + bulkhead(4..100, shared)"], clients: 20, requests: 20,
      think: .exponential(mean: .milliseconds(500)),
      ServerModel(serviceTime: .exponential(mean: .milliseconds(100)), capacity: 2))
    let successes = metrics.map(\.success.successes)
    let attempts = metrics.map { $0.outcomes.values.reduce(0, +) }
    #expect(attempts[0] == 400 && attempts[1] < 400)
    #expect(successes[1] > successes[0], "\(successes)")
  }

  @Test func `a circuit breaker that opens on slow attempts sends fewer of them to a slow server`() async throws {
    let metrics = try await run(
      ["none + rate-breaker(of 10, open 5 s, shared)", "none + rate-breaker(of 10, open 5 s, slow 500 ms, shared)"],
      clients: 10, requests: 10, think: .milliseconds(100),
      ServerModel(
        serviceTime: .milliseconds(50), brownOuts: [ServerModel.BrownOut(.zero..<(.seconds(60)), factor: 20)]))
    let attempts = metrics.map { $0.outcomes.values.reduce(0, +) }
    #expect(attempts[0] == 100 && attempts[1] < 100, "\(attempts)")
    #expect(metrics[0].success.successes == 100)
  }

  @Test func `clients that shed load send about twice as many requests as the server accepts`() async throws {
    let metrics = try await run(
      ["none", "none + shed(shared)"], clients: 10, requests: 150, think: .exponential(mean: .milliseconds(100)),
      seeds: 0..<3,
      ServerModel(serviceTime: .milliseconds(50), capacity: 1, queueLength: 0))
    let (accepted, refused) = (metrics.map(\.success.successes), metrics.map { $0.outcomes["503"] ?? 0 })
    // 100 requests a second for a server that can carry out 20.
    #expect(refused[0] > 3 * accepted[0])
    #expect((0.8...1.2).contains(Double(refused[1]) / Double(accepted[1])), "\(refused) \(accepted)")
  }

  @Test func `a policy that waits for the network makes no retry during an outage`() async throws {
    // A profile name with a place starts every trial at that place.
    var profile = NetworkProfile(
      name: "flight@0 s", base: .unlimited,
      phases: [
        .init("flight mode", for: .seconds(30), conditions: PathConditions(outage: .refuse)),
        .init("online", conditions: .unlimited),
      ])
    profile.configuration.repeats = .none
    let benchmark = try RetryBenchmark(profiles: [profile], seeds: 0..<1)
    let plain = "fixed(delay 1 s, attempts 3)"
    let alone = try await benchmark.trial(of: Candidate(named: plain), under: profile.name, seed: 0).requests[0]
    #expect(!alone.isSuccess && alone.attempts.count == 3)
    let patient = try await benchmark.trial(of: Candidate(named: "\(plain) + path"), under: profile.name, seed: 0)
      .requests[0]
    #expect(patient.isSuccess && patient.attempts.count == 2)
    #expect(patient.attempts.map(\.start) == [.zero, .seconds(31)], "\(patient)")
  }
}
