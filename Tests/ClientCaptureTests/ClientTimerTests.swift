import Internals
import NetworkConditions
import Testing
import URLLoading

#if os(Linux)
  /// A captured client's timers fire when libdispatch's timers would.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientTimerTests {
    /// Returns the seconds at which a timer fires within ten seconds, when `use` has set it.
    private static func firings(
      _ use: @escaping @Sendable (any DispatchSourceTimer, DispatchQueue) -> Void
    ) async throws -> [Duration] {
      let firings = Locked<[Duration]>([])
      _ = try await Simulation("unlimited", seed: 1) { network in
        let queue = DispatchQueue(label: "timer")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {
          firings.withLock { $0.append(SimulatedInstant.zero.duration(to: network.now)) }
        }
        use(timer, queue)
        timer.resume()
        try await Task.sleep(for: .milliseconds(10_500))
        timer.cancel()
      }
      return firings.value
    }

    @Test func `a repeating timer fires after each interval`() async throws {
      let firings = try await Self.firings { timer, _ in timer.schedule(deadline: .now() + 1, repeating: 3) }
      #expect(firings == [.seconds(1), .seconds(4), .seconds(7), .seconds(10)])
    }

    @Test func `a timer does not fire after its cancellation`() async throws {
      let firings = try await Self.firings { timer, queue in
        timer.schedule(deadline: .now() + 1, repeating: 1)
        nonisolated(unsafe) let timer = timer
        queue.asyncAfter(deadline: .now() + 2.5) { timer.cancel() }
      }
      #expect(firings == [.seconds(1), .seconds(2)])
    }

    @Test func `a cancelled timer does not keep a deadlocked run alive`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in
          let timer = DispatchSource.makeTimerSource()
          timer.schedule(deadline: .now() + 1, repeating: 1)
          timer.setEventHandler {}
          timer.resume()
          timer.cancel()
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
      guard case .deadlock = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a rescheduled timer fires only at its new time`() async throws {
      let firings = try await Self.firings { timer, queue in
        timer.schedule(deadline: .now() + 5)
        nonisolated(unsafe) let timer = timer
        queue.asyncAfter(deadline: .now() + 1) { timer.schedule(deadline: .now() + 8) }
      }
      #expect(firings == [.seconds(9)])
    }

    @Test func `a delay until a wall-clock time takes virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(wallDeadline: .now() + 3) { continuation.resume() }
        }
      }
      #expect(run.elapsed == .seconds(3))
    }
  }
#endif
