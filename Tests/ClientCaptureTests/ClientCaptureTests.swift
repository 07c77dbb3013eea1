import NetworkConditions
import Internals
import Testing
import Thoroughness

import URLLoading

#if os(Linux)
  struct CaptureObstacleTests {
    @Test(.enabled(if: !Thoroughness.isSanitized)) func `this platform can capture clients`() {
      #expect(CaptureMode.obstacle == nil)
    }
  }

  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientCaptureTests {
    /// A client written without the simulation.
    private struct Client {
      let session: URLSession

      func load(_ url: URL) async throws -> Int {
        for attempt in 0..<5 {
          if let (data, response) = try? await session.data(from: url),
            (response as? HTTPURLResponse)?.statusCode == 200
          {
            return data.count
          }
          try await Task.sleep(for: .seconds(1 << attempt))
        }
        throw URLError(.timedOut)
      }
    }

    @Test func `an unmodified client's retry delays take virtual time`() async throws {
      let url = try #require(URL(string: "https://api.example.com/feed"))
      let run = try await Simulation("unlimited", seed: 42) { network in
        network.stub("/feed", with: .sequence([.status(503), .status(503), .status(503), .text("done")]))
        return try await Client(session: network.session).load(url)
      }
      #expect(run.value == 4)
      #expect(run.elapsed == .seconds(7))
    }

    @Test func `spawned and detached tasks sleep in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let spawned = Task {
          try await Task.sleep(for: .seconds(3))
          return 1
        }
        let detached = Task.detached {
          try await Task.sleep(for: .milliseconds(2500))
          return 2
        }
        return try await spawned.value + detached.value
      }
      #expect(run.value == 3)
      #expect(run.elapsed == .seconds(3))
    }

    private actor Counter {
      var count = 0
      func add() { count += 1 }
    }

    private actor Sleeper {
      func sleep() async throws { try await Task.sleep(for: .milliseconds(1)) }
    }

    @MainActor private static func nap() async throws -> Int {
      MainActor.preconditionIsolated()
      try await Task.sleep(for: .seconds(5))
      MainActor.preconditionIsolated()
      return onMain
    }

    @Test func `the main actor sleeps in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        _ = try await Self.nap()
        await Task { @MainActor in _ = try? await Self.nap() }.value
      }
      #expect(run.elapsed == .seconds(10))
    }

    @Test func `an actor sleeps in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        try await Sleeper().sleep()
      }
      #expect(run.elapsed == .milliseconds(1))
    }

    @MainActor private static var onMain = 0
    @MainActor private static func touch() { onMain += 1 }

    @Test func `tasks on actors and on the main actor sleep in virtual time together`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
          for second in 1...10 {
            group.addTask {
              try? await Task.sleep(for: .seconds(second))
              await counter.add()
              await Self.touch()
            }
          }
        }
        return await counter.count
      }
      #expect(run.value == 10)
      #expect(run.elapsed == .seconds(10))
    }

    @Test func `a hundred runs with one seed have the same trace hash`() async throws {
      let url = try #require(URL(string: "https://api.example.com/feed"))
      var hashes: Set<TraceHash> = []
      for _ in 0..<100 {
        let run = try await Simulation("flaky", seed: 42) { network in
          network.stub("/feed", with: .sequence([.status(503), .status(503), .text("done")]))
          return try await Client(session: network.session).load(url)
        }
        hashes.insert(run.traceHash)
      }
      #expect(hashes.count == 1)
    }

    @Test func `work scheduled with asyncAfter runs after its delay in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { done.resume() }
        }
      }
      #expect(run.elapsed == .milliseconds(200))
    }

    @Test func `work in the distant future is never done`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { network in
        let done = Locked(false)
        for queue in [DispatchQueue.main, .global(), DispatchQueue(label: "own")] {
          queue.asyncAfter(deadline: .distantFuture) { done.withLock { $0 = true } }
          queue.asyncAfter(wallDeadline: .distantFuture) { done.withLock { $0 = true } }
        }
        try await network.clock.sleep(for: .seconds(1_000))
        return done.value
      }
      #expect(!run.value && run.elapsed == .seconds(1_000))
    }

    /// The order of work in four queues with one target queue, added while the target is suspended.
    private static func turns() async -> [Int] {
      await withCheckedContinuation { (done: CheckedContinuation<[Int], Never>) in
        let top = DispatchQueue(label: "top")
        let left = DispatchQueue(label: "left", target: top)
        let right = DispatchQueue(label: "right", target: top)
        let below = DispatchQueue(label: "below", target: left)
        let stopped = DispatchQueue(label: "stopped", target: top)
        let log = Log()
        stopped.suspend()
        top.async {
          stopped.async { log.note(1) }
          left.async {
            log.note(2)
            left.async { log.note(3) }
            right.async { log.note(4) }
          }
          top.async { log.note(5) }
          below.async { log.note(6) }
          right.async { log.note(7) }
          left.async { log.note(8) }
          top.async {
            log.note(9)
            stopped.resume()
            below.async { log.note(10) }
            top.async { left.async { right.async { done.resume(returning: log.numbers) } } }
          }
        }
      }
    }

    // Unchecked: used on one queue only.
    private final class Log: @unchecked Sendable {
      private(set) var numbers: [Int] = []
      func note(_ number: Int) { numbers.append(number) }
    }

    @Test func `queues with one target queue take turns as in real libdispatch`() async throws {
      let real = await Self.turns()
      #expect(real.count == 10)
      for seed in 0..<20 {
        let run = try await Simulation("unlimited", seed: UInt64(seed)) { _ in
          await Self.turns()
        }
        #expect(run.value == real)
      }
    }

    @Test func `cancelling a run from outside cancels the run's client`() async throws {
      let url = try #require(URL(string: "https://api.example.com/feed"))
      for _ in 0..<20 {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
          try await Simulation("3G", seed: 1) { network in
            network.stub("/feed", with: .text("x"))
            beginning.finish()
            while true { _ = try await network.session.data(from: url) }
          }
        }
        for await _ in begun {}
        run.cancel()
        await #expect(throws: (any Error).self) { _ = try await run.value.value }
      }
    }

    @Test func `a simulation that begins on another simulation's thread keeps its own time`() async throws {
      for capture in [CaptureMode.everything, .nothing] {
        let (word, speaker) = AsyncStream.makeStream(of: Void.self)
        async let outer = Simulation("unlimited", seed: 1) { _ in
          // The tasks that wait for this continue here, in the client's order and time.
          speaker.finish()
          try await Task.sleep(for: .seconds(5))
        }
        for await _ in word {}
        let inner = try await Simulation("unlimited", seed: 2, capturing: capture) { network in
          try await network.clock.sleep(for: .seconds(3))
        }
        #expect(inner.elapsed == .seconds(3))
        #expect(try await outer.elapsed == .seconds(5))
      }
    }

    @Test func `parallel simulations that wait for the shared session take equal virtual time`() async throws {
      let url = try #require(URL(string: "https://api.example.com/feed"))
      let elapsed = try await withThrowingTaskGroup(of: Duration.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await Simulation("3G", seed: 1) { network in
              network.stub("/feed", with: .text("x"))
              // This blocks the leader's thread, so another thread becomes leader.
              let blocked = Task.detached { Self.rest() }
              try await Task.sleep(for: .milliseconds(100))
              try await network.interceptingSharedSession {
                _ = try await URLSession.shared.data(from: url)
                try await Task.sleep(for: .seconds(1))
              }
              await blocked.value
              try await Task.sleep(for: .seconds(1))
            }.elapsed
          }
        }
        return try await group.reduce(into: Set<Duration>()) { $0.insert($1) }
      }
      #expect(elapsed.count == 1)
    }

    private static func rest() { Thread.sleep(forTimeInterval: 20) }

    /// The order of work added to a serial queue (X), and to a concurrent queue that targets it: as plain work (A) and
    /// as barriers (B).
    private static func order(_ plan: String) -> String {
      let serial = DispatchQueue(label: "serial")
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent, target: serial)
      let done = Mutex<[Substring]>([])
      serial.suspend()
      for name in plan.split(separator: " ") {
        let work: @Sendable () -> Void = { done.withLock { $0.append(name) } }
        switch name.first {
        case "X": serial.async(execute: work)
        case "B": concurrent.async(flags: .barrier, execute: work)
        default: concurrent.async(execute: work)
        }
      }
      serial.resume()
      concurrent.sync(flags: .barrier) {}
      serial.sync {}
      return done.withLock { $0.joined(separator: " ") }
    }

    @Test(arguments: [
      "A1 X1 A2 X2 A3", "A1 X1 B1 X2 A2 X3 A3 X4", "B1 X1 A1 X2 A2", "B1 B2 X1 A1 B3 X2 A2", "X1 A1 X2 B1",
    ])
    func `a concurrent queue that targets a serial queue runs its work in libdispatch's order`(_ plan: String)
      async throws
    {
      let run = try await Simulation("3G", seed: 1) { _ in Self.order(plan) }
      #expect(run.value == Self.order(plan))
    }

    @Test func `an initially inactive queue runs its work only after it is activated`() async throws {
      for isConcurrent in [false, true] {
        let run = try await Simulation("unlimited", seed: 1) { _ in
          await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let queue = DispatchQueue(
              label: "late", attributes: isConcurrent ? [.initiallyInactive, .concurrent] : .initiallyInactive)
            queue.async { done.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(250)) { queue.activate() }
          }
        }
        #expect(run.elapsed == .milliseconds(250))
      }
    }

    @Test func `a dispatch source other than a timer ends the run with an error that names the source`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in
          await Self.awaitSource()
        }
      }
      let text = try #require(error).description
      #expect(text.contains("A dispatch source other than a timer, at ") && text.contains("Tests.swift:"), "\(text)")
    }

    // Not in a macro: places in macro expansions are unknown.
    private static func awaitSource() async { await withCheckedContinuation { addToSource($0) } }

    private static func addToSource(_ done: CheckedContinuation<Void, Never>) {
      let source = DispatchSource.makeUserDataAddSource(queue: .global())
      source.setEventHandler { done.resume() }
      source.resume()
      source.add(data: 1)
    }

    @Test func `a call that cannot be captured ends the run with an error that names the call`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        _ = try await Simulation("unlimited", seed: 1) { _ in
          await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let channel = DispatchIO(type: .stream, fileDescriptor: 0, queue: .main) { _ in }
            channel.close()
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) { done.resume() }
          }
        }
      }
      guard case .notCaptured(call: "DispatchIO", _, _) = error else {
        Issue.record("it ended with \(String(describing: error))")
        return
      }
    }
  }
#endif
