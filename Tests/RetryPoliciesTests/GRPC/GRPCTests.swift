import Foundation
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct GRPCTests {
    private func attempt(_ number: Int, _ outcome: AttemptOutcome) -> RetryAttempt {
      RetryAttempt(
        plan: AttemptPlan(number: number, kind: number == 1 ? .original : .retry), end: .zero, outcome: outcome,
        outcomeClass: GRPCRetry().rules.outcomeClass(of: outcome))
    }

    private func pushback(_ value: String) -> AttemptOutcome {
      .response(503, headers: ["grpc-retry-pushback-ms": value])
    }

    // MARK: Throttling

    @Test func `a throttle forgets servers whose bucket is full, and remembers a limited number of others`() {
      let throttle = RetryThrottle(maximumTokens: 10, tokenRatio: 1)
      throttle.recordFailure(host: "a")
      #expect(throttle.serverCount == 1)
      throttle.recordSuccess(host: "a")
      #expect(throttle.serverCount == 0)
      for _ in 0..<5 { throttle.recordFailure(host: "down") }
      for number in 0..<mostServers + 50 { throttle.recordFailure(host: "\(number)") }
      #expect(throttle.serverCount == mostServers)
      #expect(!throttle.allowsRetry(host: "down"))
    }

    @Test func `a throttle's tokens and permissions follow the example of the gRPC proposal`() {
      let throttle = RetryThrottle(maximumTokens: 10, tokenRatio: 0.1)
      // (what happened, tokens in thousandths, whether a retry is allowed): more than half of 10 must be left.
      var trace: [(Int, Bool)] = []
      func step(_ succeeds: Bool) {
        if succeeds { throttle.recordSuccess() }
        if !succeeds { throttle.recordFailure() }
        trace.append((throttle.thousandths(), throttle.allowsRetry()))
      }
      step(true)
      for _ in 0..<5 { step(false) }
      step(true)
      step(false)
      for _ in 0..<11 { step(true) }
      for _ in 0..<8 { step(false) }
      #expect(
        trace.map(\.0) == [
          10_000, 9_000, 8_000, 7_000, 6_000, 5_000, 5_100, 4_100, 4_200, 4_300, 4_400, 4_500, 4_600, 4_700, 4_800,
          4_900, 5_000, 5_100, 5_200, 4_200, 3_200, 2_200, 1_200, 200, 0, 0, 0,
        ])
      #expect(
        trace.map(\.1) == [
          true, true, true, true, true, false, true, false, false, false, false, false, false, false, false, false,
          false, true, true, false, false, false, false, false, false, false, false,
        ])
    }

    @Test func `a throttle stops retries at one failure in ten requests, and not at one in eleven`() {
      func isDown(failureEvery period: Int) -> Bool {
        let throttle = RetryThrottle()
        for request in 1...10_000 {
          if request % period == 0 { throttle.recordFailure() }
          if request % period != 0 { throttle.recordSuccess() }
          guard throttle.allowsRetry() else { return true }
        }
        return false
      }
      // Ten successes restore the token that a failure took; nine do not.
      #expect(!isDown(failureEvery: 11))
      #expect(isDown(failureEvery: 10))
    }

    @Test func `a throttle that is exhausted for one server allows retries to another`() {
      let throttle = RetryThrottle()
      for _ in 0..<5 { throttle.recordFailure(host: "a") }
      #expect(!throttle.allowsRetry(host: "a"))
      #expect(throttle.allowsRetry(host: "b"))
    }

    @Test func `only retryable failures and negative pushback take a token from the throttle`() {
      let policy = GRPCRetry()
      let request = RetryRequest(method: "POST", host: "a")
      policy.didFinish(attempt(1, .response(404)), of: request)
      policy.didFinish(attempt(1, .abandoned), of: request)
      #expect(policy.throttle?.thousandths(host: "a") == 10_000)
      policy.didFinish(attempt(1, .response(503)), of: request)
      #expect(policy.throttle?.thousandths(host: "a") == 9_000)
      // Negative pushback takes a token, whatever the status.
      policy.didFinish(attempt(1, .response(404, headers: ["grpc-retry-pushback-ms": "-1"])), of: request)
      #expect(policy.throttle?.thousandths(host: "a") == 8_000)
      policy.didFinish(attempt(1, pushback("-1")), of: request)
      #expect(policy.throttle?.thousandths(host: "a") == 7_000)
      policy.didFinish(attempt(1, .response(200)), of: request)
      #expect(policy.throttle?.thousandths(host: "a") == 7_100)
    }

    @Test func `gRPC copies need tokens of the throttle like retries, and without a throttle all are sent`() {
      let (plan, request) = (AttemptPlan(number: 2, kind: .hedge), RetryRequest(host: "a"))
      let policy = GRPCHedging()
      for _ in 0..<5 { policy.didFinish(attempt(1, .response(503)), of: request) }
      #expect(policy.throttle?.thousandths(host: "a") == 5_000 && !policy.grants(plan, of: request))
      #expect(
        GRPCHedging(throttle: nil).grants(plan, of: request) && GRPCRetry(throttle: nil).grants(plan, of: request))
    }

    // MARK: Pushback

    @Test(arguments: [
      ("0", Pushback.retry(after: .zero)), ("250", .retry(after: .milliseconds(250))),
      ("2147483647", .retry(after: .milliseconds(2_147_483_647))), ("2147483648", .stop), ("-1", .stop),
      ("007", .stop), ("+7", .stop), ("", .stop), ("soon", .stop), ("1.5", .stop),
    ])
    func `pushback is a non-negative 32-bit number of milliseconds, and any other value stops retries`(
      value: String, expected: Pushback
    ) {
      #expect(Pushback(attempt(1, pushback(value))) == expected)
      #expect(Pushback(attempt(1, .response(503))) == .none)
    }

    @Test func `after a pushback the exponential backoff starts over`() {
      let policy = GRPCRetry(maximumAttempts: 5)
      var attempts: [RetryAttempt] = []
      var delays: [RetryDecision] = []
      for (index, outcome) in [.response(503), .response(503), pushback("5000"), .response(503)].enumerated() {
        attempts.append(attempt(index + 1, outcome))
        var random = RetryRandom(seed: 3).keyed(by: UInt64(index))
        delays.append(
          policy.decision(after: attempts.last!, of: RetryRequest(attempts: attempts), random: &random))
      }
      func isAround(_ decision: RetryDecision, _ middle: Duration) -> Bool {
        guard case .retry(let delay) = decision else { return false }
        return delay >= middle * 0.8 && delay <= middle * 1.2
      }
      #expect(isAround(delays[0], .milliseconds(100)))
      #expect(isAround(delays[1], .milliseconds(200)))
      #expect(delays[2] == .retry(after: .seconds(5)))
      #expect(isAround(delays[3], .milliseconds(100)))
    }

    @Test func `gRPC policies retry any method after the statuses that mean UNAVAILABLE, and ignore Retry-After`() {
      for rules in [GRPCRetry().rules, GRPCHedging().rules] {
        #expect(rules.statuses == [429, 502, 503, 504] && rules.methods == .any && rules.retryAfter == .ignored)
        #expect(rules.outcomeClass(of: .failure(.cannotConnectToHost)) == .transientFailure)
        #expect(rules.outcomeClass(of: .failure(.timedOut)) == .permanentFailure)
      }
    }

    @Test func `gRPC policies make at most five attempts, whatever maximum is given`() {
      #expect(GRPCRetry(maximumAttempts: 3).rules.maximumAttempts == 3)
      #expect(GRPCRetry(maximumAttempts: 9).rules.maximumAttempts == 5)
      #expect(GRPCHedging(maximumAttempts: 9).rules.maximumAttempts == 5)
    }
  }
}
