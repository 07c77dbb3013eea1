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
      #expect(rules.outcomeClass(of: .response(429)) == .permanentFailure)
      #expect(rules.outcomeClass(of: .failure(.serverCertificateHasBadDate)) == .transientFailure)
      #expect(rules.outcomeClass(of: .failure(.serverCertificateUntrusted)) == .permanentFailure)
      #expect(rules.allowsRepeating(RetryRequest(method: "DELETE")))
      #expect(!rules.allowsRepeating(RetryRequest(method: "POST", isIdempotent: true)))
      #expect(rules.retryAfter == .ignored)
    }

    // `RETRY_AFTER_STATUS_CODES` of src/urllib3/util/retry.py, beside those that the caller forces.
    @Test func `the urllib3 preset retries three statuses and the forced ones`() {
      #expect(URLLib3Retry(forcedStatuses: [500]).rules.statuses == [413, 429, 500, 503])
    }

    // MARK: urllib3 2, src/urllib3/util/retry.py: factor * 2^(n - 1), none before the first retry, at most 120 s.

    @Test func `the urllib3 preset does not wait before its first retry, then doubles its wait up to 120 s`() {
      let policy = URLLib3Retry(total: 10, factor: .milliseconds(100), forcedStatuses: [503])
      #expect(policy.delays(5) == [0, 200, 400, 800, 1600].map { .milliseconds($0) })
      #expect(
        URLLib3Retry(total: 10, factor: .seconds(1), forcedStatuses: [503]).delays(9)
          == [0, 2, 4, 8, 16, 32, 64, 120, 120].map { .seconds($0) })
      #expect(URLLib3Retry().delays(3, outcome: .failure(.cannotConnectToHost)) == [.zero, .zero, .zero])
      #expect(URLLib3Retry().rules.maximumAttempts == 4)
    }

    @Test func `the urllib3 preset adds jitter to its waits after the first retry`() {
      let policy = URLLib3Retry(factor: .seconds(1), jitter: .seconds(3), forcedStatuses: [503])
      for seed in 0..<200 {
        let delays = policy.delays(3, random: RetryRandom(seed: UInt64(seed)))
        #expect(delays[0] == .zero)
        #expect(delays[1] >= .seconds(2) && delays[1] < .seconds(5))
        #expect(delays[2] >= .seconds(4) && delays[2] < .seconds(7))
      }
    }

    @Test func `the urllib3 preset retries a status only with Retry-After or if the status is forced`() {
      let asked = AttemptOutcome.response(503, headers: ["Retry-After": "7"])
      #expect(URLLib3Retry().delays(2, outcome: asked) == [.seconds(7), .seconds(7)])
      #expect(URLLib3Retry().delays(2, outcome: .response(503)) == [])
      #expect(URLLib3Retry().rules.outcomeClass(of: .response(500)) == .permanentFailure)
      #expect(URLLib3Retry(forcedStatuses: [500]).delays(2, outcome: .response(500)) == [.zero, .zero])
      // urllib3 ignores a Retry-After of 0 seconds and uses its backoff.
      let zero = AttemptOutcome.response(503, headers: ["Retry-After": "0"])
      #expect(URLLib3Retry(factor: .seconds(1)).delays(2, outcome: zero) == [.zero, .seconds(2)])
      let long = AttemptOutcome.response(429, headers: ["Retry-After": "999999"])
      #expect(URLLib3Retry().delays(1, outcome: long) == [.seconds(21_600)])
      #expect(URLLib3Retry().delays(1, outcome: asked, request: RetryRequest(method: "POST")) == [])
    }

    @Test func `the urllib3 preset repeats a POST that could not connect, but not one that lost its connection`() {
      let post = RetryRequest(method: "POST")
      #expect(URLLib3Retry().delays(2, outcome: .failure(.cannotConnectToHost), request: post) == [.zero, .zero])
      #expect(URLLib3Retry().delays(2, outcome: .failure(.networkConnectionLost), request: post) == [])
      #expect(URLLib3Retry().delays(1, outcome: .failure(.networkConnectionLost)) == [.zero])
    }
  }
}
