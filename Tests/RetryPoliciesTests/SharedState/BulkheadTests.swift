import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct BulkheadTests {
    @Test func `a bulkhead admits attempts up to its limit for each server`() {
      let bulkhead = Bulkhead(limit: 2)
      #expect(bulkhead.enter(host: "a") && bulkhead.enter(host: "a") && !bulkhead.enter(host: "a"))
      #expect(bulkhead.enter(host: "b"))
      bulkhead.leave(host: "a")
      #expect(bulkhead.count(host: "a") == 1 && bulkhead.enter(host: "a") && !bulkhead.enter(host: "a"))
      for _ in 0..<2 { bulkhead.leave(host: "a") }
      #expect(bulkhead.count(host: "a") == 0)
    }

    @Test func `leaving a bulkhead more often than entering it frees no further place`() {
      let bulkhead = Bulkhead(limits: 1...2)
      #expect(bulkhead.enter())
      bulkhead.leave(success: true)
      bulkhead.leave()
      #expect(bulkhead.count() == 0 && bulkhead.enter() && bulkhead.enter() && !bulkhead.enter())
    }

    @Test func `an attempt holds a bulkhead place until its end, and a refused attempt holds none`() {
      let bulkhead = Bulkhead(limit: 1)
      let breaker = CircuitBreaker(threshold: 1, openTime: .seconds(1))
      let policy = ImmediateRetry().guarded(by: breaker).limited(by: bulkhead)
      let (request, plan) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original))
      #expect(policy.admits(plan, of: request) && bulkhead.count(host: "a") == 1)
      #expect(!policy.admits(AttemptPlan(number: 1, kind: .original), of: request))
      policy.didFinish(
        RetryAttempt(plan: plan, end: .zero, outcome: .failure(.timedOut), outcomeClass: .transientFailure), of: request
      )
      #expect(bulkhead.count(host: "a") == 0)
      // An attempt that the circuit refuses frees its bulkhead place.
      #expect(!policy.admits(plan, of: request) && bulkhead.count(host: "a") == 0)
    }

    @Test func `a bulkhead with two limits raises and lowers its limit like Netflix's AIMDLimit`() {
      let bulkhead = Bulkhead(limits: 10...12)
      func attempts(_ count: Int, _ success: Bool?) {
        for _ in 0..<count { #expect(bulkhead.enter()) }
        for _ in 0..<count { bulkhead.leave(success: success) }
      }
      #expect(bulkhead.limit() == 10)
      // Fewer than half of the places are taken, so the limit does not rise.
      attempts(4, true)
      #expect(bulkhead.limit() == 10)
      // The first of five leaves half of ten taken places; the next has fewer than half of eleven.
      attempts(5, true)
      #expect(bulkhead.limit() == 11)
      attempts(10, true)
      #expect(bulkhead.limit() == 12)
      attempts(1, nil)
      #expect(bulkhead.limit() == 12)
      attempts(1, false)
      #expect(bulkhead.limit() == 10)
      attempts(1, false)
      #expect(bulkhead.limit() == 10)
      let steep = Bulkhead(limits: 1...100)
      for count in 1...20 {
        for _ in 0..<count { #expect(steep.enter()) }
        steep.leave(success: true)
        for _ in 1..<count { steep.leave() }
      }
      #expect(steep.limit() == 21)
      for limit in [18, 16, 14, 12, 10, 9] {
        #expect(steep.enter())
        steep.leave(success: false)
        #expect(steep.limit() == limit)
      }
    }

    @Test func `answers raise a bulkhead's limit, timeouts lower the limit, and abandoned attempts change nothing`() {
      let bulkhead = Bulkhead(limits: 1...2)
      let policy = ImmediateRetry().limited(by: bulkhead)
      let (request, plan) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original))
      func limit(after outcome: AttemptOutcome) -> Int {
        #expect(policy.admits(plan, of: request))
        policy.didFinish(
          RetryAttempt(plan: plan, end: .zero, outcome: outcome, outcomeClass: policy.rules.outcomeClass(of: outcome)),
          of: request)
        return bulkhead.limit(host: "a")
      }
      #expect(limit(after: .response(200)) == 2)
      #expect(limit(after: .abandoned) == 2)
      #expect(limit(after: .response(404)) == 2)
      #expect(limit(after: .failure(.timedOut)) == 1)
    }

    @Test func `a bulkhead remembers a limited number of idle servers`() {
      let bulkhead = Bulkhead(limits: 1...2)
      for number in 0..<mostServers + 50 {
        #expect(bulkhead.enter(host: "\(number)"))
        bulkhead.leave(host: "\(number)", success: true)
      }
      #expect(bulkhead.serverCount == mostServers)
      #expect(bulkhead.limit(host: "0") == 2)
    }

    @Test func `a policy plan can make a bulkhead that clients share`() throws {
      let states = SharedStates()
      let plan = try RetryPolicyPlan("immediate + bulkhead(1, shared)")
      let policies = (0..<2).map { plan.make(SharedStates(common: states, client: $0)) }
      let (request, first) = (RetryRequest(host: "a"), AttemptPlan(number: 1, kind: .original))
      #expect(policies[0].admits(first, of: request) && !policies[1].admits(first, of: request))
    }

    @Test func `a bulkhead with the largest integer as limit accepts failures`() {
      let bulkhead = Bulkhead(limit: .max)
      #expect(bulkhead.enter())
      bulkhead.leave(success: false)
      #expect(bulkhead.limit() == .max)
    }
  }
}
