import Foundation
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct CircuitBreakerTests {
    private let breaker = CircuitBreaker(threshold: 3, openTime: .seconds(30), probeLimit: 1)

    private func end(_ success: Bool?, at second: Int, host: String = "") {
      breaker.record(success: success, host: host, start: .seconds(second), end: .seconds(second))
    }

    @Test func `consecutive failures open a circuit breaker, and a success in between resets the count`() {
      end(false, at: 1)
      end(false, at: 2)
      end(true, at: 3)
      end(false, at: 4)
      end(false, at: 5)
      #expect(breaker.state() == .closed(failures: 2))
      #expect(breaker.admits(at: .seconds(5)))
      end(false, at: 6)
      #expect(breaker.state() == .open(until: .seconds(36)))
      #expect(!breaker.admits(at: .seconds(35)))
      #expect(breaker.admits(host: "other", at: .seconds(35)))
    }

    @Test func `a success never opens a circuit breaker, even at the failure rate`() {
      let breaker = CircuitBreaker(failureRate: 0.5, ofAtLeast: 2)
      breaker.record(success: false, start: .seconds(1), end: .seconds(1))
      breaker.record(success: true, start: .seconds(2), end: .seconds(2))
      #expect(breaker.state() == .closed(failures: 1))
    }

    @Test func `a circuit that closes soon after it opened forgets its failures`() {
      let breaker = CircuitBreaker(failureRate: 0.5, ofAtLeast: 2, openTime: .seconds(1))
      for second in 1...2 { breaker.record(success: false, start: .seconds(second), end: .seconds(second)) }
      #expect(breaker.state() == .open(until: .seconds(3)))
      #expect(breaker.admits(at: .seconds(3)))
      for success in [true, false] { breaker.record(success: success, start: .seconds(3), end: .seconds(4)) }
      #expect(breaker.state() == .closed(failures: 1))
    }

    @Test func `a probe that the wrapped policy refuses leaves its place to another probe`() {
      let bulkhead = Bulkhead(limit: 1)
      let policy = NoRetry().limited(by: bulkhead).guarded(by: breaker)
      for second in 1...3 { end(false, at: second) }
      #expect(bulkhead.enter())
      let plan = AttemptPlan(number: 1, kind: .original, start: .seconds(33))
      #expect(!policy.admits(plan, of: RetryRequest()))
      bulkhead.leave()
      #expect(policy.admits(plan, of: RetryRequest()))
    }

    @Test func `forgetting a server keeps the exempt one and removes the one with the least weight`() {
      var weights = ["a": 3, "b": 2, "c": 1]
      weights.forgetLeast(beyond: 2, except: "c") { $0 }
      #expect(weights == ["a": 3, "c": 1])
    }

    @Test func `after its open time a breaker admits one probe, whose result opens or closes the circuit`() {
      for second in 1...3 { end(false, at: second) }
      #expect(breaker.admits(at: .seconds(33)))
      #expect(!breaker.admits(at: .seconds(34)))
      // An attempt that started before the circuit opened does not count.
      end(true, at: 3)
      #expect(breaker.state() == .halfOpen(since: .seconds(33), probes: 1))
      end(false, at: 34)
      #expect(breaker.state() == .open(until: .seconds(64)))
      #expect(breaker.admits(at: .seconds(64)))
      end(true, at: 65)
      #expect(breaker.state() == .closed(failures: 0))
    }

    @Test func `a breaker admits as many probes as its limit, from exactly the end of its open time`() {
      let breaker = CircuitBreaker(threshold: 1, openTime: .seconds(30), probeLimit: 2)
      breaker.record(success: false, start: .zero, end: .seconds(1))
      #expect(!breaker.admits(at: .seconds(31) - .nanoseconds(1)))
      #expect(breaker.admits(at: .seconds(31)))
      #expect(breaker.state() == .halfOpen(since: .seconds(31), probes: 1))
      #expect(breaker.admits(at: .seconds(32)))
      #expect(!breaker.admits(at: .seconds(33)))
      // Only attempts that started in the half-open state count.
      breaker.record(success: false, start: .seconds(31) - .nanoseconds(1), end: .seconds(34))
      #expect(breaker.state() == .halfOpen(since: .seconds(31), probes: 2))
      breaker.record(success: nil, start: .seconds(31), end: .seconds(34))
      #expect(breaker.state() == .halfOpen(since: .seconds(31), probes: 1))
      breaker.record(success: true, start: .seconds(31), end: .seconds(35))
      #expect(breaker.state() == .closed(failures: 0))
    }

    @Test func `a breaker's open time starts at the end of the last failed attempt`() {
      let breaker = CircuitBreaker(threshold: 2, openTime: .seconds(5))
      breaker.record(success: false, start: .seconds(1), end: .seconds(4))
      #expect(breaker.state() == .closed(failures: 1))
      breaker.record(success: false, start: .seconds(2), end: .seconds(9))
      #expect(breaker.state() == .open(until: .seconds(14)))
      // An attempt that ends while the circuit is open has no effect.
      breaker.record(success: true, start: .seconds(2), end: .seconds(10))
      #expect(breaker.state() == .open(until: .seconds(14)))
    }

    @Test func `a failure rate opens a breaker only after enough attempts within the window`() {
      let breaker = CircuitBreaker(failureRate: 0.5, ofAtLeast: 4, within: .seconds(10), openTime: .seconds(30))
      func end(_ success: Bool, at second: Int, host: String = "") {
        breaker.record(success: success, host: host, start: .seconds(second), end: .seconds(second))
      }
      // Three failures are fewer than the four attempts that a rate needs.
      for second in 0..<3 { end(false, at: second, host: "few") }
      #expect(breaker.state(host: "few") == .closed(failures: 3))
      // Two failures of four attempts open the circuit; a success never opens it.
      end(false, at: 0)
      end(true, at: 1)
      end(true, at: 2)
      #expect(breaker.state() == .closed(failures: 1))
      end(false, at: 3)
      #expect(breaker.state() == .open(until: .seconds(33)))
      // After a successful probe the count starts at zero.
      #expect(breaker.admits(at: .seconds(33)))
      end(true, at: 34)
      for _ in 0..<3 { end(false, at: 35) }
      #expect(breaker.state() == .closed(failures: 3))
      // Outcomes are forgotten after 10 s, slot by slot.
      end(false, at: 0, host: "old")
      for second in [9, 10, 11] { end(second == 10, at: second, host: "old") }
      #expect(breaker.state(host: "old") == .closed(failures: 2))
    }

    @Test func `slow attempts open a breaker even if they succeed, and a slow probe opens it again`() {
      let breaker = CircuitBreaker(failureRate: 0.5, ofAtLeast: 4, slow: .seconds(2), openTime: .seconds(30))
      func end(_ success: Bool?, from start: Int, to end: Int) {
        breaker.record(success: success, start: .seconds(start), end: .seconds(end))
      }
      // An attempt of exactly 2 s is not slow, and one cancelled by then does not count.
      for start in 0..<3 { end(true, from: start, to: start + 2) }
      end(nil, from: 3, to: 5)
      end(true, from: 3, to: 6)
      #expect(breaker.state() == .closed(failures: 1))
      end(nil, from: 3, to: 7)
      #expect(breaker.state() == .closed(failures: 2))
      end(true, from: 5, to: 8)
      #expect(breaker.state() == .open(until: .seconds(38)))
      #expect(breaker.admits(at: .seconds(38)))
      end(true, from: 38, to: 41)
      #expect(breaker.state() == .open(until: .seconds(71)))
    }

    @Test(arguments: [(0.55, 55), (0.07, 7), (0.29, 29), (1, 100), (0.001, 1)])
    func `a breaker opens at exactly its failure rate, despite rounding errors`(share: Double, count: Int) {
      let breaker = CircuitBreaker(failureRate: share, ofAtLeast: 100)
      #expect(breaker.threshold == count)
      for number in 0..<100 {
        #expect(!breaker.isOpen(host: "", at: .zero))
        breaker.record(success: number < 100 - count, start: .zero, end: .zero)
      }
      #expect(breaker.isOpen(host: "", at: .zero))
    }

    @Test func `a breaker that is opened by hand refuses until the given time, then admits a probe`() {
      breaker.open(host: "a", until: .seconds(7))
      #expect(!breaker.admits(host: "a", at: .seconds(6)) && breaker.admits(host: "b", at: .seconds(6)))
      #expect(breaker.admits(host: "a", at: .seconds(7)))
      breaker.record(success: true, host: "a", start: .seconds(7), end: .seconds(8))
      #expect(breaker.state(host: "a") == .closed(failures: 0))
    }

    @Test func `a breaker limits how many successful servers it remembers, and keeps a failed one`() {
      let breaker = CircuitBreaker(failureRate: 0.5)
      for number in 0..<mostServers + 50 {
        breaker.record(success: number == 0 ? false : true, host: "\(number)", start: .zero, end: .zero)
      }
      #expect(breaker.serverCount == mostServers)
      #expect(breaker.state(host: "0") == .closed(failures: 1))
    }

    @Test func `an abandoned probe makes room for another probe`() {
      for second in 1...3 { end(false, at: second) }
      #expect(breaker.admits(at: .seconds(40)))
      end(nil, at: 41)
      #expect(breaker.admits(at: .seconds(42)))
    }

    @Test func `a breaker forgets servers without failures, and limits how many others it remembers`() {
      breaker.record(success: true, host: "good", start: .zero, end: .zero)
      #expect(breaker.serverCount == 0)
      for second in 1...3 { end(false, at: second, host: "down") }
      let count = mostServers + 50
      for number in 0..<count { end(false, at: number, host: "\(number)") }
      #expect(breaker.serverCount == mostServers)
      #expect(breaker.state(host: "down") == .open(until: .seconds(33)))
      #expect(breaker.state(host: "\(count - 1)") == .closed(failures: 1))
    }

    @Test func `a client error such as 404 counts as a success for a circuit breaker`() {
      let policy = ImmediateRetry().guarded(by: breaker)
      let request = RetryRequest(host: "")
      func tell(_ outcome: AttemptOutcome) {
        policy.didFinish(
          RetryAttempt(
            plan: AttemptPlan(number: 1, kind: .original), end: .zero, outcome: outcome,
            outcomeClass: policy.rules.outcomeClass(of: outcome)),
          of: request)
      }
      tell(.response(503))
      tell(.failure(.timedOut))
      tell(.response(404))
      #expect(breaker.state() == .closed(failures: 0))
      tell(.failure(.serverCertificateUntrusted))
      #expect(breaker.state() == .closed(failures: 1))
    }

    @Test func `a circuit that needs the largest integer of attempts never opens`() {
      let breaker = CircuitBreaker(failureRate: 1, ofAtLeast: .max)
      breaker.record(success: false, start: .zero, end: .zero)
      #expect(breaker.admits(at: .zero))
    }
  }
}
