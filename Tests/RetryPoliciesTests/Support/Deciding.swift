import Foundation
@testable import RetryPolicies

extension RetryPolicy {
  /// The waits before a request's retries, until the policy stops, if every attempt fails in the same way.
  func delays(
    _ count: Int, outcome: AttemptOutcome = .response(503), request: RetryRequest = RetryRequest(),
    random: RetryRandom = RetryRandom(seed: 1)
  ) -> [Duration] {
    var attempts: [RetryAttempt] = []
    var delays: [Duration] = []
    for number in 1...count {
      let attempt = RetryAttempt(
        plan: AttemptPlan(number: number, kind: number == 1 ? .original : .retry, backoff: delays.last),
        end: .zero, outcome: outcome, outcomeClass: rules.outcomeClass(of: outcome), retryAfter: retryAfter(of: outcome)
      )
      attempts.append(attempt)
      let failed = RetryRequest(method: request.method, host: request.host, attempts: attempts)
      var random = random.keyed(by: UInt64(number))
      guard case .retry(let delay) = decision(after: attempt, of: failed, random: &random) else { break }
      delays.append(delay)
    }
    return delays
  }

  private func retryAfter(of outcome: AttemptOutcome) -> Duration? {
    guard case .response(let head) = outcome else { return nil }
    return RetryAfter.delay(head, now: Date(timeIntervalSince1970: 0))
  }
}
