import Foundation
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  /// The retry machine's actions as text, one line each, with their times in milliseconds.
  struct RetryCourseTests {
    /// Each attempt's outcome and its duration in milliseconds; other attempts never end.
    private typealias Ends = [Int: (after: Int, outcome: AttemptOutcome)]

    private func course(
      _ policy: some RetryPolicy, _ ends: Ends = [:], _ request: RetryRequest = RetryRequest(),
      cancelAt cancellation: Int? = nil
    ) -> [String] {
      var machine = RetryMachine(request, policy: policy, random: RetryRandom(seed: 1))
      var lines: [String] = []
      var open: [Int: Int] = [:]
      var now = request.start.milliseconds
      var actions = machine.begin()
      for _ in 0..<100 {
        for action in actions { lines.append("\(now) \(words(action, at: now, &open, ends))") }
        if machine.isFinished { return lines }
        let end = open.min { ($0.value, $0.key) < ($1.value, $1.key) }
        let wake = machine.nextWake?.milliseconds ?? .max
        if let cancellation, cancellation <= min(end?.value ?? .max, wake) {
          now = cancellation
          actions = machine.cancel(at: .milliseconds(now))
        } else if let end, end.value < wake, let script = ends[end.key] {
          (now, open[end.key]) = (end.value, nil)
          actions = machine.attemptEnded(
            end.key, outcome: script.outcome, at: .milliseconds(now), date: Date(timeIntervalSince1970: 0))
        } else if wake < .max {
          now = wake
          actions = machine.wake(at: .milliseconds(now))
        } else {
          return lines + ["it waits for ever"]
        }
      }
      return lines + ["it goes on for ever"]
    }

    private func words(_ action: RetryMachine.Action, at now: Int, _ open: inout [Int: Int], _ ends: Ends) -> String {
      switch action {
      case .start(let plan):
        if let end = ends[plan.number] { open[plan.number] = now + end.after }
        let backoff = plan.backoff.map { " of \($0.milliseconds)" } ?? ""
        return "\(plan.kind) \(plan.number) after \(plan.delay.milliseconds)\(backoff)"
      case .cancel(let number):
        open[number] = nil
        return "cancel \(number)"
      case .report(let attempt, let next):
        let what =
          switch next {
          case .done(let reason): reason.rawValue
          case .retry(let delay): "retry after \(delay.milliseconds)"
          case .retryWithNetwork(let delay): "with a network, retry after \(delay.milliseconds)"
          case .waits: "waits"
          }
        return "\(attempt.number) is a \(attempt.outcomeClass): \(what)"
      case .hold: return "wait for the network"
      case .finish(.attempt(let number)): return "the end is \(number)"
      case .finish(.failure(let error)):
        return "the end is \((error as? URLError).map { "\($0.code.rawValue)" } ?? "\(error)")"
      }
    }

    private let second = FixedBackoff(delay: .seconds(1))

    @Test func `each attempt has its own full per-try timeout and is cancelled when that ends`() {
      #expect(
        course(second.perTryTimeout(.seconds(3)).maximumAttempts(2)) == [
          "0 original 1 after 0", "3000 cancel 1", "3000 1 is a transientFailure: retry after 1000",
          "4000 retry 2 after 1000 of 1000", "7000 cancel 2", "7000 2 is a transientFailure: attemptsExhausted",
          "7000 the end is -1001",
        ])
    }

    @Test func `an answer before the per-try timeout ends the request, and nothing is cancelled`() {
      #expect(
        course(second.perTryTimeout(.milliseconds(500)), [1: (499, .response(200))]) == [
          "0 original 1 after 0", "499 1 is a success: success", "499 the end is 1",
        ])
      // After a timeout the next attempt's answer ends the request.
      #expect(
        course(second.perTryTimeout(.milliseconds(500)), [2: (100, .response(404))]).suffix(2) == [
          "1600 2 is a permanentFailure: permanentFailure", "1600 the end is 2",
        ])
    }

    @Test(arguments: [(1_009, false), (1_010, false), (1_011, true)])
    func `a retry starts only if its wait ends before the deadline`(deadline: Int, starts: Bool) {
      let lines = course(
        second.deadline(.milliseconds(deadline)), [1: (10, .response(503)), 2: (0, .response(200))])
      #expect(
        lines
          == (starts
            ? [
              "0 original 1 after 0", "10 1 is a transientFailure: retry after 1000", "1010 retry 2 after 1000 of 1000",
              "1010 2 is a success: success", "1010 the end is 2",
            ] : ["0 original 1 after 0", "10 1 is a transientFailure: deadline", "10 the end is 1"]))
    }

    @Test func `the deadline is counted from the request's start and ends the request exactly then`() {
      #expect(
        course(second.deadline(.milliseconds(500)), [:], RetryRequest(start: .milliseconds(70))) == [
          "70 original 1 after 0", "570 1 is a transientFailure: deadline", "570 the end is -1001",
        ])
      var machine = RetryMachine(
        RetryRequest(), policy: second.deadline(.milliseconds(500)).perTryTimeout(.milliseconds(400)),
        random: RetryRandom(seed: 1))
      _ = machine.begin()
      #expect(machine.nextWake == .milliseconds(400))
      #expect(machine.wake(at: .milliseconds(400) - .nanoseconds(1)).isEmpty)
      #expect(machine.wake(at: .milliseconds(400)).count == 3)
      #expect(machine.wake(at: .milliseconds(500) - .nanoseconds(1)).isEmpty)
      #expect(machine.isFinished)
    }

    @Test(arguments: 1...4)
    func `a request makes as many attempts as the maximum allows`(most: Int) {
      let ends = Ends(uniqueKeysWithValues: (1...9).map { ($0, (10, .response(503))) })
      let lines = course(ImmediateRetry().maximumAttempts(most), ends)
      #expect(lines.count { $0.contains(" original ") || $0.contains(" retry ") && !$0.contains("is a") } == most)
      #expect(
        lines.suffix(2) == [
          "\(most * 10) \(most) is a transientFailure: attemptsExhausted", "\(most * 10) the end is \(most)",
        ])
    }

    @Test func `a retry that starts late reports its actual wait`() {
      var machine = RetryMachine(RetryRequest(), policy: second, random: RetryRandom(seed: 1))
      _ = machine.begin()
      _ = machine.attemptEnded(1, outcome: .response(503), at: .milliseconds(10), date: Date())
      #expect(machine.nextWake == .milliseconds(1_010))
      #expect(machine.wake(at: .milliseconds(1_010) - .nanoseconds(1)).isEmpty)
      guard case .start(let plan)? = machine.wake(at: .milliseconds(1_500)).first else {
        Issue.record("no attempt starts")
        return
      }
      #expect(plan.start == .milliseconds(1_500) && plan.delay == .milliseconds(1_490))
      #expect(plan.decided == .milliseconds(10) && plan.backoff == .seconds(1))
    }

    @Test func `each hedge waits from the start of the attempt before, and the first answer abandons the others`() {
      let hedged = ImmediateRetry().hedged(after: .milliseconds(100), copies: 3)
      #expect(
        course(hedged, [2: (250, .response(200))]) == [
          "0 original 1 after 0", "100 hedge 2 after 100", "200 hedge 3 after 100", "300 hedge 4 after 100",
          "350 2 is a success: success", "350 1 is a abandoned: overtaken", "350 3 is a abandoned: overtaken",
          "350 4 is a abandoned: overtaken", "350 the end is 2",
        ])
    }

    @Test func `after a failure a retry waits until the hedge under way has failed too`() {
      let hedged = second.hedged(after: .milliseconds(100)).maximumAttempts(4)
      #expect(
        course(
          hedged,
          [1: (150, .response(503)), 2: (300, .response(503)), 3: (10, .response(200))]) == [
            "0 original 1 after 0", "100 hedge 2 after 100", "150 1 is a transientFailure: waits",
            "400 2 is a transientFailure: retry after 1000", "1400 retry 3 after 1000 of 1000",
            "1410 3 is a success: success", "1410 the end is 3",
          ])
    }

    @Test func `no hedge is sent while a retry waits`() {
      let policy = GRPCHedging(maximumAttempts: 5, delay: .milliseconds(100), throttle: nil)
      let pushback = AttemptOutcome.response(503, headers: ["grpc-retry-pushback-ms": "1000"])
      #expect(
        course(policy, [1: (50, pushback), 2: (10, .response(200))]) == [
          "0 original 1 after 0", "50 1 is a transientFailure: retry after 1000", "1050 retry 2 after 1000 of 1000",
          "1060 2 is a success: success", "1060 the end is 2",
        ])
    }

    @Test func `cancelling a request ends it at once and abandons its running attempts`() {
      #expect(
        course(ImmediateRetry().hedged(after: .milliseconds(100)), cancelAt: 150) == [
          "0 original 1 after 0", "100 hedge 2 after 100", "150 1 is a abandoned: cancelled",
          "150 2 is a abandoned: cancelled", "150 the end is -999",
        ])
      #expect(
        course(second, [1: (10, .response(503))], cancelAt: 500) == [
          "0 original 1 after 0", "10 1 is a transientFailure: retry after 1000", "500 the end is -999",
        ])
    }

    @Test func `a failed POST or a Retry-After that is too long ends a request without a retry`() {
      let ends: Ends = [1: (10, .response(503))]
      #expect(
        course(second, ends, RetryRequest(method: "POST")) == [
          "0 original 1 after 0", "10 1 is a transientFailure: notRepeatable", "10 the end is 1",
        ])
      let limited: Ends = [1: (10, .response(503, headers: ["Retry-After": "61"]))]
      #expect(
        course(second, limited).suffix(2) == ["10 1 is a transientFailure: retryAfterTooLong", "10 the end is 1"])
      #expect(
        course(second.hedged(after: .seconds(1)), ends, RetryRequest(method: "POST")).suffix(1) == ["10 the end is 1"])
    }

    @Test func `a retry that an open circuit would refuse ends the request without a wait`() {
      let breaker = CircuitBreaker(threshold: 1, openTime: .seconds(30))
      #expect(
        course(second.guarded(by: breaker), [1: (10, .response(503))]) == [
          "0 original 1 after 0", "10 1 is a transientFailure: denied", "10 the end is 1",
        ])
      #expect(course(second.guarded(by: breaker)) == ["0 the end is \(RetryError.refused)"])
    }

    @Test func `a retry that starts when the circuit's open time ends is the probe that closes the circuit`() {
      let breaker = CircuitBreaker(threshold: 1, openTime: .seconds(1))
      #expect(
        course(second.guarded(by: breaker), [1: (10, .response(503)), 2: (10, .response(200))]) == [
          "0 original 1 after 0", "10 1 is a transientFailure: retry after 1000", "1010 retry 2 after 1000 of 1000",
          "1020 2 is a success: success", "1020 the end is 2",
        ])
      #expect(breaker.state() == .closed(failures: 0))
    }
  }
}
