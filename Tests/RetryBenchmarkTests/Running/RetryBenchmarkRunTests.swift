import Foundation
import NetworkConditions
import RetryBenchmark
import RetryPolicies
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct RetryBenchmarkRunTests {
  @Test func `without adversity each request is one attempt and succeeds`() async throws {
    let report = try await RetryBenchmark(profiles: ["3G"], seeds: 0..<20).run(["none", "full-jitter"])
    for policy in ["none", "full-jitter"] {
      let metrics = try #require(report["3G", policy])
      #expect(metrics.success.successes == 20)
      #expect(metrics.amplification == 1)
    }
  }

  @Test func `the number of workers changes nothing`() async throws {
    var benchmark = try RetryBenchmark(
      profiles: ["tunnel", "flaky"], seeds: 0..<24,
      workload: Workload(clients: 3, arrival: .poisson(over: 2_000_000_000)))
    benchmark.workers = 1
    let one = try await benchmark.run(["none", "exponential", "full-jitter", "hedging"]).json()
    benchmark.workers = 4
    let four = try await benchmark.run(["none", "exponential", "full-jitter", "hedging"]).json()
    #expect(one == four)
  }

  @Test func `shares merged equal the whole, byte for byte`() async throws {
    var benchmark = try RetryBenchmark(profiles: ["tunnel"], seeds: 5..<36)
    let whole = try await benchmark.run(["none", "full-jitter"])
    var parts: [RetryReport] = []
    for index in [2, 0, 1] {
      benchmark.shard = (index, 3)
      parts.append(try RetryReport(json: try await benchmark.run(["none", "full-jitter"]).json()))
    }
    #expect(try RetryReport.merging(parts).json() == whole.json())
  }

  @Test func `parts of different runs are not merged`() async throws {
    var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<4)
    benchmark.shard = (0, 2)
    let part = try await benchmark.run(["none"])
    #expect(throws: RetryBenchmarkError.unlike("share 1/2 is there twice")) { try RetryReport.merging([part, part]) }
    var other = try RetryBenchmark(profiles: ["3G"], seeds: 0..<6)
    other.shard = (1, 2)
    let stranger = try await other.run(["none"])
    #expect(throws: RetryBenchmarkError.self) { try RetryReport.merging([part, stranger]) }
  }

  @Test func `a server that is overloaded turns clients away, and retries bring more of them through`() async throws {
    let server = ServerModel(serviceTime: .milliseconds(100), capacity: 2, queueLength: 2)
    let report = try await RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<5, workload: Workload(clients: 20), server: server
    ).run(["none", "full-jitter"])
    let none = try #require(report["wifi", "none"])
    let jitter = try #require(report["wifi", "full-jitter"])
    // Two at work and two in the queue, of twenty that come at once.
    #expect(none.success.successes < 5 * 8)
    #expect(none.outcomes["503"] != nil)
    #expect(jitter.success.successes > none.success.successes)
    #expect(try #require(jitter.amplification) > 1.5)
  }

  @Test func `a client of one's own is benchmarked, with the attempts that the network saw`() async throws {
    let server = ServerModel(outages: [0..<3_000_000_000])
    let own = Contender("own") { network, request in
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

  @Test func `a run that is cancelled keeps the trials that were done, and says so`() async throws {
    let benchmark = try RetryBenchmark(profiles: ["flaky"], seeds: 0..<20_000)
    let (ticks, continuation) = AsyncStream.makeStream(of: Int.self)
    let run = Task { try await benchmark.run(["none", "full-jitter"]) { done, _ in continuation.yield(done) } }
    for await done in ticks where done >= 20 { break }
    run.cancel()
    let partial = try await run.value
    #expect(partial.isPartial)
    let seeds = try #require(partial["flaky", "full-jitter"]?.trials.map(\.seed))
    #expect(seeds.count >= 8 && seeds.count < 20_000)
    let last = Int(try #require(seeds.last))
    let whole = try await RetryBenchmark(profiles: ["flaky"], seeds: 0..<last + 1).run(["full-jitter"])
    let all = try #require(whole["flaky", "full-jitter"]?.trials)
    // What was under way when it was cancelled is left out rather than counted as failed.
    #expect(partial["flaky", "full-jitter"]?.trials == all.filter { seeds.contains($0.seed) })
  }

  @Test func `what cannot be run is one clear error`() async throws {
    #expect(throws: (any Error).self) { try RetryBenchmark(profiles: ["tunel"], seeds: 0..<1) }
    #expect(throws: RetryBenchmarkError.self) { try RetryBenchmark(profiles: ["3G"], seeds: 0..<0) }
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
