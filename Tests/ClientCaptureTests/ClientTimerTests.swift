import Internals
import NetworkConditions
import Testing
import URLLoading

#if os(Linux)
  /// A captured client's timers fire when libdispatch's timers would.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientTimerTests {
    /// Returns the seconds at which a timer fires within ten seconds, when `use` has set it.
    private static func firings(
      activates: Bool = true, suspensionsLeft left: Int = 0, firstTakes pause: Double = 0,
      _ use: @escaping @Sendable (any DispatchSourceTimer, DispatchQueue) -> Void
    ) async throws -> [Duration] {
      let (firings, pauses) = (Locked<[Duration]>([]), Locked([pause]))
      _ = try await Simulation("unlimited", seed: 1) { network in
        let queue = DispatchQueue(label: "timer")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {
          firings.withLock { $0.append(SimulatedInstant.zero.duration(to: network.now)) }
          if let slow = pauses.withLock({ $0.popLast() }) { Thread.sleep(forTimeInterval: slow) }
        }
        use(timer, queue)
        if activates { timer.resume() }
        try await Task.sleep(for: .milliseconds(10_500))
        timer.cancel()
        // A source must not be released before it is active and no longer suspended.
        timer.activate()
        for _ in 0..<left { timer.resume() }
      }
      return firings.value
    }

    @Test func `a repeating timer fires after each interval`() async throws {
      let firings = try await Self.firings { timer, _ in timer.schedule(deadline: .now() + 1, repeating: 3) }
      #expect(firings == [.seconds(1), .seconds(4), .seconds(7), .seconds(10)])
    }

    @Test func `a timer with an interval of 292 years fires once`() async throws {
      let firings = try await Self.firings { timer, _ in
        timer.schedule(deadline: .now() + 1, repeating: .seconds(9_223_372_036))
      }
      #expect(firings == [.seconds(1)])
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
      // Not even until the timer would have fired.
      guard case .deadlock(.zero, _, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a timer that is released does not fire`() async throws {
      let count = Locked(0)
      _ = try await Simulation("unlimited", seed: 1) { _ in
        do {
          let timer = DispatchSource.makeTimerSource()
          timer.schedule(deadline: .now() + 1, repeating: 1)
          timer.setEventHandler { count.withLock { $0 += 1 } }
          timer.resume()
        }
        try await Task.sleep(for: .seconds(5))
      }
      #expect(count.value == 0)
    }

    @Test func `a cancelled timer releases what its handler captured`() async throws {
      final class Token: Sendable {}
      let kept = Locked<WeakReference<Token>?>(nil)
      _ = try await Simulation("unlimited", seed: 1) { _ in
        let timer = DispatchSource.makeTimerSource()
        let token = Token()
        kept.withLock { $0 = WeakReference(token) }
        timer.setEventHandler { withExtendedLifetime(token) {} }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.resume()
        try await Task.sleep(for: .seconds(3))
        timer.cancel()
        try await Task.sleep(for: .seconds(1))
      }
      #expect(kept.value?.object == nil)
    }

    @Test func `a rescheduled timer fires only at its new time`() async throws {
      let firings = try await Self.firings { timer, queue in
        timer.schedule(deadline: .now() + 5)
        nonisolated(unsafe) let timer = timer
        queue.asyncAfter(deadline: .now() + 1) { timer.schedule(deadline: .now() + 8) }
      }
      #expect(firings == [.seconds(9)])
    }

    @Test func `a timer fires once for all the times that it missed while its handler ran`() async throws {
      let firings = try await Self.firings(firstTakes: 3.5) { timer, _ in
        timer.schedule(deadline: .now() + 1, repeating: 1)
      }
      #expect(firings == [.seconds(1), .milliseconds(4_500)] + (5...10).map { .seconds($0) })
    }

    /// A timer of 1 s, changed in these ways at once or after so many seconds.
    private enum Change: Sendable {
      case suspend, resume, activate
      case resumeAt(Int)

      func make(_ timer: any DispatchSourceTimer) {
        switch self {
        case .suspend: timer.suspend()
        case .resume: timer.resume()
        case .activate: timer.activate()
        case .resumeAt(let second):
          nonisolated(unsafe) let timer = timer
          DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(second)) { timer.resume() }
        }
      }
    }

    /// Measured with libdispatch, whose times were a tenth of these.
    private static let changes: [(changes: [Change], fires: Int?, left: Int)] = [
      ([], nil, 0), ([.activate], 1, 0), ([.resume], 1, 0), ([.resume, .activate], 1, 0),
      ([.suspend, .resume], nil, 0),
      ([.suspend, .activate], nil, 1), ([.activate, .suspend, .activate], nil, 1),
      ([.suspend, .resume, .resume], 1, 0),
      ([.suspend, .activate, .resumeAt(5)], 5, 0), ([.resume, .suspend, .resumeAt(5)], 5, 0),
    ]

    @Test(arguments: changes.indices)
    func `a timer fires when it is active and no longer suspended`(_ index: Int) async throws {
      let (changes, fires, left) = Self.changes[index]
      let firings = try await Self.firings(activates: false, suspensionsLeft: left) { timer, _ in
        timer.schedule(deadline: .now() + 1)
        for change in changes { change.make(timer) }
      }
      #expect(firings == (fires.map { [.seconds($0)] } ?? []))
    }

    @Test func `a timer that is suspended while its queue is busy fires when it is resumed`() async throws {
      let firings = try await Self.firings { timer, queue in
        queue.async { Thread.sleep(forTimeInterval: 4) }
        timer.schedule(deadline: .now() + 1)
        nonisolated(unsafe) let timer = timer
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { timer.suspend() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 7) { timer.resume() }
      }
      #expect(firings == [.seconds(7)])
    }

    @Test func `a timer that is rescheduled while its queue is busy fires only at its new time`() async throws {
      let firings = try await Self.firings { timer, queue in
        queue.async { Thread.sleep(forTimeInterval: 4) }
        timer.schedule(deadline: .now() + 1)
        nonisolated(unsafe) let timer = timer
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { timer.schedule(deadline: .now() + 5) }
      }
      #expect(firings == [.seconds(7)])
    }

    @Test func `a delay until a wall-clock time takes virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(wallDeadline: .now() + 3) { continuation.resume() }
        }
      }
      #expect(run.elapsed == .seconds(3))
    }

    @Test func `a timer from outside of the run calls the handler that a client gave it, in real time`() async throws {
      let (firings, continuation) = AsyncStream.makeStream(of: Void.self)
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource()
      _ = try await Simulation("unlimited", seed: 1) { _ in timer.setEventHandler { continuation.yield() } }
      timer.schedule(deadline: .now())
      timer.resume()
      #expect(await firings.first { _ in true } != nil)
    }
  }
#endif
