import Internals
import Testing
import URLLoading

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct WrappingPolicyTests {
    /// A policy that answers every question with `agrees`, and counts the ended attempts.
    private final class Inner: RetryPolicy {
      let agrees: Bool
      let ends = Mutex(0)
      let admitted = Mutex(0)
      let rules = RetryRules(maximumAttempts: 9)

      init(agrees: Bool = true) { self.agrees = agrees }

      func decision(
        after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
      ) -> RetryDecision { .retry(after: .seconds(7)) }
      func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { .seconds(3) }
      func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { agrees }
      func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration { .seconds(2) }
      func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
        admitted.withLock { $0 += 1 }
        return agrees
      }
      func prepare(
        _ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest
      ) async throws -> URLRequest {
        var sent = sent
        sent.setValue("yes", forHTTPHeaderField: "Prepared")
        return sent
      }
      func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool { agrees }
      func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)? {
        agrees ? { @Sendable in } : nil
      }
      func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) { ends.withLock { $0 += 1 } }
    }

    private static let wrappers: [@Sendable (Inner) -> any WrappingPolicy] = [
      { $0.hedged(after: .seconds(3)) }, { $0.deadline(.seconds(60)) }, { $0.waitingForPath {} },
      { $0.retrying { _ in false } }, { $0.preparing { _, _ in } }, { $0.rateLimited(by: RateLimiter()) },
      { $0.limited(by: Bulkhead(limit: 1)) }, { $0.throttled(by: RetryThrottle()) },
      { $0.shedding(by: LoadShedder()) }, { $0.guarded(by: CircuitBreaker()) }, { $0.budgeted(by: RetryBudget()) },
      { $0.authorized(by: AccessToken { "" }) }, { OneAtATime(base: $0) },
    ]

    private let plan = AttemptPlan(number: 1, kind: .original)
    private let sent = URLRequest(url: URL(string: "https://example.com/")!)

    private func failed(_ status: Int = 503) -> RetryAttempt {
      RetryAttempt(plan: plan, end: .zero, outcome: .response(status), outcomeClass: .transientFailure)
    }

    @Test(arguments: wrappers.indices, [true, false])
    func `a wrapping policy asks the wrapped policy about everything that it does not decide itself`(
      number: Int, agrees: Bool
    ) async throws {
      let inner = Inner(agrees: agrees)
      let policy = Self.wrappers[number](inner)
      let request = RetryRequest(attempts: [failed()])
      var random = RetryRandom(seed: 1)
      #expect(policy.decision(after: failed(), of: request, random: &random) == .retry(after: .seconds(7)))
      #expect((policy.hedgeDelay(after: plan, of: request) ?? .seconds(3)) == .seconds(3))
      #expect(policy.grants(plan, of: request) == agrees)
      #expect(policy.wait(before: plan, of: request) == .seconds(2))
      #expect(policy.admits(plan, of: request) == agrees && inner.admitted.withLock(\.self) == 1)
      #expect(try await policy.prepare(sent, for: plan, of: request).value(forHTTPHeaderField: "Prepared") == "yes")
      let answer = AttemptAnswer(plan: plan, request: sent, response: ResponseFacts(status: 200), body: Data())
      #expect(policy.isTransient(answer, of: request) == agrees)
      #expect((policy.hold(after: failed(), of: request) != nil) == agrees)
      policy.didFinish(failed(), of: request)
      #expect(inner.ends.withLock(\.self) == 1)
      #expect(policy.rules.maximumAttempts ?? 0 >= 9)
    }

    @Test func `throttle, budget and breaker that wrap a policy learn how an attempt ended`() {
      let (throttle, breaker) = (RetryThrottle(), CircuitBreaker(threshold: 1))
      let budget = RetryBudget(minimumPerSecond: 0, share: 1)
      let policy = NoRetry().throttled(by: throttle).budgeted(by: budget).guarded(by: breaker)
        .authorized(by: AccessToken { "" })
      #expect(policy.admits(plan, of: RetryRequest()) && budget.balance(at: .zero) == 1)
      #expect(policy.admits(AttemptPlan(number: 2, kind: .retry), of: RetryRequest()) && budget.balance(at: .zero) == 1)
      policy.didFinish(failed(), of: RetryRequest())
      #expect(throttle.thousandths() == 9_000 && !breaker.admits(at: .zero))
    }

    @Test func `the longest pause of a wrapped policy is the longest among its wrappers`() {
      let shedding = NoRetry().shedding(by: LoadShedder(window: .seconds(50)))
      let breaker = CircuitBreaker(openTime: .seconds(30))
      #expect(NoRetry().longestPause == .zero)
      #expect(shedding.deadline(.seconds(1)).longestPause == .seconds(50))
      #expect(shedding.guarded(by: breaker).longestPause == .seconds(50))
      #expect(NoRetry().guarded(by: breaker).budgeted(by: RetryBudget()).longestPause == .seconds(30))
    }

    @Test func `an answer without an HTTP status, such as a file's, is a success`() {
      let answer = URLResponse(
        url: URL(fileURLWithPath: "/a"), mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
      #expect(RetryRules.standard.outcomeClass(of: .response(ResponseFacts(answer))) == .success)
    }

    @Test func `a policy's description names each rule that differs from the standard`() {
      let rules = RetryRules.standard
      #expect("\(rules)" == "at most 3 attempts")
      func text(_ change: (inout RetryRules) -> Void) -> String {
        var rules = rules
        change(&rules)
        return "\(rules)"
      }
      #expect(text { $0.maximumAttempts = nil } == "any number of attempts")
      #expect(text { $0.perTryTimeout = .seconds(2) } == "at most 3 attempts, 2 s each")
      #expect(text { $0.deadline = .seconds(3) } == "at most 3 attempts, 3 s in all")
      #expect(text { $0.retryAfter = .ignored } == "at most 3 attempts, Retry-After ignored")
      #expect(text { $0.addsIdempotencyKey = true } == "at most 3 attempts, with an Idempotency-Key")
      #expect(text { $0.methods = .only(["PUT", "GET"]) } == "at most 3 attempts, GET, PUT only")
      #expect(text { $0.methods = .any } == "at most 3 attempts, of any method")
    }
  }
}
