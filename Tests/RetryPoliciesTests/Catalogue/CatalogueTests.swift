import Foundation
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct CatalogueTests {
    @Test func `a policy is found by its name`() throws {
      #expect(try RetryPolicyCatalogue.named("full-jitter") is FullJitterBackoff)
    }

    @Test func `decorrelated jitter waits from its base up to its cap`() throws {
      let policy = try RetryPolicyPlan("decorrelated-jitter(base 1 s, cap 9 s, attempts 40)").make()
      let waits = policy.delays(30, random: RetryRandom(seed: 1))
      #expect(waits.allSatisfy { (.seconds(1) ... .seconds(9)).contains($0) })
      #expect(waits.contains { $0 > .seconds(5) })
    }

    @Test func `an unknown policy name throws an error that suggests similar names`() {
      #expect(throws: RetryError.unknownPolicy("full-jiter", near: ["full-jitter", "equal-jitter"])) {
        try RetryPolicyCatalogue.named("full-jiter")
      }
      #expect(throws: RetryError.unknownPolicy("budgets", near: ["budget"])) {
        try RetryPolicyCatalogue.named("budgets")
      }
      #expect(
        RetryError.unknownPolicy("x", near: ["y", "z"]).localizedDescription
          == #"no retry policy is called "x"; did you mean "y" or "z"? (netcond explain retry-policy)"#)
    }

    @Test func `a number of attempts has no fraction`() {
      let reason = #expect(throws: RetryError.self) { try RetryPolicyPlan("full-jitter(attempts 2.5)") }
      #expect("\(reason, default: "none")".contains("at 22: "))
    }

    @Test func `a budget by name allows retries up to its share of the requests`() throws {
      let policy = try RetryPolicyPlan("immediate + budget(50 %, reserve 0/s)").make()
      let budget = try #require(policy as? BudgetedPolicy).budget
      for _ in 0..<4 { budget.deposit(at: .zero) }
      #expect(budget.balance(at: .zero) == 2)
    }

    @Test func `the grammar shows each part with its usual values`() {
      #expect(
        RetryPolicyCatalogue.grammar.map { String($0.prefix { $0 != ":" }) } == [
          "none", "immediate(attempts 3)", "fixed(delay 1 s, attempts 3)",
          "linear(step 500 ms, cap 20 s, attempts 3)", "exponential(base 100 ms, factor 2, cap 20 s, attempts 3)",
          "full-jitter(base 100 ms, factor 2, cap 20 s, attempts 3)",
          "equal-jitter(base 100 ms, factor 2, cap 20 s, attempts 3)",
          "decorrelated-jitter(base 100 ms, cap 20 s, attempts 3)",
          "grpc(attempts 4, backoff 100 ms..1 s x2, throttle 10/0.1)",
          "grpc-hedging(attempts 4, delay 500 ms, throttle 10/0.1)",
          "budget(base 100 ms, factor 2, cap 20 s, attempts 3)",
          "sre-budget(base 100 ms, factor 2, cap 20 s, attempts 3)",
          "circuit-breaker(base 100 ms, factor 2, cap 20 s, attempts 3)",
          "hedging(base 100 ms, factor 2, cap 20 s, attempts 3)", "alamofire(attempts 3, scale 500 ms)",
          "urllib3(attempts 4, factor 0 s, jitter 0 s)", "+ budget(20 %, reserve 10/s, window 10 s, shared)",
          "+ throttle(10/0.1, shared)", "+ circuit-breaker(failures 5, open 30 s, probes 1, shared)",
          "+ rate-breaker(50 %, of 20, window 10 s, open 30 s, probes 1, slow never, shared)",
          "+ bulkhead(most, shared)", "+ shed(2, window 2 min, shared)", "+ path", "+ rate-limit(shared)",
          "+ hedge(after 1 s, copies 1, shared)", "+ attempts(most)", "+ per-try(time)", "+ deadline(time)",
          "+ retry-after(1 min, spread 50 %)", "+ any-method", "+ idempotency-key",
        ])
    }

    @Test func `two gRPC policies made by name have separate retry throttles`() throws {
      let one = try #require(try RetryPolicyCatalogue.named("grpc") as? GRPCRetry)
      let other = try #require(try RetryPolicyCatalogue.named("grpc") as? GRPCRetry)
      #expect(one.throttle !== other.throttle)
    }
  }
}
