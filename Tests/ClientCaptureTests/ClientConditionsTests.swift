import NetworkConditions
import Testing
import URLLoading

#if os(Linux)
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientConditionsTests {
    /// A thread outside of the simulations that waits for a signal.
    private final class Outsider: @unchecked Sendable {
      private let condition = NSCondition()
      private let (isWaiting, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

      init() {
        Thread { [self] in
          condition.withLock {
            isWaiting.signal()
            condition.wait()
          }
          isOver.signal()
        }.start()
        isWaiting.wait()
      }

      func wake() { condition.withLock { condition.signal() } }

      func ends() -> Bool { isOver.wait(timeout: .now() + 60) == .success }
    }

    @Test func `a client's signal wakes a thread outside of the run while another thread of the client waits`()
      async throws
    {
      let outsider = Outsider()
      _ = try await Simulation("unlimited", seed: 1) { _ in
        let own = NSCondition()
        Thread { _ = own.withLock { own.wait(until: Date(timeIntervalSinceNow: 3)) } }.start()
        try await Task.sleep(for: .seconds(1))
        outsider.wake()
      }
      #expect(outsider.ends())
    }

    @Test func `a thread woken by a condition variable holds the mutex again until it unlocks it`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.lockAfterWake() }
      #expect(run.elapsed == .seconds(3))
    }

    private static func lockAfterWake() {
      let condition = NSCondition()
      Thread {
        condition.withLock {
          condition.wait()
          Thread.sleep(forTimeInterval: 2)
        }
      }.start()
      Thread.sleep(forTimeInterval: 1)
      condition.withLock { condition.signal() }
      Thread.sleep(forTimeInterval: 0.5)
      condition.withLock {}
    }
  }
#endif
