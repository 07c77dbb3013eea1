import NetworkConditions
@testable import RetryBenchmark
import RetryPolicies
import Synchronization
import Testing
import Thoroughness
import URLLoading

struct RetryBenchmarkRunTests {
  @Test func `without faults each request succeeds with one attempt`() async throws {
    let report = try await RetryBenchmark(profiles: ["3G"], seeds: 0..<20).run(["none", "full-jitter"])
    for policy in ["none", "full-jitter"] {
      let metrics = try #require(report["3G", policy])
      #expect(metrics.success.successes == 20)
      #expect(metrics.amplification == 1)
    }
  }

  @Test func `the report is the same with one worker and with four`() async throws {
    var benchmark = try RetryBenchmark(
      profiles: ["tunnel", "flaky"], seeds: 0..<8,
      workload: Workload(clients: 3, arrival: .poisson(over: .seconds(2))))
    benchmark.workers = 1
    let one = try await benchmark.run(["none", "exponential", "full-jitter", "hedging"]).json()
    benchmark.workers = 4
    let four = try await benchmark.run(["none", "exponential", "full-jitter", "hedging"]).json()
    #expect(one == four)
  }

  @Test func `a run until decided stops at the first look that decides, or at its last seed`() async throws {
    let server = ServerModel(serviceTime: .milliseconds(100), capacity: 2, queueLength: 2)
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 3..<1_000, workload: Workload(clients: 8), server: server)
    let candidates = try ["none", "full-jitter"].map { try Candidate(named: $0) }
    let report = try await benchmark.runUntilDecided(candidates)
    // The retrying policy succeeds more often, as the first look shows; the figures cover only the seeds that were run.
    #expect(report.seeds == 3..<103 && report.decision?.isDecided == true)
    #expect(report.confidence == 0.99)
    let same = try await RetryBenchmark(
      profiles: ["wifi"], seeds: 3..<103, workload: Workload(clients: 8), server: server
    ).run(candidates)
    #expect(report.results == same.results)
    #expect(
      report.findings(of: "wifi").first?.hasPrefix("Decided after 100 seeds, with a chance of at most 5 %") == true)
    let twins = ["a", "b"].map { name in
      Candidate(name) { FullJitterBackoff(curve: ExponentialCurve(base: .milliseconds(name == "a" ? 100 : 110))) }
    }
    let open = try await RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<102, workload: Workload(clients: 2), server: server
    ).runUntilDecided(twins)
    #expect(open.seeds == 0..<102 && open.decision?.isDecided == false)
    #expect(open.results.allSatisfy { $0.trials.count == 102 })
    #expect(try RetryReport(json: open.json()) == open)
    await #expect(throws: RetryBenchmarkError.self) { try await benchmark.runUntilDecided([candidates[0]]) }
  }

  @Test func `requireNoWorse passes for equal results and throws when success is worse than the baseline`() async throws
  {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<10, server: ServerModel(outages: [.zero..<(.seconds(3))]))
    func run(attempts: Int) async throws -> RetryReport {
      try await benchmark.run([
        Candidate("ours") { network, request in
          for attempt in 0..<attempts {
            let (_, response) = try await network.data(for: request)
            if (response as? HTTPURLResponse)?.statusCode == 200 { return }
            try await network.clock.sleep(for: .seconds(1 << attempt))
          }
          throw URLError(.timedOut)
        }
      ])
    }
    try await run(attempts: 4).requireNoWorse(than: file)
    try await run(attempts: 4).requireNoWorse(than: file)
    let report = try await run(attempts: 1)
    let error = #expect(throws: RetryRegression.self) { try report.requireNoWorse(than: file) }
    #expect(
      error?.sentence.hasPrefix("worse: wifi, ours: success 100 % -> 0 %") == true, "\(String(describing: error))")
  }

  @Test func `closed-loop clients pause between requests, and a shared retry budget denies fewer retries`() async throws
  {
    let server = ServerModel(serviceTime: .exponential(mean: .milliseconds(50)), outages: [.seconds(2)..<(.seconds(8))])
    let workload = Workload(
      clients: 5, requestsPerClient: 6, think: .logNormal(median: .seconds(1), spread: 1_500),
      arrival: .evenly(over: .seconds(1)))
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<6, workload: workload, server: server)
    let plans = ["budget(20 %, reserve 0/s)", "budget(20 %, reserve 0/s, shared)"]
    let candidates = try plans.map { try Candidate(named: "full-jitter + \($0)") }
    let report = try await benchmark.run(candidates)
    let again = try await benchmark.run(candidates)
    #expect(try report.json() == again.json())
    #expect(try RetryReport(json: report.json()) == report)
    // One client's six requests pay for one retry; the thirty requests of all clients pay for six shared ones.
    #expect(report.results[0].denials > report.results[1].denials && report.results[1].denials > 0)
    #expect(report.results[0].success.total == 180)
    let trial = try await benchmark.trial(of: candidates[0], under: "wifi", seed: 1)
    let own = trial.requests.filter { $0.client == 4 }.sorted { $0.start < $1.start }
    #expect(own[0].start == .milliseconds(800))
    for (one, next) in zip(own, own.dropFirst()) { #expect(next.start - one.end > .milliseconds(100)) }
  }

  @Test func `a circuit breaker can belong to one client, to a process of five, or to all clients`()
    async throws
  {
    let workload = Workload(clients: 10, arrival: .evenly(over: .seconds(10)))
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<2, workload: workload, server: ServerModel(outages: [.zero..<(.seconds(60))]))
    let plans = ["circuit-breaker", "circuit-breaker(shared by 5)", "circuit-breaker(shared)"]
    var candidates = try plans.map { try Candidate(named: "immediate + \($0)") }
    candidates.append(
      Candidate("ours", sharing: { CircuitBreaker() }, by: .process(of: 5)) { ImmediateRetry().guarded(by: $0) })
    let report = try await benchmark.run(candidates)
    // Each client makes three attempts; or five failures open a shared circuit until the last client has asked.
    #expect(report.results.map { $0.attempts.sum } == [60, 20, 10, 20])
  }

  @Test(arguments: [true, false])
  func `open-loop requests start on schedule, even while earlier requests are unanswered`(isPolicy: Bool) async throws {
    let workload = Workload(
      clients: 2, requestsPerClient: 4, every: .milliseconds(100), arrival: .evenly(over: .seconds(1)))
    let server = ServerModel(serviceTime: .seconds(1), outages: [.milliseconds(150)..<(.milliseconds(650))])
    var benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<3, workload: workload, server: server)
    let candidate =
      isPolicy
      ? try Candidate(named: "fixed(delay 1 s)")
      : Candidate("ours") { network, request in
        for _ in 0..<3 {
          let (_, response) = try await network.data(for: request)
          if (response as? HTTPURLResponse)?.statusCode == 200 { return }
          try await network.clock.sleep(for: .seconds(1))
        }
        throw URLError(.badServerResponse)
      }
    let trial = try await benchmark.trial(of: candidate, under: "wifi", seed: 0)
    let starts = [0, 100, 200, 300, 500, 600, 700, 800].map { Duration.milliseconds($0) }
    #expect(trial.requests.map(\.start) == starts)
    // Each request has its own attempts: those in the outage have one more, a second later.
    #expect(
      trial.requests.map { $0.attempts.map(\.outcome) } == [
        ["200"], ["200"], ["503", "200"], ["503", "200"], ["503", "200"], ["503", "200"], ["200"], ["200"],
      ])
    let report = try await benchmark.run([candidate])
    benchmark.workers = 1
    #expect(try await benchmark.run([candidate]).json() == report.json())
    #expect(try RetryReport(json: report.json()) == report)
  }

  @Test func `the mean of 4,000 drawn times is close to the distribution's mean`() {
    func mean(_ distribution: TimeDistribution) -> Double {
      let count = 4_000
      let sum = (0..<UInt64(count)).reduce(0.0) {
        $0 + distribution.drawn(KeyedRandom(seed: 7).keyed(by: $1)).inSeconds
      }
      return sum / Double(count)
    }
    #expect(mean(.constant(.seconds(2))) == 2)
    #expect(abs(mean(.exponential(mean: .seconds(1))) - 1) < 0.05)
    // Of a log-normal distribution the mean is the median times exp(ln(spread)^2 / 2); of a Pareto least x shape / (shape - 1).
    #expect(abs(mean(.logNormal(median: .seconds(1), spread: 2_000)) - 1.2716) < 0.06)
    #expect(abs(mean(.pareto(least: .seconds(1), shape: 4_000)) - 4.0 / 3) < 0.05)
    #expect(abs(mean(.histogram([.init(.seconds(1), weight: 3), .init(.seconds(5), weight: 1)])) - 2) < 0.1)
  }

  @Test func `during a brown-out the service time is multiplied by the brown-out's factor`() async throws {
    func took(_ server: ServerModel) async throws -> Duration {
      let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1, server: server)
      let trial = try await benchmark.trial(of: Candidate(named: "none"), under: "wifi", seed: 0)
      return trial.requests[0].end
    }
    let usual = try await took(ServerModel())
    let slow = try await took(ServerModel(brownOuts: [.init(.zero..<(.seconds(9)), factor: 5)]))
    #expect(slow - usual == .milliseconds(80))
  }

  @Test func `a trial's record leaves out brown-outs after its last request`() async throws {
    let spans = [Duration.zero..<(.seconds(9)), .seconds(100)..<(.seconds(101))]
    let server = ServerModel(brownOuts: spans.map { .init($0, factor: 5) })
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1, server: server)
    let trial = try await benchmark.trial(of: Candidate(named: "none"), under: "wifi", seed: 0)
    #expect(trial.brownOuts == [spans[0]])
  }

  /// The outcomes of each client's attempts.
  private func outcomes(
    _ policy: String, _ server: ServerModel, _ workload: Workload, seed: UInt64 = 0
  ) async throws -> [[String]] {
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1, workload: workload, server: server)
    let trial = try await benchmark.trial(of: Candidate(named: policy), under: "wifi", seed: seed)
    return trial.requests.map { $0.attempts.map(\.outcome) }
  }

  @Test func `a host name is a client's only with a number from 0 on`() {
    #expect(ModelServer.client(of: "client-7.server.example") == 7)
    #expect(ModelServer.client(of: "cdn.eu.client-7.server.example") == 7)
    #expect(ModelServer.client(of: "client--1.server.example") == nil)
  }

  @Test func `requests that would wait longer than the queue time get a 503 and are not processed`()
    async throws
  {
    let server = ServerModel(serviceTime: .seconds(1), capacity: 1, queueTime: .milliseconds(1_500))
    #expect(server.text == "1 s, 1 at once, queue 1500 ms")
    // The first request begins at once, the second after 1 s; the others would wait for 2 s or more.
    let workload = Workload(clients: 4, arrival: .together)
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1, workload: workload, server: server)
    let trial = try await benchmark.trial(of: Candidate(named: "none"), under: "wifi", seed: 0)
    let attempts = trial.requests.flatMap(\.attempts)
    #expect(attempts.map(\.outcome).sorted() == ["200", "200", "503", "503"])
    for attempt in attempts where attempt.outcome == "503" {
      #expect((.milliseconds(1_500)..<(.milliseconds(1_600))).contains(attempt.end), "\(attempt.end)")
      #expect(!attempt.wasProcessed)
    }
    // All requests come at the same instant, so that the second waits for exactly the queue time.
    let exact = try RetryBenchmark(
      profiles: ["unlimited"], seeds: 0..<1, workload: workload,
      server: ServerModel(serviceTime: .seconds(1), capacity: 1, queueTime: .seconds(1)))
    let outcomes = try await exact.trial(of: Candidate(named: "none"), under: "unlimited", seed: 0).requests
      .flatMap(\.attempts).map(\.outcome)
    #expect(outcomes.sorted() == ["200", "200", "503", "503"])
  }

  @Test func `each custom client needs its own host name; a shared name is an error`() async throws {
    func report(clients: Int, host: @escaping @Sendable (String) -> String) async throws -> RetryReport {
      let benchmark = try RetryBenchmark(
        profiles: ["wifi"], seeds: 0..<1, workload: Workload(clients: clients))
      return try await benchmark.run([
        Candidate("ours") { network, request in
          let url = try #require(URL(string: "http://\(host(request.url?.host ?? ""))/v1/status"))
          let (_, response) = try await network.data(from: url)
          if (response as? HTTPURLResponse)?.statusCode != 200 { throw URLError(.badServerResponse) }
        }
      ])
    }
    for host in [{ $0 }, { "api.\($0)" }] as [@Sendable (String) -> String] {
      let report = try await report(clients: 4, host: host)
      #expect(report.results[0].success.successes == 4)
    }
    // A single client shares its host name with no other client.
    #expect(try await report(clients: 1) { _ in "api.example.com" }.results[0].success.successes == 1)
    let error = await #expect(throws: RetryBenchmarkError.self) {
      try await report(clients: 4) { _ in "api.example.com" }
    }
    #expect(
      error.map { "\($0)" }?.hasPrefix(
        "This cannot be run: the 4 clients of ours all ask the host \"api.example.com\", so they share") == true)
  }

  @Test func `a custom client that cannot decode the answers is left out of the report, with its error`() async throws {
    struct Feed: Decodable {}
    struct Late: Error {}
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<3)
    let decodes = Candidate("decodes") { network, request in
      let (data, _) = try await network.data(for: request)
      _ = try JSONDecoder().decode(Feed.self, from: data)
    }
    // Succeeds under one seed, so that it can read the answers.
    let late = Candidate("late") { network, request in
      _ = try await network.data(for: request)
      if network.seed != 1 { throw Late() }
    }
    let unreached = Candidate("unreached") { _, _ in throw Late() }
    let report = try await benchmark.run([Candidate(named: "none"), decodes, late, unreached])
    #expect(report.policies == ["none", "late", "unreached"] && report["wifi", "late"]?.success.successes == 1)
    let reason =
      "This cannot be run: no request of decodes succeeds: the client throws after a good answer (DecodingError: "
    #expect(report.leftOut.map(\.policy) == ["decodes"])
    #expect(report.leftOut.first?.reason.hasPrefix(reason) == true, "\(report.leftOut)")
    #expect(report.leftOut.first?.reason.contains("answers with 2 kB of zeros: give the body") == true)
    let error = await #expect(throws: RetryBenchmarkError.self) { try await benchmark.run([decodes]) }
    #expect(error.map { "\($0)" } == report.leftOut.first?.reason)
  }

  @Test func `the workload's response body reaches a custom client as JSON`() async throws {
    struct Feed: Codable { var items: [Int] }
    let body = try JSONEncoder().encode(Feed(items: [1, 2]))
    let workload = Workload(responseBytes: 7, responseBody: body)
    #expect(workload.responseBytes == body.count)
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<3, workload: workload)
    let report = try await benchmark.run([
      Candidate("decodes") { network, request in
        let (data, response) = try await network.session.data(for: request)
        #expect(response.mimeType == "application/json")
        #expect(try JSONDecoder().decode(Feed.self, from: data).items == [1, 2])
      }
    ])
    #expect(report["wifi", "decodes"]?.success.rate == 1)
    #expect(try RetryReport(json: report.json()) == report)
  }

  @Test func `open-loop requests of one client share a connection, and each counts its own attempts`()
    async throws
  {
    let workload = Workload(requestsPerClient: 3, every: .seconds(2))
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1, workload: workload)
    /// Keeps a client's session, which is created at first use.
    final class Kept: Sendable {
      private let session = Mutex<URLSession?>(nil)
      func session(_ network: SimulatedNetwork) -> URLSession {
        session.withLock { kept in
          let session = kept ?? network.session
          kept = session
          return session
        }
      }
    }
    let candidates = [
      try Candidate(named: "none"), Candidate("ours") { _ = try await $0.data(for: $1) },
      Candidate("session", sharing: { Kept() }, by: .process(of: 1)) { network, request, kept in
        _ = try await kept.session(network).data(for: request)
      },
    ]
    for candidate in candidates {
      let trial = try await benchmark.trial(of: candidate, under: "wifi", seed: 0)
      #expect(trial.requests.map { $0.attempts.count } == [1, 1, 1], "\(candidate.name)")
      let took = trial.requests.map { $0.end - $0.start }
      // The first request opens the connection that the others use.
      #expect(took[0] > took[1] && took[1] == took[2], "\(candidate.name): \(took)")
    }
  }

  @Test func `the merged reports of shards equal the report of the whole run, byte for byte`() async throws {
    var benchmark = try RetryBenchmark(profiles: ["tunnel"], seeds: 5..<36)
    let whole = try await benchmark.run(["none", "full-jitter"])
    var parts: [RetryReport] = []
    for index in [2, 0, 1] {
      benchmark.shard = (index, 3)
      parts.append(try RetryReport(json: try await benchmark.run(["none", "full-jitter"]).json()))
    }
    #expect(try RetryReport.merging(parts).json() == whole.json())
    #expect(try RetryReport.merging(Array(parts.prefix(2))).parts.map(\.index) == [0, 2])
  }

  @Test func `a benchmark refuses an empty list of profiles, and a profile or a policy given twice`() async throws {
    func refuses(_ profiles: [String], _ reason: String) {
      #expect(throws: RetryBenchmarkError.impossible(reason)) { try RetryBenchmark(profiles: profiles, seeds: 0..<1) }
    }
    refuses([], "no profile: name at least one")
    refuses(["3G", "wifi", "3G"], #"the profile "3G" is given twice: give each its own name"#)
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1)
    let reason = #"the policy "none" is given twice: give each its own name"#
    await #expect(throws: RetryBenchmarkError.impossible(reason)) { try await benchmark.run(["none", "none"]) }
  }

  @Test func `merging refuses the same shard twice and shards of different runs`() async throws {
    var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<4)
    benchmark.shard = (0, 2)
    let part = try await benchmark.run(["none"])
    #expect(throws: RetryBenchmarkError.unlike("shard 1/2 is given twice")) { try RetryReport.merging([part, part]) }
    var other = try RetryBenchmark(profiles: ["3G"], seeds: 0..<6)
    other.shard = (1, 2)
    let stranger = try await other.run(["none"])
    #expect(throws: RetryBenchmarkError.self) { try RetryReport.merging([part, stranger]) }
  }

  @Test func `an overloaded server answers some requests with 503, and retries raise the successes`() async throws {
    let server = ServerModel(serviceTime: .milliseconds(100), capacity: 2, queueLength: 2)
    let report = try await RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<5, workload: Workload(clients: 20), server: server
    ).run(["none", "full-jitter"])
    let none = try #require(report["wifi", "none"])
    let jitter = try #require(report["wifi", "full-jitter"])
    // Of twenty simultaneous requests, the server works on two, and two wait in the queue.
    #expect(none.success.successes < 5 * 8)
    #expect(none.outcomes["503"] != nil)
    #expect(jitter.success.successes > none.success.successes)
    #expect(try #require(jitter.amplification) > 1.5)
  }

  @Test func `a benchmark counts the successes and attempts of a custom client`() async throws {
    let server = ServerModel(outages: [.zero..<(.seconds(3))])
    let own = Candidate("own") { network, request in
      for attempt in 0..<4 {
        let (_, response) = try await network.session.data(for: request)
        if (response as? HTTPURLResponse)?.statusCode == 200 { return }
        try await network.clock.sleep(for: .seconds(1 << attempt))
      }
      throw URLError(.timedOut)
    }
    let report = try await RetryBenchmark(profiles: ["wifi"], seeds: 0..<6, server: server).run([own])
    let metrics = try #require(report["wifi", "own"])
    #expect(metrics.success.successes == 6)
    #expect(metrics.amplification == 3)
  }

  @Test func `a cancelled run returns a partial report with the finished trials`() async throws {
    let benchmark = try RetryBenchmark(profiles: ["flaky"], seeds: 0..<20_000)
    let (ticks, continuation) = AsyncStream.makeStream(of: Int.self)
    let run = Task { try await benchmark.run(["none", "full-jitter"]) { done, _ in continuation.yield(done) } }
    for await done in ticks where done >= 20 { break }
    run.cancel()
    let partial = try await run.value
    #expect(partial.isPartial)
    let seeds = try #require(partial["flaky", "full-jitter"]?.trials.map(\.seed))
    #expect(seeds.count >= 8 && seeds.count < 20_000)
    let last = try #require(seeds.last)
    let whole = try await RetryBenchmark(profiles: ["flaky"], seeds: 0..<last + 1).run(["full-jitter"])
    let all = try #require(whole["flaky", "full-jitter"]?.trials)
    // Trials under way at the cancellation are left out, not counted as failed.
    #expect(partial["flaky", "full-jitter"]?.trials == all.filter { seeds.contains($0.seed) })
  }

  @Test func `a policy that never stops retrying fails the run with an error that names the trial`() async throws {
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 4..<6, server: ServerModel(outages: [.zero..<(.longest)]))
    let policies: [any RetryPolicy] = [
      ImmediateRetry().maximumAttempts(nil), FixedBackoff(delay: .seconds(60)).maximumAttempts(nil),
    ]
    for policy in policies {
      let endless = Candidate("endless") { policy }
      let error = await #expect(throws: RetryBenchmarkError.self) { try await benchmark.run([endless]) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.hasPrefix("The trial wifi/endless/"), "\(text)")
      #expect(text.contains("the limit is 1100 requests") || text.contains("the limit is 1 h"), "\(text)")
      #expect(text.contains("NETCOND_REPLAY=netcond1:"))
      // The error does not name limits that a benchmark's user cannot set.
      #expect(text.contains("attempts or a deadline") && !text.contains("NetworkOptions"), "\(text)")
    }
  }

  @Test func `unknown profiles or policies, no seeds, no clients and bad shards throw an error`() async throws {
    #expect(throws: (any Error).self) { try RetryBenchmark(profiles: ["tunel"], seeds: 0..<1) }
    #expect(throws: RetryBenchmarkError.self) { try RetryBenchmark(profiles: ["3G"], seeds: 0..<0) }
    for limits in [Workload(deadline: .seconds(40_000_000)), Workload(perTry: .seconds(40_000_000))] {
      #expect(throws: RetryBenchmarkError.self) { try RetryBenchmark(profiles: ["3G"], seeds: 0..<1, workload: limits) }
    }
    #expect(throws: RetryBenchmarkError.self) {
      try RetryBenchmark(profiles: ["3G"], seeds: 0..<1, workload: Workload(clients: 0))
    }
    var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<1)
    benchmark.shard = (4, 4)
    await #expect(throws: RetryBenchmarkError.self) { try await benchmark.run(["none"]) }
    benchmark.shard = (0, 1)
    let error = await #expect(throws: RetryError.self) { try await benchmark.run(["ful-jitter"]) }
    #expect(error.map { "\($0)" }?.contains("full-jitter") == true)
  }
}

/// Tests reports with wrong contents, and custom clients and loaders that retry by the network's clock.
struct ReportGateTests {
  private static let part: String = """
    {"isPartial":false,"leftOut":[],"parts":[{"count":2,"index":0}],"results":[{"attempts":[[1,2]],"denials":0,"hedges":0,\
    "load":{"attempts":[[0,2]],"attemptsInOutages":0,"peak":1,"requests":[[0,2]],"successes":[[0,2]]},\
    "outageLoad":{"attempts":[],"longest":0,"outages":0,\
    "requests":[]},"outcomes":{"200":2},"policy":"none","profile":"3G","recovery":{"neverRecovered":0,\
    "toDrained":{"bins":[[431,1]],"count":1,"greatest":700,"least":700,"sum":"700"},\
    "toSuccess":{"bins":[],"count":0,"sum":"0"}},\
    "synchronisation":{"greatestMillionths":0,"millionths":0,"trials":0},\
    "traffic":{"received":9,"sent":9,"wastedReceived":0,"wastedSent":0},\
    "trials":[{"answers":[[431,1]],"attempts":1,"busiest":1,"bytes":9,"failures":[],"radio":700,"repeatedEffects":0,"unreportedEffects":0,\
    "recoveryAttempts":0,"recoveryTime":0,"requests":1,"seed":0,"successes":1,"waited":700,"wastedBytes":0},\
    {"answers":[[431,1]],"attempts":1,"busiest":1,"bytes":9,"failures":[],"radio":700,"repeatedEffects":0,"unreportedEffects":0,\
    "recoveryAttempts":0,"recoveryTime":0,"requests":1,"seed":2,"successes":1,"waited":700,"wastedBytes":0}],\
    "version":5,"violations":{"deadlines":0,\
    "duplicateEffects":0,"pointlessRetries":0,"retryAfter":0}}],"seeds":[0,4],"server":{"outages":[],\
    "overload":{"reject":{"status":503}},"queueLength":0,"serviceTime":{"constant":{"_0":20000000}},"brownOuts":[]},"version":5,\
    "workload":{"arrival":{"together":{}},"clients":1,"method":"GET","requestBytes":0,"requestsPerClient":1,\
    "responseBytes":2000,"think":{"constant":{"_0":0}}}}
    """

  private func problem(_ text: String) -> String? {
    do {
      let report = try RetryReport(json: Data(text.utf8))
      // Every accepted report can be merged with its other shard, and printed.
      let other = try RetryReport(
        json: Data(
          Self.part.replacing("\"index\":0", with: "\"index\":1").replacing("\"seed\":0", with: "\"seed\":1")
            .replacing("\"seed\":2", with: "\"seed\":3").utf8))
      let whole = (try? RetryReport.merging([report, other])) ?? report
      _ = try (whole.json(), CSVReport(whole).text, HTMLReport(whole).text, whole.profiles.map(whole.headline))
      return nil
    } catch {
      return (error as? ProfileError)?.sentence ?? "\(error)"
    }
  }

  @Test func `a report of an outage or a wait of a year can be read`() {
    #expect(problem(Self.part.replacing("\"longest\":0", with: "\"longest\":31536000000000000")) == nil)
    let wait = Self.part.replacing(
      "[431,1]],\"count\":1,\"greatest\":700,\"least\":700,\"sum\":\"700\"",
      with: """
        [\(QuantileSketch.bin(of: .seconds(31_536_000))),1]],"count":1,"greatest":31536000000000000,\
        "least":31536000000000000,"sum":"31536000000000000"
        """)
    #expect(wait != Self.part && problem(wait) == nil)
  }

  @Test func `merged shards give the same reason for a left-out candidate in any order`() throws {
    let parts = try zip(["b", "a"], [0, 1]).map { reason, index in
      let text = Self.part.replacing(
        "\"leftOut\":[]",
        with: """
          "leftOut":[{"isWaiting":false,"policy":"x","profile":"3G","reason":"\(reason)"}]
          """
      )
      .replacing("\"index\":0", with: "\"index\":\(index)").replacing("\"seed\":0", with: "\"seed\":\(index)")
      .replacing("\"seed\":2", with: "\"seed\":\(2 + index)")
      return try RetryReport(json: Data(text.utf8))
    }
    let whole = try RetryReport.merging(parts)
    #expect(whole.leftOut.map(\.reason) == ["a"])
    #expect(try RetryReport.merging(parts.reversed()).json() == whole.json())
  }

  @Test func `a report with an impossibly large number is refused, with the number's path`() {
    #expect(problem(Self.part) == nil)
    func problemOfPeak(_ number: String) -> String? {
      problem(Self.part.replacing("\"peak\":1", with: "\"peak\":\(number)"))
    }
    for number in ["9223372036854775807", "9007199254740993", "-9007199254740993"] {
      #expect(
        problemOfPeak(number)
          == "report: results[0].load.peak: \(number) is not a count of any run; counts are from -2^53 to 2^53")
    }
    #expect(problemOfPeak("9007199254740992")?.contains("counts are from") != true)
  }

  @Test(arguments: [
    ("[1,2,3]", "report: a list is not an object in braces"), ("{}", "report: the key \"version\" is missing"),
    ("", "report: line 1, column 1: the document ends where a value should be"),
    (
      part.replacing("\"hedges\":0", with: "\"hedges\":\"x\""),
      "report: results[0].hedges: \"x\" is not a whole number"
    ),
    (part.replacing("\"hedges\":0,", with: ""), "report: results[0]: the key \"hedges\" is missing"),
    (
      part.replacing("\"hedges\":0", with: "\"hedges\":[\(String(repeating: "1,", count: 10_000))1]"),
      "report: results[0].hedges: is a list of more than 10000 numbers and strings; no such file has one"
    ),
  ])
  func `text that is not a report is refused with an error that names the place and the problem`(
    text: String, message: String
  ) {
    #expect(problem(text) == message)
  }

  @Test(arguments: [
    ("\"hedges\":0", "\"hedges\":-1"), ("\"hedges\":0", "\"hedges\":3"), ("\"denials\":0", "\"denials\":3"),
    ("\"successes\":1,", "\"successes\":2,"), ("\"requests\":1", "\"requests\":2"),
    ("\"least\":700", "\"least\":-700"), ("\"sum\":\"700\"", "\"sum\":\"9\""), ("\"waited\":700", "\"waited\":-1"),
    ("\"bytes\":9", "\"bytes\":8"), ("\"seed\":2", "\"seed\":0"), ("\"seed\":2", "\"seed\":1"),
    ("\"seed\":2", "\"seed\":4"), ("{\"200\":2}", "{\"200\":3}"), ("\"busiest\":1", "\"busiest\":2"),
    ("\"wastedBytes\":0", "\"wastedBytes\":10"), ("\"answers\":[[431,1]]", "\"answers\":[[7296,1]]"),
    ("\"count\":2,\"index\"", "\"count\":0,\"index\""),
    ("\"seeds\":[0,4]", "\"seeds\":[-9223372036854775808,4]"), ("\"clients\":1", "\"clients\":-1"),
    ("[[1,2]]", "[[1,9007199254740992],[2,9007199254740992],[3,9007199254740992]]"),
  ])
  func `a report whose numbers contradict each other is refused`(_ right: String, _ wrong: String) {
    #expect(problem(Self.part.replacing(right, with: wrong, maxReplacements: 1)) != nil)
  }

  @Test func `a report in which one trial wasted more bytes than it sent is refused, even if the sums agree`() {
    // The first of the two trials has 9 of the 18 bytes, and wasted 10.
    let wasted = Self.part.replacing("\"wastedBytes\":0", with: "\"wastedBytes\":10", maxReplacements: 1)
      .replacing("\"wastedReceived\":0,\"wastedSent\":0", with: "\"wastedReceived\":9,\"wastedSent\":1")
    #expect(problem(wasted)?.hasSuffix("seed 0 of \"none\": it wasted 10 of 9 bytes") == true)
  }

  @Test func `a report with randomly changed numbers is refused, or can be merged and shown`() {
    let seed = Array(Self.part.utf8)
    let tokens = [
      "9223372036854775807", "-9223372036854775808", "-1", "1e400", "9007199254740992", "0", "99999999999999999999",
      "[[1,1]]",
    ]
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let numbers = seed.indices.filter { digits.contains(seed[$0]) && !digits.contains(seed[$0 - 1]) }
    var accepted = 0
    let inputs = Thoroughness.cases(400, of: 0..<2_000)
    for number in inputs {
      var random = RetryRandom(seed: UInt64(number))
      var bytes = seed
      for place in [numbers.randomElement(using: &random), numbers.randomElement(using: &random)].compactMap(\.self)
        .sorted(by: >)
      where place < bytes.count {
        let end = bytes[place...].firstIndex { !digits.contains($0) } ?? bytes.count
        let new =
          Bool.random(using: &random)
          ? tokens.randomElement(using: &random)! : "\(UInt64.random(in: 0..<100, using: &random))"
        bytes.replaceSubrange(place..<end, with: new.utf8)
      }
      if problem(String(decoding: bytes, as: UTF8.self)) == nil { accepted += 1 }
    }
    // If none or all were accepted, the test would prove nothing.
    #expect((inputs.count / 40..<inputs.count * 3 / 4).contains(accepted), "\(accepted)")
  }

  @Test func `a network and its session can both load a request with a retry policy`() async throws {
    let run = try await Simulation("wifi", seed: 1) { network in
      let request = URLRequest(url: URL(string: "https://api.example.com/")!)
      let clock = RetryClock(network.clock, origin: .zero)
      network.stub("/", with: .sequence([.status(503), .status(204), .status(503), .status(204)]))
      for loader in [network, network.session] as [any HTTPLoader] {
        let (_, response) = try await loader.data(for: request, retry: FullJitterBackoff(), clock: clock)
        #expect((response as? HTTPURLResponse)?.statusCode == 204)
      }
    }
    #expect(run.timeline.transfers.map(\.status) == [503, 204, 503, 204])
  }

  @Test func `a retry uses the network's clock in a session, a network or a custom loader`()
    async throws
  {
    let run = try await Simulation("unlimited", seed: 1) { network in
      let request = URLRequest(url: URL(string: "https://api.example.com/")!)
      network.stub("/", with: .sequence(Array(repeating: [.status(503), .status(204)], count: 4).flatMap { $0 }))
      let around = RequestLoader { try await network.session.data(for: $0) }
      var ends: [Duration] = []
      for loader in [network, network.session, around] as [any HTTPLoader] {
        _ = try await loader.data(for: request, retry: FixedBackoff(delay: .seconds(60)))
        ends.append(SimulatedInstant.zero.duration(to: network.now))
      }
      _ = try await network.session.data(
        for: request, retry: FixedBackoff(delay: .seconds(60)), clock: RetryClock(network.clock, origin: .zero))
      return ends + [SimulatedInstant.zero.duration(to: network.now)]
    }
    #expect(run.value == [.seconds(60), .seconds(120), .seconds(180), .seconds(240)])
  }

  @Test func `outside a simulation, a retry on a network with immediate pace uses the network's clock`() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    network.stub("/", with: .sequence([.status(503), .status(204)]))
    let request = URLRequest(url: try #require(URL(string: "https://api.example.com/")))
    _ = try await network.session.data(for: request, retry: FixedBackoff(delay: .seconds(3_000)))
    #expect(network.now == .zero.advanced(by: .seconds(3_000)))
  }

  @Test func `a benchmark finishes all trials of a custom client that retries through its session`() async throws {
    let benchmark = try RetryBenchmark(
      profiles: ["3G"], seeds: 0..<20, server: ServerModel(outages: [.zero..<(.seconds(30))]))
    let client = Candidate("session") { network, request in
      _ = try await network.session.data(for: request, retry: FixedBackoff(delay: .seconds(10)))
    }
    let report = try await benchmark.run([client])
    #expect(report.results.first?.trials.count == 20)
    // The server is down for 30 s, so three tries at 0, 10 and 20 s get a 503.
    let trial = try await benchmark.trial(of: client, under: "3G", seed: 1)
    #expect(trial.requests.map { $0.attempts.map(\.outcome) } == [["503", "503", "503"]])
  }

  #if os(Linux)
    @Test(.enabled(if: CaptureMode.obstacle == nil)) func `a task sleep in a custom client takes virtual time`()
      async throws
    {
      let took = Mutex(Duration.zero)
      let client = Candidate("patient") { network, request in
        let start = network.now
        try await Task.sleep(for: .seconds(7))
        took.withLock { $0 = start.duration(to: network.now) }
        _ = try await network.session.data(for: request)
      }
      _ = try await RetryBenchmark(profiles: ["unlimited"], seeds: 0..<1).run([client])
      #expect(took.withLock { $0 } == .seconds(7))
    }
  #endif

  @Test func `a benchmark refuses server and arrival times that are longer than a year`() {
    for (server, workload) in [
      (ServerModel(serviceTime: .seconds(Int64.max)), Workload()),
      (ServerModel(overload: .reject(status: 503, retryAfter: .seconds(Int64.max))), Workload()),
      (ServerModel(outages: [.zero..<(.seconds(Int64.max))]), Workload()),
      (ServerModel(), Workload(arrival: .poisson(over: .seconds(Int64.max)))),
    ] {
      #expect(throws: RetryBenchmarkError.self) {
        try RetryBenchmark(profiles: ["3G"], seeds: 0..<2, workload: workload, server: server)
      }
    }
  }
}
