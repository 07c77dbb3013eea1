import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  @Suite struct LatencyPercentileTests {
    @Test func `there is a percentile once one attempt is expected beyond it`() {
      let latencies = LatencyPercentile(95)
      for number in 1...19 { latencies.record(.milliseconds(number)) }
      // One that was not answered says nothing before.
      latencies.record(.seconds(9), isAnswered: false)
      #expect(latencies.time() == nil)
      latencies.record(.milliseconds(5))
      #expect(latencies.time() == .milliseconds(19))
      #expect(latencies.time(host: "other") == nil)
      for (percentile, least) in [(50.0, 2), (99, 100), (66, 3), (99.9, 1_000)] {
        let latencies = LatencyPercentile(percentile)
        for _ in 1..<least { latencies.record(.seconds(1)) }
        #expect(latencies.time() == nil)
        latencies.record(.seconds(1))
        #expect(latencies.time() == .seconds(1))
      }
    }

    @Test func `it moves up with each attempt that takes longer, and down with each that does not`() {
      let latencies = LatencyPercentile(75)
      for _ in 0..<4 { latencies.record(.seconds(1)) }
      latencies.record(.seconds(2))
      #expect(latencies.time() == .milliseconds(1_075))
      latencies.record(.milliseconds(1_075))
      #expect(latencies.time() == .microseconds(1_048_125))
      // What was given up earlier may have taken longer or not.
      latencies.record(.seconds(1), isAnswered: false)
      #expect(latencies.time() == .microseconds(1_048_125))
      latencies.record(.seconds(2), isAnswered: false)
      #expect(latencies.time() == .nanoseconds(1_126_734_375))
    }

    @Test func `not too many servers are remembered`() {
      let latencies = LatencyPercentile(50)
      for _ in 0..<2 { latencies.record(.seconds(1), host: "often") }
      for number in 0..<LatencyPercentile.mostServers + 50 { latencies.record(.seconds(1), host: "\(number)") }
      #expect(latencies.serverCount == LatencyPercentile.mostServers && latencies.time(host: "often") == .seconds(1))
    }

    @Test func `a policy hedges after the percentile of its own originals and retries`() {
      let policy = NoRetry().hedged(after: LatencyPercentile(50))
      let (request, plan) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original, start: .seconds(5)))
      func end(_ plan: AttemptPlan, at second: Int, _ outcome: AttemptOutcome = .response(200)) {
        policy.didFinish(
          RetryAttempt(
            plan: plan, end: .seconds(second), outcome: outcome, verdict: policy.rules.verdict(on: outcome)),
          of: request)
      }
      #expect(policy.hedgeDelay(after: plan, of: request) == nil)
      end(plan, at: 6)
      end(plan, at: 8)
      end(AttemptPlan(number: 2, kind: .hedge, start: .seconds(5)), at: 90)
      // A failure at once says nothing of how long an answer takes.
      end(plan, at: 5, .response(503))
      #expect(policy.hedgeDelay(after: plan, of: request) == .seconds(3))
      #expect(policy.description.hasPrefix("NoRetry + HedgedPolicy (after p50, copies 1): at most 2 attempts"))
    }

    /// Dean and Barroso, "The Tail at Scale", Communications of the ACM 56(2), 2013: after the 95th percentile a second request
    /// costs about 5 % more.
    @Test func `the 95th percentile costs one hedge for twenty attempts, however quick the hedges are`() {
      let policy = NoRetry().hedged(after: LatencyPercentile(95))
      let request = RetryRequest(host: "a")
      var (random, hedges) = (RetryRandom(seed: 1), 0)
      for _ in 0..<20_000 {
        let plan = AttemptPlan(number: 1, kind: .original)
        let time = random.duration(to: .seconds(1))
        let delay = policy.hedgeDelay(after: plan, of: request)
        // The hedge is answered at once, and the original is given up.
        let isHedged = delay.map { $0 < time } ?? false
        if isHedged { hedges += 1 }
        policy.didFinish(
          RetryAttempt(
            plan: plan, end: isHedged ? delay! + .nanoseconds(1) : time,
            outcome: isHedged ? .abandoned : .response(200), verdict: isHedged ? .abandoned : .success),
          of: request)
      }
      #expect((900...1_100).contains(hedges), "\(hedges)")
    }
  }
}
