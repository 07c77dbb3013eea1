import NetworkConditions
import Testing

@testable import TaskCapture
import URLLoading

#if os(Linux)
  @Suite struct TaskCaptureTests {
    /// A client that knows nothing of simulations.
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

    @Test func `an unmodified client sleeps in virtual time`() async throws {
      let url = try #require(URL(string: "https://api.example.com/feed"))
      let run = try await Simulation("unlimited", seed: 42, capturing: .tasks) { network in
        network.stub("/feed", with: .sequence([.status(503), .status(503), .status(503), .text("done")]))
        return try await Client(session: network.session).load(url)
      }
      #expect(run.value == 4)
      #expect(run.elapsed == .seconds(7))
      #expect(run.escapes == 0)
    }

    @Test func `spawned and detached tasks run in the simulation too`() async throws {
      let run = try await Simulation("unlimited", seed: 1, capturing: .tasks) { _ in
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
      let run = try await Simulation("unlimited", seed: 1, capturing: .tasks) { _ in
        _ = try await Self.nap()
        await Task { @MainActor in _ = try? await Self.nap() }.value
      }
      #expect(run.elapsed == .seconds(10))
    }

    @Test func `an actor that sleeps is exact, or fails the run`() async throws {
      do {
        let run = try await Simulation("unlimited", seed: 1, capturing: .tasks) { _ in
          try await Sleeper().sleep()
        }
        #expect(run.elapsed == .milliseconds(1))
      } catch let error as SimulationError {
        guard case .leaked = error else { throw error }
      }
    }

    @MainActor private static var onMain = 0
    @MainActor private static func touch() { onMain += 1 }

    @Test func `actors and the main actor take part`() async throws {
      let run = try await Simulation("unlimited", seed: 1, capturing: .tasks) { _ in
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

    @Test func `a hundred runs take one course`() async throws {
      let url = try #require(URL(string: "https://api.example.com/feed"))
      var hashes: Set<TraceHash> = []
      for _ in 0..<100 {
        let run = try await Simulation("flaky", seed: 42, capturing: .tasks) { network in
          network.stub("/feed", with: .sequence([.status(503), .status(503), .text("done")]))
          return try await Client(session: network.session).load(url)
        }
        hashes.insert(run.traceHash)
      }
      #expect(hashes.count == 1)
    }

    @Test func `what cannot be captured fails the run instead of being wrong`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        _ = try await Simulation("unlimited", seed: 1, capturing: .tasks) { _ in
          // Late enough that the task has surely suspended: one that is answered before never leaves its executor.
          await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { done.resume() }
          }
        }
      }
      #expect(error == .leaked(jobs: 1))
    }

    @Test(arguments: [
      (999_999_700, 1_000_000_000), (249_999_800, 250_000_000), (995_100_000, 1_000_000_000),
      (36_999_900, 37_000_000), (731_234_500, 732_000_000), (0, 0), (-5, 0), (400, 1_000_000),
    ])
    func `a sleep is restored from what is left of it`(left: Int64, asked: Int64) {
      #expect(SleepDuration.restored(from: .nanoseconds(left)) == .nanoseconds(asked))
    }
  }
#endif
