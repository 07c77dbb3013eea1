import Foundation
import RetryPolicies
import Testing

extension RetryPoliciesTests {
  @Suite struct CatalogueTests {
    @Test func `every policy in the catalogue is found by its name in upper case`() throws {
      for entry in RetryPolicyCatalogue.entries {
        _ = try RetryPolicyCatalogue.named(entry.name.uppercased())
        #expect(entry.name == entry.name.lowercased() && !entry.name.contains(" "))
        #expect(!entry.summary.isEmpty && entry.summary.count <= 90)
      }
      #expect(Set(RetryPolicyCatalogue.entries.map(\.name)).count == RetryPolicyCatalogue.entries.count)
      #expect(try RetryPolicyCatalogue.named("full-jitter") is FullJitterBackoff)
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

    /// Tests every policy in the catalogue; also, no wait is longer than 6 h.
    @Test(arguments: RetryPolicyCatalogue.entries.map(\.name))
    func `a policy gives the same waits for the same outcomes and random key`(name: String) throws {
      for outcome in [AttemptOutcome.response(503), .failure(.timedOut), .response(429, headers: ["Retry-After": "3"])]
      {
        for seed in 0..<20 {
          let random = RetryRandom(seed: UInt64(seed))
          let first = try RetryPolicyCatalogue.named(name).delays(5, outcome: outcome, random: random)
          let second = try RetryPolicyCatalogue.named(name).delays(5, outcome: outcome, random: random)
          #expect(first == second)
          #expect(first.allSatisfy { $0 >= .zero && $0 <= .seconds(21_600) })
        }
      }
    }
  }
}
