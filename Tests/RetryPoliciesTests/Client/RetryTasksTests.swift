import Internals
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  /// Tests the tasks of a request in real time; those in virtual time are a task group.
  struct RetryTasksTests {
    private let clock = TestClock()
    private var time: RetryClock { RetryClock(clock, origin: .init(time: .zero)) }

    /// Work that ends when it is cancelled: nothing advances its clock.
    private func work(_ name: String) -> @Sendable () async -> String {
      { [time] in
        do {
          try await time.sleep(until: .seconds(1))
          return "\(name) has ended"
        } catch {
          return "\(name) was cancelled"
        }
      }
    }

    private func sleepers(_ count: Int) async {
      while clock.sleeperCount != count { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(5))) func `one piece of work can be cancelled alone, or all work`() async {
      var tasks = IndependentTasks<String>()
      _ = tasks.start(isCancellable: false, work("first"))
      let cancel = tasks.start(isCancellable: true, work("second"))
      cancel()
      #expect(await tasks.next() == "second was cancelled")
      tasks.cancelAll()
      #expect(await tasks.next() == "first was cancelled")
    }

    @Test func `unread events are delivered in the order in which they happened`() async {
      var tasks = IndependentTasks<String>()
      for seconds in 1...3 { tasks.wake(at: .seconds(seconds), by: time, "after \(seconds) s") }
      await sleepers(3)
      for left in (0..<3).reversed() {
        _ = clock.advance()
        await sleepers(left)
        if left == 2 { #expect(await tasks.next() == "after 1 s") }
      }
      #expect(await tasks.next() == "after 2 s")
      #expect(await tasks.next() == "after 3 s")
    }

    @Test func `cancelling everything also ends the sleep for a scheduled wake-up`() async {
      var tasks = IndependentTasks<String>()
      tasks.wake(at: .seconds(5), by: time, "woken")
      await sleepers(1)
      tasks.cancelAll()
      await sleepers(0)
      #expect(clock.now.time == .zero)
    }

    @Test(arguments: [true, false]) func `a cancelled caller stops waiting for events`(isCancelledBefore: Bool) async {
      let caller = Task {
        if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
        var tasks = IndependentTasks<String>()
        return await tasks.next()
      }
      caller.cancel()
      #expect(await caller.value == nil)
    }
  }
}
