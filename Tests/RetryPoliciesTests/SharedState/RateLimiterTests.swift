import Foundation
import Testing
import URLLoading

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct RateLimiterTests {
    /// The table of `TestAdaptiveRateLimit_Update` in aws-sdk-go-v2, which all SDKs of AWS follow.
    @Test func `the adaptive rate matches the table of AWS's SDKs`() {
      let table: [(time: Double, isRefused: Bool, measured: Double, rate: Double)] = [
        (0.2, false, 0, 0.5), (0.4, false, 0, 0.5), (0.6, false, 4.8, 0.5), (0.8, false, 4.8, 0.5),
        (1, false, 4.16, 0.5), (1.2, false, 4.16, 0.6912), (1.4, false, 4.16, 1.0976), (1.6, false, 5.632, 1.6384),
        (1.8, false, 5.632, 2.3328), (2, true, 4.3264, 3.02848), (2.2, false, 4.3264, 3.4866391734702598),
        (2.4, false, 4.3264, 3.8218744160402554), (2.6, false, 5.66528, 4.053385727709987),
        (2.8, false, 5.66528, 4.200373108479455), (3, false, 4.333056, 4.282036558348658),
        (3.2, true, 4.333056, 2.99742559084406), (3.4, false, 4.333056, 3.4522263943863463),
      ]
      var rate = AdaptiveRate(at: 0)
      for row in table {
        rate.record(isRefused: row.isRefused, at: row.time)
        #expect(abs(rate.measured - row.measured) < 1e-12 && abs(rate.rate - row.rate) < 1e-12, "at \(row.time)")
      }
    }

    /// A limiter after two seconds with ten attempts each; only the last attempt was refused.
    private func refused() -> RateLimiter {
      let limiter = RateLimiter()
      for tenth in 1...20 {
        #expect(limiter.wait(at: .milliseconds(100 * tenth)) == .zero)
        limiter.record(isRefused: tenth == 20, at: .milliseconds(100 * tenth))
      }
      return limiter
    }

    @Test func `a rate limiter delays no attempt until a server refuses one, then makes each wait for a token`() {
      let limiter = refused()
      // At 2 s the bucket holds one token and a part of the next.
      #expect(limiter.wait(at: .seconds(2)) == .zero)
      let rest = limiter.wait(at: .seconds(2))
      #expect(rest > .zero)
      // Another server has a separate bucket; after the wait the attempt gets its token.
      #expect(limiter.wait(host: "other", at: .seconds(2)) == .zero)
      #expect(limiter.wait(at: .seconds(2) + rest) == .zero)
      // Four half seconds measured 9.984 attempts a second: a token takes 1 s / (0.7 x 9.984), to within 0.001 ms.
      let whole = limiter.wait(at: .seconds(2) + rest)
      let token: Double = 1 / (0.7 * 9.984)
      #expect(abs(whole / .seconds(1) - token) < 1e-6)
    }

    @Test func `a rate limiter delays attempts only after status 429 or 503`() {
      func waits(after outcome: AttemptOutcome) -> Bool {
        let policy = ImmediateRetry().rateLimited(by: RateLimiter())
        let (request, plan) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original))
        policy.didFinish(
          RetryAttempt(plan: plan, end: .zero, outcome: outcome, outcomeClass: policy.rules.outcomeClass(of: outcome)),
          of: request)
        return policy.wait(before: plan, of: request) > .zero
      }
      #expect(waits(after: .response(429)) && waits(after: .response(503)))
      for outcome in [.response(200), .response(500), .failure(.timedOut), .abandoned] as [AttemptOutcome] {
        #expect(!waits(after: outcome))
      }
    }

    @Test func `a rate limiter's wait delays the first attempt as well as retries`() {
      let limiter = RateLimiter()
      limiter.record(isRefused: true, at: .zero)
      let policy = ImmediateRetry().rateLimited(by: limiter)
      var machine = RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
      // The bucket gains half a token per second.
      #expect(machine.begin().isEmpty && machine.nextWake == .seconds(2))
      guard case .start(let plan) = machine.wake(at: .seconds(2)).first else {
        Issue.record("no attempt was started")
        return
      }
      #expect(plan == AttemptPlan(number: 1, kind: .original, start: .seconds(2), delay: .seconds(2)))
      _ = machine.attemptEnded(1, outcome: .response(503), at: .seconds(2), date: .init())
      #expect(machine.nextWake == .seconds(4))
      guard case .start(let retry) = machine.wake(at: .seconds(4)).first else {
        Issue.record("no retry was started")
        return
      }
      #expect(retry.number == 2 && retry.kind == .retry && retry.delay == .seconds(2) && retry.decided == .seconds(2))
    }

    @Test func `a request whose wait for the rate limiter would end after the deadline fails at once`() {
      let limiter = RateLimiter()
      limiter.record(isRefused: true, at: .zero)
      let policy = ImmediateRetry().rateLimited(by: limiter).deadline(.seconds(1))
      var machine = RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
      guard case .finish(.failure(let error))? = machine.begin().last else {
        Issue.record("the request goes on")
        return
      }
      #expect((error as? URLError)?.code == .timedOut)
    }

    @Test func `a retry whose wait for the rate limiter would end after the deadline gives the last answer at once`() {
      let policy = ImmediateRetry().rateLimited(by: RateLimiter()).deadline(.seconds(1))
      var machine = RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
      _ = machine.begin()
      let actions = machine.attemptEnded(1, outcome: .response(503), at: .milliseconds(100), date: .init())
      guard case .finish(.attempt(1))? = actions.last else {
        Issue.record("the request goes on")
        return
      }
    }

    @Test
    func `the adaptive rate is at most twice the measured rate, and the bucket holds at least one token`() {
      var rate = AdaptiveRate(at: 0)
      rate.record(isRefused: true, at: 0.2)
      #expect(rate.take(at: 100) == 0 && rate.take(at: 100) == 2)
      for half in 201...240 { rate.record(isRefused: false, at: Double(half) / 2) }
      #expect(rate.measured > 1.5 && abs(rate.rate - 2 * rate.measured) < 1e-9)
    }

    @Test func `the rate is measured from the half second in which the first attempt to a server ended`() {
      for (start, measured) in [(0.5, 1.6), (0.7, 1.6), (0.99, 1.6), (1, 0)] {
        var rate = AdaptiveRate(at: start)
        rate.record(isRefused: false, at: 1.2)
        // One attempt in half a second, with the weight of 0.8; none if the half second is not over.
        #expect(rate.measured == measured)
      }
    }

    private struct Patient: WrappingPolicy {
      var base: any RetryPolicy { ImmediateRetry() }
      func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration { .seconds(3) }
    }

    @Test func `if the rate limiter lets an attempt through, the wrapped policy's wait applies`() {
      let plan = AttemptPlan(number: 1, kind: .original)
      #expect(Patient().rateLimited(by: RateLimiter()).wait(before: plan, of: RetryRequest()) == .seconds(3))
    }

    @Test func `a rate limiter remembers a limited number of servers, and the most recent are kept`() {
      let limiter = RateLimiter()
      for number in 0..<mostServers + 50 {
        limiter.record(isRefused: true, host: "\(number)", at: .seconds(number))
      }
      #expect(limiter.serverCount == mostServers)
      let last = mostServers + 49
      #expect(limiter.wait(host: "0", at: .seconds(last)) == .zero)
      #expect(limiter.wait(host: "\(last)", at: .seconds(last)) > .zero)
    }
  }
}
