import Testing

@testable import RetryPolicies
import URLLoading

extension RetryPoliciesTests {
  @Suite struct RetryRulesTests {
    @Test func `statuses and errors are told apart`() {
      let rules = RetryRules.standard
      for status in [200, 204, 304] { #expect(rules.verdict(on: .response(status)) == .success) }
      for status in [400, 401, 404, 501] { #expect(rules.verdict(on: .response(status)) == .permanentFailure) }
      for status in [408, 429, 500, 502, 503, 504] {
        #expect(rules.verdict(on: .response(status)) == .transientFailure)
      }
      #expect(rules.verdict(on: .failure(.timedOut)) == .transientFailure)
      #expect(rules.verdict(on: .failure(.networkConnectionLost)) == .transientFailure)
      #expect(rules.verdict(on: .failure(.cancelled)) == .permanentFailure)
      #expect(rules.verdict(on: .failure(.serverCertificateUntrusted)) == .permanentFailure)
      #expect(rules.verdict(on: .failure(CancellationError())) == .permanentFailure)
      #expect(rules.verdict(on: .abandoned) == .abandoned)
    }

    @Test func `only what is idempotent is repeated`() {
      var request = URLRequest(url: URL(string: "https://API.example/pay")!)
      #expect(RetryRequest(request).host == "api.example")
      for method in ["GET", "head", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        request.httpMethod = method
        #expect(RetryRules.standard.allowsRepeating(RetryRequest(request)))
      }
      request.httpMethod = "POST"
      #expect(!RetryRules.standard.allowsRepeating(RetryRequest(request)))
      #expect(RetryRules(methods: .any).allowsRepeating(RetryRequest(request)))
      #expect(RetryRules(methods: .only(["POST"])).allowsRepeating(RetryRequest(request)))
      request.setValue("8e03978e", forHTTPHeaderField: "Idempotency-Key")
      #expect(RetryRules.standard.allowsRepeating(RetryRequest(request)))
      request.httpBodyStream = InputStream(data: Data("x".utf8))
      #expect(!RetryRules(methods: .any).allowsRepeating(RetryRequest(request)))
    }

    @Test func `a wait is capped but never shorter than the server asked`() {
      var rules = RetryRules(maximumDelay: .seconds(2))
      #expect(rules.delay(backoff: .seconds(1), retryAfter: nil) == .seconds(1))
      #expect(rules.delay(backoff: .seconds(9), retryAfter: nil) == .seconds(2))
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .seconds(30)) == .seconds(30))
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .milliseconds(10)) == .seconds(1))
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .seconds(61)) == nil)
      rules.retryAfter = .ignored
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .seconds(61)) == .seconds(1))
    }

    @Test func `modifiers change one rule each and keep the policy`() {
      let policy = FixedBackoff().maximumAttempts(7).deadline(.seconds(9)).perTryTimeout(.seconds(2))
        .capped(at: .seconds(3)).ignoringRetryAfter().repeating(.any).retrying(statuses: [503]).retrying(errors: [])
      #expect(
        policy.rules
          == RetryRules(
            maximumAttempts: 7, methods: .any, statuses: [503], errors: [], retryAfter: .ignored,
            maximumDelay: .seconds(3), deadline: .seconds(9), perTryTimeout: .seconds(2)))
      #expect(policy.delays(2) == [.seconds(1), .seconds(1)])
      #expect(policy.respectingRetryAfter(upTo: nil).rules.retryAfter == .respected(upTo: nil))
    }
  }
}
