import Foundation
import Internals
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct RetryMachineTests {
    /// A policy that counts the calls of its methods.
    private struct Counting: WrappingPolicy {
      final class Counts: Sendable {
        let admitted = Mutex(0)
        let finished = Mutex<[Int]>([])
      }
      let base: any RetryPolicy
      let rules: RetryRules
      let counts = Counts()

      func decision(
        after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
      ) -> RetryDecision {
        base.decision(after: attempt, of: request, random: &random)
      }
      func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? {
        base.hedgeDelay(after: plan, of: request)
      }
      func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { base.grants(plan, of: request) }
      func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
        let admits = base.admits(plan, of: request)
        if admits { counts.admitted.withLock { $0 += 1 } }
        return admits
      }
      func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
        counts.finished.withLock { $0.append(attempt.number) }
        base.didFinish(attempt, of: request)
      }
    }

    private static func rules(_ base: RetryRules, _ random: inout RetryRandom) -> RetryRules {
      var rules = base
      rules.maximumAttempts = Int.random(in: 1...6, using: &random)
      rules.methods = Bool.random(using: &random) ? .any : .idempotent
      if Bool.random(using: &random) { rules.deadline = random.duration(to: .seconds(9)) }
      if Bool.random(using: &random) { rules.perTryTimeout = random.duration(to: .seconds(3)) }
      return rules
    }

    /// Also tests that each attempt is reported once, and that late events have no effect.
    @Test(arguments: RetryPolicyCatalogue.entries.map(\.name))
    func `under random events each request ends exactly once, within its maximum of attempts`(name: String) throws {
      let outcomes: [AttemptOutcome] = [
        .response(200), .response(503), .response(404), .failure(.timedOut), .failure(.networkConnectionLost),
        .response(429, headers: ["Retry-After": "2"]), .response(503, headers: ["grpc-retry-pushback-ms": "70"]),
        .response(503, headers: ["grpc-retry-pushback-ms": "-1"]),
      ]
      for seed in 0..<300 as Range<UInt64> {
        var random = RetryRandom(seed: seed)
        let base = try RetryPolicyCatalogue.named(name)
        let policy = Counting(base: base, rules: Self.rules(base.rules, &random))
        var machine = RetryMachine(
          RetryRequest(method: Bool.random(using: &random) ? "GET" : "POST"), policy: policy,
          random: RetryRandom(seed: seed))
        var ends: [Int: Duration] = [:]
        var reported: [Int] = []
        var finishes = 0
        var started = 0
        var now = Duration.zero
        let date = Date(timeIntervalSince1970: 0)
        var actions = machine.begin()
        for _ in 0..<1_000 {
          for action in actions {
            switch action {
            case .start(let plan):
              started += 1
              #expect(plan.number == started && plan.start == now)
              ends[plan.number] = now + random.duration(to: .seconds(4))
            case .cancel(let number): #expect(ends.removeValue(forKey: number) != nil)
            case .report(let attempt, _): reported.append(attempt.number)
            case .hold: Issue.record("no policy here waits for a network")
            case .finish: finishes += 1
            }
          }
          guard !machine.isFinished else { break }
          // The next event: an attempt's end, the machine's wake time, or rarely a cancellation by the caller.
          let end = ends.min { ($0.value, $0.key) < ($1.value, $1.key) }
          if random.next() % 64 == 0 {
            actions = machine.cancel(at: now)
            continue
          }
          if let end, end.value < machine.nextWake ?? .seconds(999) {
            now = end.value
            ends[end.key] = nil
            actions = machine.attemptEnded(
              end.key, outcome: outcomes.randomElement(using: &random)!, at: now, date: date)
            continue
          }
          now = max(now, try #require(machine.nextWake))
          actions = machine.wake(at: now)
        }
        #expect(machine.isFinished && finishes == 1 && machine.nextWake == nil)
        #expect(started <= policy.rules.maximumAttempts!)
        #expect(reported.sorted() == Array(1...max(1, started)).prefix(started).map(\.self))
        #expect(policy.counts.finished.withLock(\.self) == reported)
        #expect(policy.counts.admitted.withLock(\.self) == started)
        // Late events have no effect.
        #expect(machine.attemptEnded(1, outcome: .response(200), at: now, date: date).isEmpty)
        #expect(machine.wake(at: now + .seconds(99)).isEmpty && machine.cancel(at: now).isEmpty)
      }
    }

    @Test func `if the network returns too late for a retry, the last answer is returned at once`() {
      let policy = Held().deadline(.seconds(20))
      var machine = RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
      _ = machine.begin()
      _ = machine.attemptEnded(1, outcome: .response(503), at: .zero, date: Date())
      guard case .finish(.attempt(1))? = machine.networkReturned(at: .seconds(11)).last else {
        Issue.record("the request goes on until \(String(describing: machine.nextWake))")
        return
      }
    }

    @Test func `a network that returns after the request's deadline starts no retry`() {
      var machine = RetryMachine(RetryRequest(), policy: Held().deadline(.seconds(20)), random: RetryRandom(seed: 1))
      _ = machine.begin()
      _ = machine.attemptEnded(1, outcome: .response(503), at: .zero, date: Date())
      _ = machine.wake(at: .seconds(20))
      #expect(machine.isFinished && machine.networkReturned(at: .seconds(21)).isEmpty)
    }

    /// A policy that waits for the network before each retry, and then for 10 s.
    private struct Held: WrappingPolicy {
      var base: any RetryPolicy { FixedBackoff(delay: .seconds(10)) }
      func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)? { {} }
    }

    /// A simulated clock wakes at whole nanoseconds: a wait with a fraction would wake too early again and again.
    @Test func `a wait with a fraction of a nanosecond is rounded up`() {
      let policy = FixedBackoff(delay: .seconds(1) / 3).perTryTimeout(.seconds(2) / 3)
      var machine = RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
      _ = machine.begin()
      #expect(machine.nextWake == .nanoseconds(666_666_667))
      _ = machine.attemptEnded(1, outcome: .response(503), at: .zero, date: Date())
      #expect(machine.nextWake == .nanoseconds(333_333_334))
    }

    @Test func `a gRPC throttle that is exhausted stops hedges`() {
      let throttle = RetryThrottle()
      for _ in 0..<5 { throttle.recordFailure(host: "a") }
      var machine = RetryMachine(
        RetryRequest(host: "a"), policy: GRPCHedging(throttle: throttle), random: RetryRandom(seed: 1))
      _ = machine.begin()
      #expect(machine.nextWake == .milliseconds(500))
      #expect(machine.wake(at: .milliseconds(500)).isEmpty)
      #expect(machine.nextWake == nil)
    }

    @Test func `an attempt that an open circuit refuses deposits nothing in the retry budget`() {
      let breaker = CircuitBreaker(threshold: 1, openTime: .seconds(1))
      let budget = RetryBudget(minimumPerSecond: 0, share: 1)
      let policy = FullJitterBackoff().budgeted(by: budget).guarded(by: breaker)
      breaker.record(success: false, host: "a", start: .zero, end: .zero)
      let request = RetryRequest(host: "a")
      #expect(!policy.admits(AttemptPlan(number: 1, kind: .original), of: request))
      #expect(budget.balance(at: .zero) == 0)
      #expect(policy.admits(AttemptPlan(number: 1, kind: .original, start: .seconds(1)), of: request))
      #expect(budget.balance(at: .seconds(1)) == 1)
    }
  }
}
