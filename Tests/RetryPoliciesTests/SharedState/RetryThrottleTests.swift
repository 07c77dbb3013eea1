import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct RetryThrottleTests {
    @Test func `a throttle allows retries above half of its tokens, but not at exactly half`() {
      let throttle = RetryThrottle(maximumTokens: 4, tokenRatio: 0.5)
      #expect(throttle.thousandths() == 4_000 && throttle.allowsRetry())
      throttle.recordFailure()
      #expect(throttle.thousandths() == 3_000 && throttle.allowsRetry())
      throttle.recordFailure()
      #expect(throttle.thousandths() == 2_000 && !throttle.allowsRetry())
      throttle.recordSuccess()
      #expect(throttle.thousandths() == 2_500 && throttle.allowsRetry())
    }

    @Test func `a throttle's tokens stay between zero and the maximum`() {
      let throttle = RetryThrottle(maximumTokens: 2, tokenRatio: 0.7)
      for _ in 0..<5 { throttle.recordFailure() }
      #expect(throttle.thousandths() == 0)
      for expected in [700, 1_400, 2_000, 2_000] {
        throttle.recordSuccess()
        #expect(throttle.thousandths() == expected)
      }
      #expect(throttle.serverCount == 0)
    }

    @Test func `a ratio of 1.005 adds 1,005 thousandths of a token, and further decimals are dropped`() {
      for ratio in [1.005, 1.00599] {
        let throttle = RetryThrottle(maximumTokens: 10, tokenRatio: ratio)
        throttle.recordFailure()
        throttle.recordFailure()
        throttle.recordSuccess()
        #expect(throttle.thousandths() == 9_005)
      }
    }

    @Test func `a failure takes one token from the throttle of that server alone`() {
      let throttle = RetryThrottle()
      throttle.recordFailure(host: "a")
      #expect(throttle.thousandths(host: "a") == 9_000)
      #expect(throttle.thousandths(host: "b") == 10_000)
      throttle.recordSuccess(host: "a")
      #expect(throttle.thousandths(host: "a") == 9_100)
    }

    @Test(arguments: [
      (AttemptOutcome.response(200), 9_600), (.response(503), 8_500), (.response(404), 9_500),
      (.response(404, headers: ["grpc-retry-pushback-ms": "-1"]), 8_500),
      (.response(200, headers: ["grpc-retry-pushback-ms": "-1"]), 9_600),
      (.response(503, headers: ["grpc-retry-pushback-ms": "-1"]), 8_500),
      (.response(404, headers: ["grpc-retry-pushback-ms": "10"]), 9_500), (.abandoned, 9_500),
    ])
    func `a success adds to the tokens, and a retryable failure or negative pushback takes one`(
      outcome: AttemptOutcome, left: Int
    ) {
      let throttle = RetryThrottle(tokenRatio: 0.1)
      throttle.recordFailure()
      for _ in 0..<5 { throttle.recordSuccess() }
      #expect(throttle.thousandths() == 9_500)
      throttle.record(
        RetryAttempt(
          plan: AttemptPlan(number: 1, kind: .original), end: .zero, outcome: outcome,
          outcomeClass: RetryRules.standard.outcomeClass(of: outcome)), host: "")
      #expect(throttle.thousandths() == left)
    }
  }
}
