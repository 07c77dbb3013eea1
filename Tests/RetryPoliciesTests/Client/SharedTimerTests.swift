import Internals
import Testing

@testable import RetryPolicies
import URLLoading

extension RetryPoliciesTests {
  struct SharedTimerTests {
    private let clock = TestClock()
    private final class Calls: Sendable {
      let names = Mutex<[String]>([])
    }
    private let calls = Calls()

    private var log: [String] { calls.names.withLock(\.self) }

    private func note(_ name: String) -> @Sendable () -> Void {
      { [clock, calls] in calls.names.withLock { $0.append("\(name) at \(clock.now.time.milliseconds)") } }
    }

    private func at(_ milliseconds: Int) -> TestClock.Instant { .init(time: .milliseconds(milliseconds)) }

    /// Waits until the timer, whose sleep is a task of its own, sleeps until this time.
    private func sleeps(until milliseconds: Int) async {
      while clock.nextEnd != at(milliseconds) { await Task.yield() }
    }

    private func called(_ count: Int) async {
      while log.count < count { await Task.yield() }
    }

    @Test func `calls are made in the order of their times, with one sleep at a time`() async {
      let timer = SharedTimer(clock)
      _ = timer.call(at: at(20), note("second"))
      await sleeps(until: 20)
      _ = timer.call(at: at(30), note("third"))
      // An earlier call cuts the sleep short.
      _ = timer.call(at: at(10), note("first"))
      await sleeps(until: 10)
      #expect(clock.sleeperCount == 1)
      for (index, time) in [10, 20, 30].enumerated() {
        await sleeps(until: time)
        _ = clock.advance()
        await called(index + 1)
      }
      #expect(log == ["first at 10", "second at 20", "third at 30"])
      #expect(clock.sleeperCount == 0)
    }

    @Test func `calls for one time are made in the order in which they were added`() async {
      let timer = SharedTimer(clock)
      for name in ["first", "second", "third"] { _ = timer.call(at: at(10), note(name)) }
      await sleeps(until: 10)
      _ = clock.advance()
      await called(3)
      #expect(log == ["first at 10", "second at 10", "third at 10"])
    }

    @Test func `a cancelled call is not made, and the timer sleeps on for the next`() async {
      let timer = SharedTimer(clock)
      let number = timer.call(at: at(10), note("cancelled"))
      _ = timer.call(at: at(20), note("kept"))
      await sleeps(until: 10)
      timer.cancel(number)
      _ = clock.advance()
      await sleeps(until: 20)
      _ = clock.advance()
      await called(1)
      #expect(log == ["kept at 20"])
    }

    @Test func `a call whose time has passed is made at once`() async {
      let timer = SharedTimer(clock)
      _ = timer.call(at: at(-5), note("late"))
      await called(1)
      #expect(log == ["late at 0"])
    }

    @Test func `cancelled calls do not pile up until their times`() {
      let timer = SharedTimer(clock)
      for _ in 0..<10_000 { timer.cancel(timer.call(at: at(10), {})) }
      #expect(timer.pendingCount < 100)
    }

    @Test func `by the continuous clock limits and cancellation end a request whose loader never does`() async throws {
      let attempts = Mutex<[CheckedContinuation<Void, Never>]>([])
      let deaf = RequestLoader { request in
        await withCheckedContinuation { attempt in attempts.withLock { $0.append(attempt) } }
        return (Data(), URLResponse(url: request.url!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
      }
      let request = URLRequest(url: URL(string: "https://example.com/")!)
      await #expect(throws: URLError(.timedOut)) {
        _ = try await deaf.data(for: request, retry: ImmediateRetry().deadline(.milliseconds(1)))
      }
      await #expect(throws: URLError(.timedOut)) {
        _ = try await deaf.data(for: request, retry: ImmediateRetry().perTryTimeout(.milliseconds(1)))
      }
      #expect(attempts.withLock(\.count) == 4)
      let task = Task { try await deaf.data(for: request, retry: ImmediateRetry().deadline(.seconds(3_600))) }
      while attempts.withLock(\.count) < 5 { await Task.yield() }
      task.cancel()
      await #expect(throws: URLError(.cancelled)) { _ = try await task.value }
      for attempt in attempts.withLock(\.self) { attempt.resume() }
    }
  }
}
