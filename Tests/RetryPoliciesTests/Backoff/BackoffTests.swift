import RetryPolicies
import Testing

extension RetryPoliciesTests {
  struct BackoffTests {
    @Test func `backoffs without jitter wait exactly as their formulas say`() {
      #expect(NoRetry().delays(1) == [])
      #expect(ImmediateRetry().delays(3) == [.zero, .zero, .zero])
      #expect(
        FixedBackoff(delay: .milliseconds(250)).delays(3) == [
          .milliseconds(250), .milliseconds(250), .milliseconds(250),
        ])
      #expect(
        LinearBackoff(step: .milliseconds(300), cap: .seconds(1)).delays(5)
          == [300, 600, 900, 1000, 1000].map { .milliseconds($0) })
      #expect(
        ExponentialBackoff().delays(10)
          == [100, 200, 400, 800, 1600, 3200, 6400, 12800, 20000, 20000].map { .milliseconds($0) })
    }

    @Test func `an exponential curve stays at its cap for large attempt numbers, without overflow`() {
      let curve = ExponentialCurve(base: .nanoseconds(1), multiplier: 1.5, cap: .seconds(3600))
      #expect(curve.value(at: 1) == .nanoseconds(1))
      #expect(curve.value(at: 100_000) == .seconds(3600))
      #expect(curve.value(at: .max) == .seconds(3600))
      #expect(ExponentialCurve(base: .zero).value(at: 50) == .zero)
      #expect(ExponentialCurve(base: .seconds(5), multiplier: 1, cap: .seconds(2)).value(at: 9) == .seconds(2))
      #expect(ExponentialCurve(base: .seconds(1), multiplier: 1, cap: .seconds(2)).value(at: .max) == .seconds(1))
      #expect(ExponentialCurve(base: .seconds(1), cap: .seconds(Int64.max)).value(at: 9_999) == .seconds(Int64.max))
    }

    /// The mean of 2,000 draws of U(a, b) has a standard error of (b - a) / 155.
    ///
    /// The mean is off by four standard errors once in 16,000 cases.
    @Test func `each kind of jitter stays within its bounds and has the expected mean`() {
      let step = Duration.milliseconds(1)
      func check(_ policy: some RetryPolicy, low: [Double], high: [Double]) {
        var sums = [Double](repeating: 0, count: low.count)
        for seed in 0..<2_000 {
          for (index, delay) in policy.delays(low.count, random: RetryRandom(seed: UInt64(seed))).enumerated() {
            let value = delay / step
            #expect(value >= low[index] && value <= high[index])
            sums[index] += value
          }
        }
        for (index, sum) in sums.enumerated() {
          let tolerance = 4 * (high[index] - low[index]) / 155
          #expect(abs(sum / 2_000 - (low[index] + high[index]) / 2) <= tolerance)
        }
      }
      let cap = Duration.milliseconds(300)
      check(FullJitterBackoff(curve: ExponentialCurve(cap: cap)), low: [0, 0, 0], high: [100, 200, 300])
      check(EqualJitterBackoff(curve: ExponentialCurve(cap: cap)), low: [50, 100, 150], high: [100, 200, 300])
      check(DecorrelatedJitterBackoff(base: .milliseconds(100), cap: .seconds(9)), low: [100], high: [300])
      check(GRPCRetry(), low: [80, 160, 320, 640, 800, 800], high: [120, 240, 480, 960, 1200, 1200])
    }

    /// Of 2,000 uniform draws at least one is within 5 % of each bound; it fails once in 10^44 cases.
    @Test func `each kind of jitter comes close to both of its bounds`() {
      func check(_ policy: some RetryPolicy, from low: Double, to high: Double) {
        let delays = (0..<2_000).map { seed in
          policy.delays(1, random: RetryRandom(seed: UInt64(seed)))[0] / .milliseconds(1)
        }
        let edge = (high - low) / 20
        #expect(delays.allSatisfy { low <= $0 && $0 <= high })
        #expect(delays.contains { $0 <= low + edge } && delays.contains { $0 >= high - edge }, "\(policy)")
      }
      check(FullJitterBackoff(), from: 0, to: 100)
      check(EqualJitterBackoff(), from: 50, to: 100)
      check(DecorrelatedJitterBackoff(), from: 100, to: 300)
      check(GRPCRetry(), from: 80, to: 120)
    }

    @Test func `decorrelated jitter grows with the last wait, even after a hedge or an immediate retry`() {
      func longest(_ plans: (AttemptPlan.Kind, Duration?)...) -> Duration {
        let attempts = plans.enumerated().map { index, plan in
          RetryAttempt(
            plan: AttemptPlan(number: index + 1, kind: plan.0, backoff: plan.1), end: .zero, outcome: .response(503),
            outcomeClass: .transientFailure)
        }
        return (0..<50 as Range<UInt64>).reduce(.zero) { longest, seed in
          var random = RetryRandom(seed: seed)
          let decision = DecorrelatedJitterBackoff().decision(
            after: attempts[attempts.count - 1], of: RetryRequest(attempts: attempts), random: &random)
          guard case .retry(let wait) = decision else { return longest }
          return max(longest, wait)
        }
      }
      #expect(longest((.original, nil), (.retry, .seconds(2)), (.hedge, nil)) > .seconds(1))
      #expect(longest((.original, nil), (.retry, .seconds(2)), (.retry, .zero)) > .seconds(1))
      #expect(longest((.original, nil), (.retry, .zero)) > .milliseconds(200))
    }

    @Test func `only failed attempts count towards the exponent of a backoff`() {
      func request(_ verdicts: RetryAttempt.OutcomeClass...) -> RetryRequest {
        RetryRequest(
          attempts: verdicts.enumerated().map { index, outcomeClass in
            RetryAttempt(
              plan: AttemptPlan(number: index + 1, kind: .original), end: .zero, outcome: .abandoned,
              outcomeClass: outcomeClass)
          })
      }
      #expect(request().failures == 1)
      #expect(request(.transientFailure).failures == 1)
      #expect(request(.transientFailure, .permanentFailure).failures == 2)
      #expect(request(.transientFailure, .abandoned, .success, .transientFailure).failures == 2)
    }

    @Test func `an exponential curve grows up to its cap and then stays there`() {
      let curve = ExponentialCurve(base: .milliseconds(100), multiplier: 2, cap: .milliseconds(800))
      #expect((0...6).map(curve.value(at:)) == [100, 100, 200, 400, 800, 800, 800].map { .milliseconds($0) })
      let odd = ExponentialCurve(base: .milliseconds(100), multiplier: 3, cap: .milliseconds(899))
      #expect((1...4).map(odd.value(at:)) == [100, 300, 899, 899].map { .milliseconds($0) })
    }

    @Test func `decorrelated jitter waits at most three times as long as the wait before, and up to its cap`() {
      var (triples, capped) = (0, 0)
      for seed in 0..<500 {
        var bound = Duration.milliseconds(5)
        let policy = DecorrelatedJitterBackoff(base: .milliseconds(5), cap: .milliseconds(200))
        for delay in policy.delays(12, random: RetryRandom(seed: UInt64(seed))) {
          #expect(delay >= .milliseconds(5) && delay <= min(.milliseconds(200), bound * 3))
          if delay > bound * 3 * 0.95 { triples += 1 }
          if delay == .milliseconds(200) { capped += 1 }
          bound = delay
        }
      }
      // Some delays reach the bounds.
      #expect(triples > 100 && capped > 100, "\(triples) \(capped)")
    }

    @Test func `the same random key gives the same waits, and another key gives other waits`() {
      let policy = FullJitterBackoff()
      let random = RetryRandom(seed: 7).keyed(by: "GET").keyed(by: "/feed")
      #expect(policy.delays(5, random: random) == policy.delays(5, random: random))
      #expect(policy.delays(5, random: random) != policy.delays(5, random: random.keyed(by: 1)))
    }
  }
}
