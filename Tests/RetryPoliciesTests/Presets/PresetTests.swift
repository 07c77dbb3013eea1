import Foundation
import RetryPolicies
import Testing

extension RetryPoliciesTests {
  struct PresetTests {
    // MARK: Alamofire 5, Source/Features/RetryPolicy.swift: pow(2, retryCount) * 0.5, retryCount < 2.

    @Test func `the Alamofire preset waits half a second, then doubles the wait, and makes three attempts`() {
      #expect(AlamofireRetry().delays(4) == [500, 1000, 2000, 4000].map { .milliseconds($0) })
      #expect(AlamofireRetry().rules.maximumAttempts == 3)
      #expect(AlamofireRetry(retryLimit: 5, base: 3, scale: .seconds(1)).delays(3) == [1, 3, 9].map { .seconds($0) })
    }

    @Test func `the Alamofire preset retries 18 errors and five statuses, but not status 429`() {
      let rules = AlamofireRetry().rules
      #expect(rules.errors.count == 18)
      #expect(rules.statuses == [408, 500, 502, 503, 504])
      #expect(rules.verdict(on: .response(429)) == .permanentFailure)
      #expect(rules.verdict(on: .failure(.serverCertificateHasBadDate)) == .transientFailure)
      #expect(rules.verdict(on: .failure(.serverCertificateUntrusted)) == .permanentFailure)
      #expect(rules.allowsRepeating(RetryRequest(method: "DELETE")))
      #expect(!rules.allowsRepeating(RetryRequest(method: "POST", isIdempotent: true)))
      #expect(rules.retryAfter == .ignored)
    }
  }
}
