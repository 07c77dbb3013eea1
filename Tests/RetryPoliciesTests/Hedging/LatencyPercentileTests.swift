import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct LatencyPercentileTests {
    @Test func `a latency percentile is known after enough attempts to expect two slower than the percentile`() {
      let latencies = LatencyPercentile(95)
      for number in 1...39 { latencies.record(.milliseconds(number)) }
      // Before the estimate exists, an unanswered attempt does not count.
      latencies.record(nil)
      #expect(latencies.time() == nil)
      latencies.record(.milliseconds(5))
      #expect(latencies.time() == .milliseconds(39))
      #expect(latencies.time(host: "other") == nil)
      for (percentile, least) in [(50.0, 4), (99, 200), (66, 6), (99.9, 2_000)] {
        let latencies = LatencyPercentile(percentile)
        for _ in 1..<least { latencies.record(.seconds(1)) }
        #expect(latencies.time() == nil)
        latencies.record(.seconds(1))
        #expect(latencies.time() == .seconds(1))
      }
    }

    @Test func `a latency percentile rises after each slower attempt and falls after all others`() {
      let latencies = LatencyPercentile(75)
      for _ in 0..<8 { latencies.record(.seconds(1)) }
      latencies.record(.seconds(2))
      #expect(latencies.time() == .nanoseconds(1_037_500_000))
      latencies.record(.nanoseconds(1_037_500_000))
      #expect(latencies.time() == .nanoseconds(1_024_531_250))
      latencies.record(nil)
      #expect(latencies.time() == .nanoseconds(1_062_951_172))
    }

    @Test func `latency percentiles are remembered for a limited number of servers, and the busiest are kept`() {
      let latencies = LatencyPercentile(50)
      for _ in 0..<4 { latencies.record(.seconds(1), host: "often") }
      for number in 0..<mostServers + 50 { latencies.record(.seconds(1), host: "\(number)") }
      #expect(latencies.serverCount == mostServers && latencies.time(host: "often") == .seconds(1))
    }

    @Test func `a hedge delay follows the latency of original attempts, not of hedges and early failures`() {
      let latencies = LatencyPercentile(50)
      let policy = NoRetry().hedged(after: latencies)
      let plan = AttemptPlan(number: 1, kind: .original, start: .seconds(5))
      let hedge = AttemptPlan(number: 2, kind: .hedge, start: .seconds(6))
      func end(
        _ plan: AttemptPlan, at second: Int, _ outcome: AttemptOutcome = .response(200), beside: [AttemptPlan] = []
      ) {
        policy.didFinish(
          RetryAttempt(
            plan: plan, end: .seconds(second), outcome: outcome, outcomeClass: policy.rules.outcomeClass(of: outcome)),
          of: RetryRequest(host: "a", underWay: beside))
      }
      func delay() -> Duration? { policy.hedgeDelay(after: plan, of: RetryRequest(host: "a")) }
      for second in [6, 8, 7] { end(plan, at: second) }
      #expect(delay() == nil)
      end(plan, at: 6)
      #expect(delay() == .seconds(3))
      end(hedge, at: 90)
      // An immediate failure does not measure the latency, nor does an attempt abandoned before its hedge.
      end(plan, at: 5, .response(503))
      end(plan, at: 6, .abandoned)
      // A hedge of an earlier attempt does not count as this attempt's hedge.
      end(AttemptPlan(number: hedge.number + 1, kind: .retry, start: plan.start), at: 6, .abandoned, beside: [hedge])
      #expect(delay() == .seconds(3))
      end(plan, at: 7, .abandoned, beside: [hedge])
      #expect(delay() == .milliseconds(3_075))
      end(plan, at: 9, .failure(.timedOut))
      #expect(delay() == .nanoseconds(3_151_875_000))
      #expect(policy.description.hasPrefix("NoRetry + HedgedPolicy (after p50, copies 1): at most 2 attempts"))
    }

    /// Dean and Barroso, "The Tail at Scale", Communications of the ACM 56(2), 2013: after the 95th percentile a second request
    /// costs about 5 % more.
    @Test func `hedging after the 95th percentile hedges about one request in twenty, even if hedges answer at once`() {
      let policy = NoRetry().hedged(after: LatencyPercentile(95))
      let (alone, beside) = (
        RetryRequest(host: "a"),
        RetryRequest(host: "a", underWay: [AttemptPlan(number: 2, kind: .hedge)])
      )
      var (random, hedges) = (RetryRandom(seed: 1), 0)
      for _ in 0..<20_000 {
        let plan = AttemptPlan(number: 1, kind: .original)
        let time = random.duration(to: .seconds(1))
        let delay = policy.hedgeDelay(after: plan, of: alone)
        // The hedge is answered at once, and the original is abandoned.
        let isHedged = delay.map { $0 < time } ?? false
        if isHedged { hedges += 1 }
        policy.didFinish(
          RetryAttempt(
            plan: plan, end: isHedged ? delay! + .nanoseconds(1) : time,
            outcome: isHedged ? .abandoned : .response(200), outcomeClass: isHedged ? .abandoned : .success),
          of: isHedged ? beside : alone)
      }
      #expect((900...1_100).contains(hedges), "\(hedges)")
    }

    @Test func `the longest latency is limited instead of overflowing`() throws {
      let latencies = LatencyPercentile(50)
      for _ in 0..<4 { latencies.record(.seconds(Int64.max)) }
      #expect(try #require(latencies.time()) <= .seconds(1_000_000_000))
    }
  }
}
