import Foundation
import Testing
import URLLoading

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct LoadShedderTests {
    /// Offers a hundred attempts a second to a server that accepts `limit` of them.
    ///
    /// Returns how many attempts were sent in the last second.
    private func sent(_ shedder: LoadShedder, accepting limit: Int, seconds: Range<Int>) -> Int {
      var sent = 0
      for second in seconds {
        sent = 0
        for place in 0..<100 {
          let time = Duration.milliseconds(second * 1_000 + place * 10)
          guard shedder.admits(at: time) else { continue }
          sent += 1
          if sent <= limit { shedder.recordAccepted(at: time) }
        }
      }
      return sent
    }

    @Test(arguments: [(2.0, 10, 20), (2, 30, 60), (1.1, 10, 11), (2, 60, 100)])
    func `a load shedder sends a server about K times the attempts that the server accepts`(
      factor: Double, limit: Int, expected: Int
    ) {
      let shedder = LoadShedder(multiplier: factor)
      #expect(abs(sent(shedder, accepting: limit, seconds: 0..<600) - expected) <= 1)
    }

    @Test func `a sliding window of 10 s is over exactly 10 s after its last use`() {
      var window = SlidingWindow(.seconds(10), empty: 0)
      window.advance(to: .seconds(5))
      #expect(!window.isOver(at: .milliseconds(14_999)) && window.isOver(at: .seconds(15)))
    }

    @Test func `an attempt that is abandoned a whole window after its start changes no count`() {
      let shedder = LoadShedder(multiplier: 1, window: .seconds(10))
      let policy = NoRetry().shedding(by: shedder)
      for second in [0, 10] { #expect(shedder.admits(at: .seconds(second))) }
      policy.didFinish(
        RetryAttempt(
          plan: AttemptPlan(number: 1, kind: .original, start: .zero), end: .seconds(10), outcome: .abandoned,
          outcomeClass: .abandoned),
        of: RetryRequest())
      // Shares of 1/2 and 2/3 add up to a refusal.
      #expect([0, 1].map { _ in shedder.admits(at: .seconds(10)) } == [true, false])
    }

    @Test func `a load shedder with over a thousand servers forgets none that is in use`() {
      let shedder = LoadShedder()
      for _ in 0..<20 where shedder.admits(host: "used", at: .zero) { shedder.recordAccepted(host: "used", at: .zero) }
      for number in 0..<1_100 { _ = shedder.admits(host: "\(number)", at: .seconds(1)) }
      #expect((0..<20).allSatisfy { _ in shedder.admits(host: "used", at: .seconds(1)) })
    }

    @Test func `a client error counts as accepted, a server error and a lost connection do not`() {
      func isFull(_ outcome: AttemptOutcome) -> Bool {
        let shedder = LoadShedder()
        let policy = ImmediateRetry().shedding(by: shedder)
        let attempt = RetryAttempt(
          plan: AttemptPlan(number: 1, kind: .original), end: .zero, outcome: outcome,
          outcomeClass: policy.rules.outcomeClass(of: outcome))
        for _ in 0..<3 { policy.didFinish(attempt, of: RetryRequest()) }
        return (0..<6).contains { _ in !shedder.admits(at: .zero) }
      }
      #expect(!isFull(.response(404)) && !isFull(.response(200)))
      #expect(isFull(.response(503)) && isFull(.failure(URLError(.networkConnectionLost))))
    }

    @Test func `a client that cancels all its attempts sheds no load`() {
      let policy = ImmediateRetry().shedding(by: LoadShedder())
      for second in stride(from: 0, to: 1_000, by: 26) {
        // Both attempts are cancelled together, in a later slot of the window than the first attempt's.
        let plans = [second, second + 13].map { AttemptPlan(number: 1, kind: .original, start: .seconds($0)) }
        for plan in plans { #expect(policy.admits(plan, of: RetryRequest())) }
        for plan in plans {
          policy.didFinish(
            RetryAttempt(plan: plan, end: .seconds(second + 14), outcome: .abandoned, outcomeClass: .abandoned),
            of: RetryRequest())
        }
      }
    }

    @Test func `attempts that an open circuit refuses do not count for a load shedder`() {
      let breaker = CircuitBreaker(threshold: 1)
      let policy = ImmediateRetry().guarded(by: breaker).shedding(by: LoadShedder())
      func admits(at second: Int) -> Bool {
        policy.admits(AttemptPlan(number: 1, kind: .original, start: .seconds(second)), of: RetryRequest())
      }
      breaker.record(success: false, start: .zero, end: .zero)
      for second in 0..<30 { #expect(!admits(at: second)) }
      #expect(admits(at: 30))
      breaker.record(success: true, start: .seconds(30), end: .seconds(30))
      #expect(admits(at: 31))
    }

    @Test func `a load shedder refuses attempts as often as Google's formula says`() {
      let shedder = LoadShedder()
      // Attempt n + 1 adds (n - 0) / (n + 1) to the share to shed, and remainders carry over: 0, 1/2, 2/3, 3/4, 4/5 ...
      #expect((0..<6).map { _ in shedder.admits(at: .zero) } == [true, true, false, true, false, false])
      shedder.recordAccepted(at: .zero)
      shedder.recordAccepted(at: .zero)
      shedder.recordAccepted(at: .zero)
      // Six requests are exactly twice the three accepted ones.
      #expect(shedder.admits(at: .zero))
    }

    @Test func `a load shedder forgets attempts after its window, and counts each server separately`() {
      let shedder = LoadShedder(window: .seconds(10))
      for _ in 0..<100 { _ = shedder.admits(host: "a", at: .zero) }
      #expect(!shedder.admits(host: "a", at: .seconds(9)) || !shedder.admits(host: "a", at: .seconds(9)))
      #expect(shedder.admits(host: "b", at: .seconds(9)))
      #expect(shedder.admits(host: "a", at: .seconds(30)))
    }
  }
}
