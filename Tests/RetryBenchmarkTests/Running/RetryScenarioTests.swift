@testable import RetryBenchmark
import Internals
import NetworkConditions
import RetryPolicies
import Testing
import URLLoading

struct RetryScenarioTests {
  @Test(arguments: RetryScenario.all.map(\.name))
  func `every scenario can be run, and its policies have different names`(name: String) async throws {
    let scenario = try #require(RetryScenario.all.first { $0.name == name })
    let candidates = try scenario.candidates()
    #expect(Set(candidates.map(\.name)).count == candidates.count && candidates.count > 1)
    #expect(try RetryBenchmark(scenario).seeds == 0..<UInt64(scenario.seedCount))
    var small = scenario
    small.workload.clients = min(4, small.workload.clients)
    let report = try await RetryBenchmark(small, seeds: 0..<1).run(candidates)
    #expect(report.profiles == scenario.profiles && report.policies == candidates.map(\.name))
    #expect(report.workload == small.workload && report.server == scenario.server)
  }

  @Test func `the policy names of scenarios are unique and differ from the catalogue's names`() {
    let names = RetryScenario.named.map(\.name)
    #expect(Set(names).count == names.count && names.contains("patient"))
    #expect(Set(names).isDisjoint(with: RetryPolicyCatalogue.entries.map(\.name)))
  }

  @Test func `a server processes every request that reaches it, even if the client times out`() async throws {
    // Attempts time out after 3 s, but the server takes 10 s: it processes each payment three times, without an answer.
    let workload = Workload(method: "POST", requestBytes: 2_000)
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<6, workload: workload, server: ServerModel(serviceTime: .seconds(10)))
    let report = try await benchmark.run(["immediate(attempts 3) + per-try(3 s) + any-method"])
    let metrics = try #require(report.results.first)
    #expect(metrics.success.successes == 0 && metrics.violations.duplicateEffects == 12)
    #expect(metrics.repeatedEffects == 6 && metrics.estimate(of: .unreportedEffects)?.value == 1)
  }

  // Without latency the second attempt comes exactly 3 s after the first.
  @Test(arguments: [("wifi", nil, 3, 0), ("wifi", 4, 1, 1), ("wifi", 2, 3, 0), ("unlimited", 3, 3, 0)])
  func `a server with idempotency keys processes a request once while it remembers the key`(
    profile: String, memory: Int64?, effects: Int, successes: Int
  ) async throws {
    // Attempts begin at 0, 3 and 6 s; the server finishes the first after 5 s, and answers the second with its result.
    let server = ServerModel(serviceTime: .seconds(5), keyMemory: memory.map { .seconds($0) })
    let benchmark = try RetryBenchmark(
      profiles: [profile], seeds: 0..<1, workload: Workload(method: "POST", requestBytes: 2_000), server: server)
    let plan = "immediate(attempts 3) + per-try(3 s) + idempotency-key"
    let trial = try await benchmark.trial(of: Candidate(named: plan), under: profile, seed: 0)
    #expect(trial.requests[0].attempts.count { $0.wasProcessed } == effects)
    #expect(trial.requests.count { $0.isSuccess } == successes)
    // A request without a key is carried out each time.
    let plain = try await benchmark.trial(
      of: Candidate(named: plan.replacing("idempotency-key", with: "any-method")), under: profile, seed: 0)
    #expect(plain.requests[0].attempts.count { $0.wasProcessed } == 3)
  }

  @Test func `after a brown-out the headline names policies that recover, and figures show success over time`()
    async throws
  {
    var scenario = RetryScenario.overload
    (scenario.workload.clients, scenario.workload.requestsPerClient) = (12, 20)
    scenario.server.serviceTime = .exponential(mean: .milliseconds(60))
    let candidates = try scenario.candidates()
    let report = try await RetryBenchmark(scenario, seeds: 0..<2).run([candidates[0], candidates[1]])
    let headline = report.headline(of: "wifi")
    #expect(headline.contains(" After the server was slow, it recovers in "), "\(headline)")
    #expect(headline.hasSuffix(" s with none; not at all with immediate."), "\(headline)")
    let figures = report.figures(of: "wifi")
    // Requests during the slow seconds fail, and later ones do not.
    let alone = figures[0].successOverTime
    #expect(alone.contains { $0.share < 0.9 } && alone.last?.share ?? 0 > 0.9, "\(alone)")
    let course = figures[1].successOverTime
    #expect(course.first.map { $0.seconds.lowerBound == 0 && $0.share > 0 } ?? false)
    #expect(course.dropFirst().first?.share ?? 1 < 0.05, "\(course)")
    let lines = RetryTable(report: report, showsAll: true).lines(width: 100, style: .none)
    let begun = try #require(lines.firstIndex { $0.hasPrefix("begun from ") })
    let heads = lines[begun].split(separator: " ", omittingEmptySubsequences: true).filter { Int($0) != nil }.map(
      String.init)
    #expect(heads == alone.map { "\($0.seconds.lowerBound)" }, "\(lines[begun])")
    let page = HTMLReport(report).text
    #expect(page.contains("Succeeded, of the requests begun from then on"))
  }

  @Test func `a policy with double payments is never called best, and the headline counts them`() async throws {
    var scenario = RetryScenario.payment
    scenario.profiles = ["flaky"]
    let report = try await RetryBenchmark(scenario, seeds: 0..<200).run(scenario.candidates())
    let (anyway, none) = (try #require(report["flaky", "anyway"]), try #require(report["flaky", "none"]))
    #expect(anyway.success.successes > none.success.successes && anyway.repeatedEffects > 0)
    let headline = report.headline(of: "flaky")
    #expect(!headline.contains("anyway does best"), "\(headline)")
    let share = anyway.repeatedEffects * 1_000 / 200
    #expect(
      headline.contains("anyway cannot be best: the server carries out \(share) of 1,000 requests twice or more (")
        && headline.contains("as if an order were paid twice."), "\(headline)")
    // With a key each payment is made once, and its caller learns it. Without a key some are reported as failed.
    let keyed = try #require(report["flaky", "keyed"])
    #expect(keyed.repeatedEffects == 0 && keyed.success.successes > none.success.successes)
    #expect(headline.hasPrefix("Under flaky, keyed does best: "), "\(headline)")
    // Wilson's upper end for none of 200: 1.96^2 / (200 + 1.96^2), a little more by Student's distribution.
    #expect(
      headline.contains(
        " With keyed the server carries out 0 of 200 requests twice; up to 19.1 of 1,000 are not ruled out. "),
      "\(headline)")
    let unknown = try #require(none.estimate(of: .unreportedEffects)?.value) * 1_000
    #expect(
      headline.hasSuffix(" That is as if an order were paid and then called off.")
        && headline.contains(
          " Some requests fail for the caller although the server carries them out: \(Int(unknown)) of 1,000 ("),
      "\(headline)")
    // The sentence appears even without other policies.
    let alone = try await RetryBenchmark(scenario, seeds: 0..<200).run([scenario.candidates()[2]])
    #expect(alone.headline(of: "flaky").contains("With anyway the server carries out \(share) of 1,000"))
  }

  @Test func `a baseline check fails on double payments where the baseline has none`() async throws {
    var payment = RetryScenario.payment
    payment.profiles = ["flaky"]
    var benchmark = try RetryBenchmark(payment, seeds: 0..<100)
    benchmark.workers = 2
    func run(_ plan: String) async throws -> RetryReport {
      try await benchmark.run([Candidate(name: "ours", plan: RetryPolicyPlan(plan))])
    }
    let (before, after) = (
      try await run("full-jitter(attempts 4)"), try await run("full-jitter(attempts 4) + any-method")
    )
    let comparison = try RetryComparison(after, to: before)
    let repeats = try #require(comparison.checks.first { $0.figure == .repeated })
    #expect(repeats.outcome == .worse && comparison.worse.contains(repeats), "\(comparison)")
    #expect(repeats.text.hasPrefix("requests carried out twice 0 -> "))
    // A hundred payments are too few to notice twice the failures. Four figures are estimated, and one side of each fails.
    let same = try RetryComparison(before, to: before)
    let power = try #require(same.power)
    let (failing, deviations) = (1 - (before.results[0].success.rate ?? 0), 2.2414)
    let spread = failing * (1 - failing) + 2 * failing * (1 - 2 * failing)
    let needed = (deviations + 1.2816) * (deviations + 1.2816) * spread / (failing * failing)
    #expect(power.failing == failing && power.raised == 2 * failing && power.seeds == 100)
    #expect(abs(Double(power.seedsNeeded) / needed - 1) < 0.03, "\(same)")
    let distance = failing * 10 / spread.squareRoot() - deviations
    #expect(abs(power.chance - erfc(-distance / 2.0.squareRoot()) / 2) < 0.01, "\(same)")
    let text = "\(same)"
    #expect(
      text.hasPrefix(
        "Nothing is worse or better than the baseline, beyond noise.\nWith 100 seeds a rise of failures from ")
        && text.contains(" of 100 runs; with about ") && text.contains(" seeds, in 90 of 100."), "\(same)")
    let reverse = try RetryComparison(before, to: after)
    #expect(reverse.checks.first { $0.figure == .repeated }?.outcome == .better)
    #expect(try RetryComparison(before, to: before).checks.first { $0.figure == .repeated }?.outcome == .same)
  }
}

/// Requests under the continuous clock, which a capture runs in virtual time.
struct DeafLoaderTests {
  /// A loader that answers after 3 s and ignores cancellation.
  private static let deaf = RequestLoader { request in
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 3) { continuation.resume() }
    }
    return (Data(), HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!)
  }

  private static func time(_ policy: any RetryPolicy, cancelAfter: Duration? = nil) async throws -> (
    Duration, URLError.Code?
  ) {
    try await Simulation("wifi") { _ in
      let request = URLRequest(url: URL(string: "https://example.com/")!)
      let clock = ContinuousClock()
      let start = clock.now
      let task = Task { () -> URLError.Code? in
        do {
          _ = try await deaf.data(for: request, retry: AnyPolicy(base: policy), clock: .continuous)
          return nil
        } catch let error as URLError { return error.code }
      }
      if let cancelAfter {
        try await clock.sleep(for: cancelAfter)
        task.cancel()
      }
      let code = try await task.value
      let time = start.duration(to: clock.now)
      // The late result of the loader is dropped.
      try await clock.sleep(for: .seconds(10))
      return (time, code)
    }.value
  }

  private struct AnyPolicy: WrappingPolicy {
    let base: any RetryPolicy
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `deadlines, per-try timeouts and cancellation work with a loader that ignores cancellation`()
    async throws
  {
    let (time, code) = try await Self.time(ImmediateRetry().deadline(.milliseconds(300)))
    #expect(time == .milliseconds(300) && code == .timedOut)
    let (tries, last) = try await Self.time(ImmediateRetry().perTryTimeout(.milliseconds(100)))
    #expect(tries == .milliseconds(300) && last == .timedOut)
    let (cancelled, why) = try await Self.time(ImmediateRetry().deadline(.seconds(2)), cancelAfter: .milliseconds(50))
    #expect(cancelled == .milliseconds(50) && why == .cancelled)
    let (whole, none) = try await Self.time(ImmediateRetry().deadline(.seconds(5)))
    #expect(whole == .seconds(3) && none == nil)
  }
}
