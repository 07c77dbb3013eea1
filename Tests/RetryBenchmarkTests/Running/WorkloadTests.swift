import Foundation
import NetworkConditions
import RetryPolicies
import Testing

@testable import RetryBenchmark

struct WorkloadTests {
  @Test func `a workload's deadline replaces the policy's, and its per-try timeout applies if the policy has none`() {
    let policy = ImmediateRetry().deadline(.seconds(9))
    let limited = Workload(deadline: .seconds(2), perTry: .seconds(1)).limited(policy).rules
    #expect(limited.deadline == .seconds(2) && limited.perTryTimeout == .seconds(1))
    let own = Workload(perTry: .seconds(1)).limited(policy.perTryTimeout(.seconds(4))).rules
    #expect(own.deadline == .seconds(9) && own.perTryTimeout == .seconds(4))
    #expect(Workload().limited(policy).rules.deadline == .seconds(9))
  }

  @Test func `a workload's answers are as long as the body that is given`() {
    var workload = Workload(responseBody: Data(count: 3))
    #expect(workload.responseBytes == 3)
    workload.responseBody = Data(count: 5)
    #expect(workload.responseBytes == 5)
    workload.responseBody = nil
    #expect(workload.responseBytes == 5)
  }

  @Test func `an open loop may have all answers under way at once, and a closed loop one for each client`() {
    func problem(clients: Int, requests: Int, every: TimeDistribution?) -> String? {
      Workload(clients: clients, requestsPerClient: requests, every: every, responseBytes: 1 << 20).problem
    }
    // There is room for 1024 answers of 1 MiB.
    #expect(problem(clients: 1_024, requests: 2, every: nil) == nil)
    #expect(problem(clients: 2, requests: 512, every: .seconds(1)) == nil)
    #expect(
      problem(clients: 2, requests: 513, every: .seconds(1))?
        .hasPrefix("1026 answers of 1048576 bytes that may be in flight at once") == true)
    #expect(problem(clients: 1_025, requests: 2, every: nil)?.hasPrefix("1025 answers") == true)
  }

  @Test func `a workload's circumstances are shown with times of three digits, and longer ones in minutes`() {
    func text(_ arrival: Workload.Arrival, clients: Int = 2) -> String {
      Workload(
        clients: clients, think: .seconds(2), every: .seconds(3), arrival: arrival, deadline: .milliseconds(99_900),
        perTry: .milliseconds(99_960)
      ).circumstances(ServerModel())
    }
    let loop = "open loop: every 3 s; thinking 2 s"
    let limits = "deadline 99.9 s; each try up to 1 min 40 s"
    #expect(text(.poisson(over: .milliseconds(12_500))).hasSuffix("; \(loop); arrival over 12.5 s; \(limits)"))
    #expect(text(.evenly(over: .seconds(150))).hasSuffix("; \(loop); arrival evenly over 2 min 30 s; \(limits)"))
    #expect(text(.together).hasSuffix("; \(loop); all arrive together; \(limits)"))
    #expect(text(.together, clients: 1).hasSuffix("; \(loop); \(limits)"))
  }
}
