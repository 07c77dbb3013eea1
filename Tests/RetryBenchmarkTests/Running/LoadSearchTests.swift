import Foundation
import Internals
import NetworkConditions
import RetryPolicies
import Testing
import Thoroughness

@testable import RetryBenchmark

struct LoadSearchTests {
  /// A server with 8 requests a second, slowed fivefold for 8 s; each client sends a request every 2 s.
  private static func benchmark(
    serviceTime: TimeDistribution = .milliseconds(125), brownOuts: [ServerModel.BrownOut]? = nil,
    perTry: Duration? = nil
  ) throws -> RetryBenchmark {
    try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<1,
      workload: Workload(
        every: .exponential(mean: .seconds(2)), arrival: .poisson(over: .seconds(1)), perTry: perTry),
      server: ServerModel(
        serviceTime: serviceTime, capacity: 1,
        brownOuts: brownOuts ?? [.init(.seconds(1)..<(.seconds(9)), factor: 5)]))
  }

  @Test func `a load search needs a server with capacity for at least two clients`() async throws {
    #expect(try await Self.benchmark().findLoads([]).capacity == 8)
    // Each client asks for one second of work every two seconds.
    #expect(try await Self.benchmark(serviceTime: .seconds(1)).findLoads([]).capacity == 1)
    let slow = try Self.benchmark(serviceTime: .constant(.nanoseconds(1_000_000_001)))
    await #expect(throws: RetryBenchmarkError.self) { try await slow.findLoads([]) }
  }

  @Test(.enabled(if: Thoroughness.isWhole))
  func `a server recovers up to a load of its capacity divided by the attempts per request`() async throws {
    let impatient = "immediate(attempts 4) + per-try(1 s)"
    let loads = try await Self.benchmark().findLoads([
      try Candidate(named: "none"), try Candidate(named: impatient),
    ])
    #expect(loads.capacity == 8)
    // Clients without retries are served in the end under every load up to the capacity.
    #expect(loads.policies[0].recoversUpTo == 8 && loads.policies[0].failsFrom == nil)
    // Four attempts per request: a quarter of the capacity, to within one client.
    let found = loads.policies[1]
    let (recovers, fails) = (try #require(found.recoversUpTo), try #require(found.failsFrom))
    #expect((1.5...2).contains(recovers) && (2...2.5).contains(fails), "\(recovers), \(fails)")
    #expect(found.attempts.map { abs($0 - 4) < 0.05 } ?? false, "\(String(describing: found.attempts))")
    #expect(found.theory.map { abs($0 - 2) < 0.05 } ?? false)
    #expect(
      loads.headline == """
        The server can carry out 8 requests a second, and was slow. With none it recovers under every load up to 8. With \
        \(impatient) it recovers up to \(FigureText.digits(recovers)). With none clients wait for ever, so a late answer \
        counts, too: limit them with --per-try '1 s'.
        """)
  }

  @Test func `a policy without a per-try timeout uses the workload's timeout`() async throws {
    let plain = try await Self.benchmark(serviceTime: .seconds(1), perTry: .seconds(1))
      .findLoads([Candidate(named: "immediate"), Candidate(named: "immediate + per-try(3 s)")])
    let own = try await Self.benchmark(serviceTime: .seconds(1))
      .findLoads([Candidate(named: "immediate + per-try(1 s)"), Candidate(named: "immediate + per-try(3 s)")])
    #expect(plain.policies.map(\.recoversUpTo) == own.policies.map(\.recoversUpTo))
    #expect(plain.policies.map(\.attempts) == own.policies.map(\.attempts))
    #expect(plain.policies.map { $0.limits?.perTry } == [.seconds(1), .seconds(3)])
    #expect(!plain.headline.contains("wait for ever"), "\(plain.headline)")
  }

  @Test func `the load search runs longer than a breaker stays open, and refuses an open time of 1 h`()
    async throws
  {
    let benchmark = try Self.benchmark(serviceTime: .milliseconds(400), perTry: .seconds(2))
    let loads = try await benchmark.findLoads([Candidate(named: "immediate + circuit-breaker(open 25 s)")])
    // The breaker may be open for 25 s after the brown-out, so a window of 30 s would be too short.
    let found = loads.policies[0]
    #expect(found.window == .seconds(55) && found.recoversUpTo == 2 && found.failsFrom == 2.5, "\(found)")
    #expect(found.attempts.map { $0 < 1 } ?? false && found.theory == nil, "\(found)")
    let long = try Candidate(named: "none + circuit-breaker(open 1 h)")
    let error = await #expect(throws: RetryBenchmarkError.self) { try await benchmark.findLoads([long]) }
    #expect(error.map { "\($0)".contains("may refuse requests for 1 h after failures") } ?? false)
    #expect(try Candidate(named: "full-jitter + shed(window 40 s) + attempts(2)").longestPause == .seconds(40))
    #expect(try Candidate(named: "full-jitter + budget").longestPause == .zero)
  }

  @Test(arguments: [(10, 2.0, nil), (5, nil, 1)] as [(Int, Double?, Double?)])
  func `a server has recovered if nine of ten requests succeed, and not if eight do`(
    failing: Int, recovers: Double?, fails: Double?
  ) async throws {
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<1, workload: Workload(every: .seconds(1)),
      server: ServerModel(
        serviceTime: .milliseconds(500), capacity: 1, brownOuts: [.init(.zero..<(.seconds(1)), factor: 2)]))
    // Each client starts ten requests in the 10 s that are judged; one of so many fails.
    let client = Candidate("ours") { _, request in
      if Int(request.url?.lastPathComponent ?? "").map({ $0 % failing == 0 }) ?? true { throw URLError(.timedOut) }
    }
    let found = try await benchmark.findLoads([client]).policies[0]
    #expect(found.recoversUpTo == recovers && found.failsFrom == fails, "\(found)")
  }

  @Test func `the number of workers does not change the loads that are found`() async throws {
    var benchmark = try Self.benchmark(serviceTime: .seconds(1))
    let candidate = try Candidate(named: "immediate + per-try(1 s)")
    benchmark.workers = 1
    let one = try await benchmark.findLoads([candidate])
    benchmark.workers = 3
    #expect(try await benchmark.findLoads([candidate]) == one)
  }

  @Test func `the load search's headline gives each policy's recovery load, or says that trials differ`() throws {
    func found(
      _ policy: String, _ recovers: Double?, _ fails: Double?, attempts: Double? = 1, window: Int = 30
    ) -> RecoveryLoads.Found {
      RecoveryLoads.Found(
        policy: policy, recoversUpTo: recovers, failsFrom: fails, attempts: attempts, theory: nil,
        window: .seconds(window), limits: nil)
    }
    let benchmark = try Self.benchmark()
    var loads = RecoveryLoads(
      profile: "wifi", workload: benchmark.workload, server: benchmark.server, capacity: 8,
      policies: [
        found("all", 8, nil, attempts: nil), found("some", 4, 5), found("most", 7, nil), found("none", nil, 0.5),
        found("any", nil, nil), found("others", 4, 5),
      ])
    #expect(
      loads.headline == """
        The server can carry out 8 requests a second, and was slow. With all it recovers under every load up to 8. With \
        some and others it recovers up to 4. With most it recovers up to 7, and above that the trials differ. With none it \
        recovers under no load that was tried. With any it recovers under no load for certain, since the trials differ.
        """)
    func legend() -> String { loads.lines(width: 100, style: .none).joined(separator: " ") }
    #expect(legend().contains("The load goes on for 30 s after the trouble. Tries"), "\(legend())")
    loads = RecoveryLoads(
      profile: "wifi", workload: benchmark.workload, server: benchmark.server, capacity: 8,
      policies: [found("slow", 8, nil, window: 55), found("quick", 8, nil), found("patient", 8, nil, window: 55)])
    let longer = "30 s after the trouble, 55 s with slow and patient, since it may refuse requests for that long. Tries"
    #expect(legend().contains(longer), "\(legend())")
  }

  @Test func `the load search's headline names the policies without a time limit`() throws {
    let benchmark = try Self.benchmark()
    func headline(_ perTry: Duration?, _ deadline: Duration?) -> String {
      var rules = RetryRules()
      (rules.perTryTimeout, rules.deadline) = (perTry, deadline)
      let found = RecoveryLoads.Found(
        policy: "ours", recoversUpTo: 1, failsFrom: 2, attempts: 1, theory: nil, window: .seconds(30),
        limits: AttemptLimits(rules))
      return RecoveryLoads(
        profile: "wifi", workload: benchmark.workload, server: benchmark.server, capacity: 8, policies: [found]
      ).headline
    }
    let words = "With ours clients wait for ever, so a late answer counts, too"
    #expect(headline(nil, nil).contains(words), "\(headline(nil, nil))")
    for limited in [headline(.seconds(1), nil), headline(nil, .seconds(1)), headline(.seconds(1), .seconds(1))] {
      #expect(!limited.contains("wait for ever"), "\(limited)")
    }
  }

  @Test func `a load search without an outage or brown-out throws an error`() async throws {
    let benchmark = try Self.benchmark(brownOuts: [])
    await #expect(throws: RetryBenchmarkError.self) { try await benchmark.findLoads([Candidate(named: "none")]) }
  }

  @Test func `a load search continues with seed 0 after the largest seed`() async throws {
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: UInt64.max - 1..<UInt64.max, workload: Workload(clients: 2, every: .seconds(1)),
      server: ServerModel(serviceTime: .milliseconds(70), capacity: 1, outages: [.zero..<(.seconds(1))]))
    #expect(try await benchmark.findLoads([Candidate(named: "none")]).capacity > 0)
  }

  @Test func `a sequential test decides when one outcome leads by four, and keeps its decision`() {
    var test = SequentialTest()
    for happened in [true, false, true, true, true] { test.add(happened) }
    #expect(test.outcome == nil && test.trials == 5)
    test.add(true)
    #expect(test.outcome == true)
    for _ in 0..<9 { test.add(false) }
    #expect(test.outcome == true && test.trials == 6)
  }

  @Test(
    arguments: [
      (.exponential(mean: .milliseconds(20)), 20), (.milliseconds(5), 5),
      (.pareto(least: .milliseconds(20), shape: 2_000), 40),
      (.logNormal(median: .milliseconds(20), spread: 1_000), 20),
      (.histogram([.init(.milliseconds(10), weight: 3), .init(.milliseconds(50), weight: 1)]), 20),
    ] as [(TimeDistribution, Int64)])
  func `the mean of each time distribution follows its formula`(distribution: TimeDistribution, milliseconds: Int64) {
    #expect(distribution.mean == .milliseconds(milliseconds))
  }
}
