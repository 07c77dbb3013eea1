#if os(Linux)
  import Internals
  import Interposition
  import Synchronization
  import Testing
  import Thoroughness
  import URLLoading

  @testable import ClientCapture
  @testable import NetworkConditions

  /// A captured client is never called again, on any thread, after its run was refused.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct RefusedRunTests {
    /// The kinds of pending work after which a client traps when it resumes.
    enum Client: String, CaseIterable, Codable, Sendable {
      case handler, delegate, semaphore, group, task, sleep, timer, queue, thread, mainQueue, ownThread

      /// Begins some work, and then makes a call that is refused.
      func run(in network: SimulatedNetwork) async throws {
        let feed = URL(string: "https://api.example.com/feed")!
        let session = network.session
        switch self {
        case .handler: session.dataTask(with: feed) { data, _, _ in print(data!.count) }.resume()
        case .delegate: network.session(delegate: Delegate()).dataTask(with: feed).resume()
        case .semaphore:
          DispatchQueue.global().async {
            nonisolated(unsafe) var loaded: Data?
            let semaphore = DispatchSemaphore(value: 0)
            session.dataTask(with: feed) { data, _, _ in
              loaded = data
              semaphore.signal()
            }.resume()
            semaphore.wait()
            print(loaded!.count)
          }
        case .group:
          let group = DispatchGroup()
          group.enter()
          session.dataTask(with: feed) { _, _, _ in group.leave() }.resume()
          group.notify(queue: .main) { fatalError("the group is empty") }
        case .task: Task { print(await RefusedRunTests.must { try await session.data(from: feed).0.count }) }
        case .sleep:
          Task {
            await RefusedRunTests.must { try await Task.sleep(for: .seconds(10)) }
            fatalError("the sleep is over")
          }
        case .timer: Self.startTimer()
        case .queue: DispatchQueue.global().asyncAfter(deadline: .now() + 1) { fatalError("the block was run") }
        case .thread:
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            fatalError("the thread went on")
          }
        case .mainQueue: DispatchQueue.main.asyncAfter(deadline: .now() + 1) { fatalError("the block was run") }
        case .ownThread:
          Thread.detachNewThread {
            Self.doWhatIsRefused()
            fatalError("the thread went on")
          }
        }
        try await Task.sleep(for: .milliseconds(10))
        Self.doWhatIsRefused()
        fatalError("the client went on")
      }

      private static func startTimer() {
        DispatchQueue.main.async {
          _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in fatalError("the timer fired") }
        }
      }

      private static func doWhatIsRefused() {
        let source = DispatchSource.makeReadSource(fileDescriptor: 0)
        source.setEventHandler { fatalError("there is something to read") }
        source.activate()
      }
    }

    /// The value of a call that must not fail, as with `try!`.
    private static func must<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Value {
      do { return try await body() } catch { fatalError("it threw \(error)") }
    }

    private final class Delegate: NSObject, URLSessionDataDelegate {
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        fatalError("the delegate was called: \(String(describing: error))")
      }
    }

    /// Runs a client whose run is refused, and then other code.
    private static func refuse(_ client: Client) async throws {
      await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 7) { network in
          network.stub("/feed", with: .text("x").after(.seconds(5)))
          try await client.run(in: network)
        }
      }
      for seed in 0..<20 {
        _ = try await Simulation("3G", seed: UInt64(seed)) { network in
          try await Task.sleep(for: .seconds(20))
        }
      }
    }

    @Test func `after a stepped simulation is refused, only its threads in client code remain`() async throws {
      let simulation = try SteppedSimulation("3G", seed: 1)
      let client = Atomic<Int32>(0)
      let job = simulation.run { _ in
        client.store(interposition_thread_number(), ordering: .relaxed)
        // Another thread leads from here on.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
        alarm(1)
      }
      let error = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(5)) }
      #expect(error?.description.contains("alarm()") == true && job.result == nil)
      let scheduler = try #require(simulation.network.engine.simulation?.clientThreads as? ClientScheduler)
      simulation.end()
      // The refused thread passes the baton to the leader, which sees the end.
      let deadline = ContinuousClock.now + .seconds(30)
      while scheduler.runningThread == client.load(ordering: .relaxed), ContinuousClock.now < deadline {
        await Task.yield()
      }
      let folder = "/proc/self/task/\(scheduler.runningThread)"
      while access(folder, F_OK) == 0, ContinuousClock.now < deadline { await Task.yield() }
      #expect(access(folder, F_OK) != 0, "the thread still runs")
    }

    // The closure of an exit test captures nothing before Swift 6.3.
    #if compiler(>=6.3)
      @Test(arguments: Thoroughness.cases(3, of: Client.allCases))
      func `a refused run never calls its captured client again and prints the refusal`(
        _ client: Client
      ) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          [client = client as Client] in
          try await Self.refuse(client)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let refusal = "A simulated run is refused: under \"3G\", seed 7\nA dispatch source other than a timer, at "
        #expect(text.hasPrefix(refusal), "\(text)")
        #expect(text.contains("RefusedRunTests.swift:"), "\(text)")
      }
    #endif
  }
#endif
