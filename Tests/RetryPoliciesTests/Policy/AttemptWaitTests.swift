import Foundation
import Testing
import URLLoading

@testable import RetryPolicies

extension RetryPoliciesTests {
  /// A policy whose attempts wait for their turns.
  struct AttemptWaitTests {
    /// Lets attempts start only at some times.
    private struct Turns: WrappingPolicy {
      let times: [Duration]
      var base: any RetryPolicy { ImmediateRetry() }
      func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration {
        times.first { $0 >= plan.start }.map { $0 - plan.start } ?? .zero
      }
    }

    private func machine(_ policy: any RetryPolicy) -> RetryMachine {
      RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
    }

    @Test func `the wait for a turn delays the first attempt as well as retries`() {
      var machine = machine(Turns(times: [.seconds(2), .seconds(4)]))
      #expect(machine.begin().isEmpty && machine.nextWake == .seconds(2))
      guard case .start(let plan) = machine.wake(at: .seconds(2)).first else {
        Issue.record("no attempt was started")
        return
      }
      #expect(plan == AttemptPlan(number: 1, kind: .original, start: .seconds(2), delay: .seconds(2)))
      _ = machine.attemptEnded(1, outcome: .response(503), at: .seconds(3), date: .init())
      #expect(machine.nextWake == .seconds(4))
      guard case .start(let retry) = machine.wake(at: .seconds(4)).first else {
        Issue.record("no retry was started")
        return
      }
      #expect(retry.number == 2 && retry.kind == .retry && retry.delay == .seconds(1) && retry.decided == .seconds(3))
    }

    @Test func `a request whose wait for a turn would end after the deadline fails at once`() {
      var machine = machine(Turns(times: [.seconds(2), .seconds(4)]).deadline(.seconds(1)))
      guard case .finish(.failure(let error))? = machine.begin().last else {
        Issue.record("the request goes on")
        return
      }
      #expect((error as? URLError)?.code == .timedOut)
    }

    @Test func `a retry whose wait for a turn would end after the deadline gives the last answer at once`() {
      var machine = machine(Turns(times: [.seconds(2), .seconds(4)]).deadline(.seconds(3)))
      _ = (machine.begin(), machine.wake(at: .seconds(2)))
      let actions = machine.attemptEnded(1, outcome: .response(503), at: .milliseconds(2_100), date: .init())
      guard case .finish(.attempt(1))? = actions.last else {
        Issue.record("the request goes on")
        return
      }
    }
  }
}
