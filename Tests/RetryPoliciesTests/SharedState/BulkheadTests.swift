import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  @Suite struct BulkheadTests {
    @Test func `as many attempts are under way as it has places, for each server`() {
      let bulkhead = Bulkhead(limit: 2)
      #expect(bulkhead.enter(host: "a") && bulkhead.enter(host: "a") && !bulkhead.enter(host: "a"))
      #expect(bulkhead.enter(host: "b"))
      bulkhead.leave(host: "a")
      #expect(bulkhead.count(host: "a") == 1 && bulkhead.enter(host: "a") && !bulkhead.enter(host: "a"))
      for _ in 0..<2 { bulkhead.leave(host: "a") }
      #expect(bulkhead.count(host: "a") == 0)
    }

    @Test func `an attempt takes a place until its end, and one that is refused takes none`() {
      let bulkhead = Bulkhead(limit: 1)
      let breaker = CircuitBreaker(threshold: 1, openTime: .seconds(1))
      let policy = ImmediateRetry().guarded(by: breaker).limited(by: bulkhead)
      let (request, plan) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original))
      #expect(policy.admits(plan, of: request) && bulkhead.count(host: "a") == 1)
      #expect(!policy.admits(AttemptPlan(number: 1, kind: .original), of: request))
      policy.didFinish(
        RetryAttempt(plan: plan, end: .zero, outcome: .failure(.timedOut), verdict: .transientFailure), of: request)
      #expect(bulkhead.count(host: "a") == 0)
      // What the circuit refuses gives its place back.
      #expect(!policy.admits(plan, of: request) && bulkhead.count(host: "a") == 0)
    }

    @Test func `a plan has a bulkhead that clients may share`() throws {
      let states = SharedStates()
      let plan = try RetryPolicyPlan("immediate + bulkhead(1, shared)")
      let policies = (0..<2).map { plan.make(SharedStates(common: states, client: $0)) }
      let (request, first) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original))
      #expect(policies[0].admits(first, of: request) && !policies[1].admits(first, of: request))
    }
  }
}
