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
}
