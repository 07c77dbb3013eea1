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
          == #"no retry policy is called "x"; near names are "y", "z" (netcond explain retry-policy)"#)
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
      let lines = RetryPolicyCatalogue.grammar
      #expect(lines.contains("fixed(delay 1 s, attempts 3): waits the same time before each retry"))
      #expect(lines.contains("+ per-try(time): at most this long for each attempt"))
      #expect(lines.contains { $0.hasPrefix("+ hedge(after 1 s, copies 1, shared): ") })
    }

    @Test func `two gRPC policies made by name have separate retry throttles`() throws {
      let one = try #require(try RetryPolicyCatalogue.named("grpc") as? GRPCRetry)
      let other = try #require(try RetryPolicyCatalogue.named("grpc") as? GRPCRetry)
      #expect(one.throttle !== other.throttle)
    }
  }
}
