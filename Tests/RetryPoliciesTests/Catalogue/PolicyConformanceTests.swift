import RetryPolicies
import Testing
import URLLoading

extension RetryPoliciesTests {
  /// Rules for every policy in the catalogue; a new one is tested without a change here.
  struct PolicyConformanceTests {
    private static let names = RetryPolicyCatalogue.entries.map(\.name)

    @Test func `every policy has a unique name and a summary that fits a line`() throws {
      for entry in RetryPolicyCatalogue.entries {
        _ = try RetryPolicyCatalogue.named(entry.name.uppercased())
        #expect(entry.name == entry.name.lowercased() && !entry.name.contains(" "))
        #expect(!entry.summary.isEmpty && entry.summary.count <= 90)
      }
      #expect(Set(Self.names).count == Self.names.count)
    }

    @Test(arguments: names)
    func `a policy gives the same waits, of at most 6 h, for the same outcomes and random key`(name: String) throws {
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

    @Test(arguments: names)
    func `a policy repeats neither a success nor a permanent failure, and ends when all attempts fail`(
      name: String
    ) throws {
      let plan = try RetryPolicyPlan(name)
      #expect(try RetryPolicyPlan("\(plan)") == plan)
      for (status, attempts) in [(200, 1...1), (404, 1...1), (503, 1...10)] {
        let clock = TestClock()
        let server = FakeServer(clock, .status(status))
        let end = try inTestTime(clock) {
          let response = try? await server.data(
            for: URLRequest(url: URL(string: "https://example.com/feed")!), retry: plan.make(),
            clock: RetryClock(clock, origin: .init(time: .zero)), random: RetryRandom(seed: 1)
          ).1
          return (response as? HTTPURLResponse)?.statusCode
        }
        #expect(end == status && attempts.contains(server.starts.count), "\(status): \(server.starts)")
      }
    }
  }
}
