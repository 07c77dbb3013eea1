import RetryPolicies
import Testing

extension RetryPoliciesTests {
  struct HedgedPolicyTests {
    private let policy: any RetryPolicy = FixedBackoff().maximumAttempts(3).hedged(after: .seconds(1), copies: 2)

    private func plans(_ kinds: [AttemptPlan.Kind]) -> [AttemptPlan] {
      kinds.enumerated().map { AttemptPlan(number: $0 + 1, kind: $1) }
    }

    /// Whether a hedge follows the last of these attempts, while all of them are in progress.
    private func hedges(_ kinds: AttemptPlan.Kind...) -> Bool {
      let plans = plans(kinds)
      let request = RetryRequest(underWay: Array(plans.dropLast()))
      return policy.hedgeDelay(after: plans[plans.count - 1], of: request) == .seconds(1)
    }

    @Test func `each original and each retry has as many hedges as the policy has copies`() {
      #expect(hedges(.original) && hedges(.original, .hedge) && !hedges(.original, .hedge, .hedge))
      #expect(hedges(.original, .hedge, .hedge, .retry) && hedges(.original, .hedge, .hedge, .retry, .hedge))
      #expect(!hedges(.original, .hedge, .hedge, .retry, .hedge, .hedge) && !hedges(.original, .retry, .hedge, .hedge))
    }

    @Test func `after a hedged attempt fails the policy waits for the copies, and retries when the last copy fails`() {
      func decision(failed: [AttemptPlan.Kind], underWay: Int) -> RetryDecision {
        let plans = plans(failed + Array(repeating: .hedge, count: underWay))
        let attempts = plans.prefix(failed.count).map {
          RetryAttempt(plan: $0, end: .zero, outcome: .response(503), outcomeClass: .transientFailure)
        }
        var random = RetryRandom(seed: 1)
        return policy.decision(
          after: attempts[attempts.count - 1],
          of: RetryRequest(attempts: attempts, underWay: Array(plans.suffix(underWay))), random: &random)
      }
      #expect(decision(failed: [.original], underWay: 1) == .wait)
      #expect(decision(failed: [.original, .hedge, .hedge], underWay: 0) == .retry(after: .seconds(1)))
      #expect(decision(failed: [.original, .retry, .hedge, .retry, .hedge], underWay: 0) == .stop)
    }
  }
}
