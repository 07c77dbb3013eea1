#if os(Linux)
  import Internals
  import NetworkConditions
  import Synchronization
  import SystemShapes
  import Testing
  import Thoroughness
  import URLLoading

  /// Captured clients that never let time advance: each run ends with an error that names the loop's place.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct EndlessThreadTests {
    /// A separate thread for a test: on the shared pool the test would resume late, and its client would spin until
    /// then.
    private final class OwnQueue: TaskExecutor {
      private let queue = DispatchQueue(label: "endless thread")
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }

    /// Runs a client that never ends by itself, and stops it as soon as its run has ended.
    private static func run(
      _ client: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void,
      options: NetworkOptions = NetworkOptions()
    ) async -> SimulationError? {
      await withTaskExecutorPreference(OwnQueue()) {
        defer { stop() }
        return await #expect(throws: SimulationError.self) {
          try await Simulation("3G", seed: 1, options: options) { _ in client() }
        }
      }
    }

    private final class Flag: Sendable {
      let isSet = Atomic(false)
      func set() { isSet.store(true, ordering: .releasing) }
      func spin() { while !isSet.load(ordering: .acquiring) {} }
      func giveWay() { while !isSet.load(ordering: .acquiring) { sched_yield() } }
      func runMainLoop() { while !isSet.load(ordering: .acquiring) { RunLoop.main.run(until: .distantPast) } }
      func compute() -> UInt64 {
        var number: UInt64 = 1
        while !isSet.load(ordering: .acquiring) { number = number &* 6_364_136_223_846_793_005 &+ 1 }
        return number
      }
    }

    @Test func `a thread that spins on a flag ends the run with an error that names its place`() async throws {
      let flag = Flag()
      let error = await Self.run(flag.spin, stop: flag.set)
      switch error {
      case .endlessLoop(_, jobs: 0, let place): #expect(place?.contains("EndlessThreadTests.swift:") == true)
      // On a machine too busy for samples, the network's patience ends first.
      case .stuck: break
      default: Issue.record("\(String(describing: error))")
      }
    }

    @Test func `a thread that spins in C code without stack frames ends the run`() async throws {
      nonisolated(unsafe) let flag = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
      flag.initialize(to: 0)
      // Not released: the client reads it until then.
      let error = await Self.run {
        shape_spin_without_frames(flag)
      } stop: {
        flag.pointee = 1
      }
      switch error {
      case .endlessLoop, .stuck: break
      default: Issue.record("\(String(describing: error))")
      }
    }

    @Test func `a thread that yields for ever ends the run with an error that names its place`() async throws {
      let flag = Flag()
      let error = await Self.run(flag.giveWay, stop: flag.set)
      guard case .deadlock(_, _, let blocked) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(blocked.first?.contains("a loop of sched_yield, at ") == true)
      #expect(blocked.first?.contains("EndlessThreadTests.swift:") == true)
    }

    @Test func `a thread that yields resumes at the instant at which its flag is set`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let flag = Flag()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { flag.set() }
        flag.giveWay()
      }
      #expect(run.elapsed == .milliseconds(400))
    }

    @Test func `a thread that polls with the main run loop resumes when its flag is set`() async throws {
      let run = try await Simulation.verifyDeterminism("unlimited", seed: 1) { network in
        let flag = Flag()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { flag.set() }
        flag.runMainLoop()
        return network.now
      }
      #expect(run.value == .zero.advanced(by: .milliseconds(400)))
    }

    @Test func `a thread that polls with the main run loop ends at its time limit`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            let begin = Date()
            while Date() < begin.addingTimeInterval(5) { RunLoop.main.run(until: .distantPast) }
            continuation.resume()
          }
        }
      }
      #expect(run.elapsed >= .seconds(5) && run.elapsed <= .milliseconds(5_010))
    }

    @Test func `a thread that polls in its run loop resumes when its flag is set, or at its time limit`() async throws {
      @Sendable func poll(_ flag: Flag, for seconds: Double) -> Double {
        let begin = Date()
        while !flag.isSet.load(ordering: .acquiring), Date() < begin.addingTimeInterval(seconds) {
          _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
        return Date().timeIntervalSince(begin)
      }
      let run = try await Simulation.verifyDeterminism("unlimited", seed: 1) { _ in
        let (flag, never) = (Flag(), Flag())
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { flag.set() }
        async let resumed = Task.detached { poll(flag, for: 60) }.value
        async let first = Task.detached { poll(never, for: 5) }.value
        async let second = Task.detached { poll(never, for: 7) }.value
        return [await resumed, await first, await second]
      }
      #expect(abs(run.value[0] - 0.4) < 1e-6, "at the instant of the flag, and not at the next look")
      #expect(run.value[1] >= 5 && run.value[1] <= 5.01 && run.value[2] >= 7 && run.value[2] <= 7.01)
    }

    @Test func `a thread that polls with the main run loop for ever ends the run with its place`() async throws {
      let flag = Flag()
      let error = await Self.run(flag.runMainLoop, stop: flag.set)
      guard case .deadlock(_, _, let blocked) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(blocked.first?.contains("a loop of RunLoop, at ") == true)
      #expect(blocked.first?.contains("EndlessThreadTests.swift:") == true)
    }

    @Test func `a thread that computes without end ends the run with an error that names its place`() async throws {
      // A busy machine takes few samples, so a longer patience is tried then.
      for seconds in [1, 4, 16] {
        let flag = Flag()
        let options = NetworkOptions(patience: .seconds(seconds))
        let error = await Self.run({ _ = flag.compute() }, stop: flag.set, options: options)
        guard case .stuck(.zero, _, [], let place?, nil) = error else { continue }
        #expect(place.contains("EndlessThreadTests.swift:"))
        let text = try #require(error).description
        #expect(text.contains("A thread runs without waiting, at \(place): it computes for long"))
        return
      }
      Issue.record("no run named the place")
    }

    @Test func `a thread that waits for another process ends the run with an error that names call and place`()
      async throws
    {
      // A socket that is connected to itself: the kernel does not know whose datagrams it gets.
      let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(socket) }
      var (address, size) = (sockaddr(), socklen_t(MemoryLayout<sockaddr_in>.size))
      address.sa_family = sa_family_t(AF_INET)
      #expect(bind(socket, &address, size) == 0 && getsockname(socket, &address, &size) == 0)
      #expect(connect(socket, &address, size) == 0)
      let error = await Self.run(
        { Self.receive(from: socket) }, stop: { send(socket, "x", 1, 0) },
        options: NetworkOptions(patience: .milliseconds(100)))
      guard case .stuck(.zero, _, [], nil, let call?) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(call.hasPrefix("recv, at ") && call.contains("EndlessThreadTests.swift:"))
      #expect(try #require(error).description.contains("A thread is blocked in \(call), or waits for"))
    }

    private static func receive(from socket: Int32) {
      var byte: UInt8 = 0
      recv(socket, &byte, 1, 0)
    }

    // The first 100,000 reads of a clock, and 1,000 polls of a run loop, take no time.
    @Test func `the pauses of an endless busy wait grow until its run's time limit is reached`() async throws {
      nonisolated(unsafe) var (looks, polls) = (0, 0)
      let flag = Flag()
      let options = NetworkOptions(timeLimit: .seconds(300))
      let semaphore = DispatchSemaphore(value: 0)
      let look = await Self.run(
        { while !flag.isSet.load(ordering: .acquiring), semaphore.wait(timeout: .now()) == .timedOut { looks += 1 } },
        stop: {}, options: options)
      let poll = await Self.run(
        {
          while !flag.isSet.load(ordering: .acquiring) {
            RunLoop.current.run(until: Date())
            polls += 1
          }
        }, stop: flag.set, options: options)
      for error in [look, poll] {
        guard case .unending = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      #expect(100_000..<250_000 ~= looks && 1_000..<15_000 ~= polls, "\(looks) looks, \(polls) polls")
    }

    @Test func `clock reads and yields do not count as a busy wait if time passes between them`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        for _ in 0..<3 {
          for _ in 0..<40_000 { _ = ContinuousClock.now }
          for _ in 0..<8_000 { sched_yield() }
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      #expect(run.elapsed == .milliseconds(3))
    }

    @Test func `a task that yields until a time stops at that time, and other tasks still read the right time`()
      async throws
    {
      let time = Locked<Duration?>(nil)
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let begin = ContinuousClock.now
        async let other: Void = {
          try await Task.sleep(for: .microseconds(3_500))
          for _ in 0..<100 { _ = ContinuousClock.now }
          time.withLock { $0 = ContinuousClock.now - begin }
        }()
        while ContinuousClock.now < begin + .milliseconds(10) { await Task.yield() }
        try await other
      }
      #expect(time.value == .microseconds(3_500))
      #expect(run.elapsed == .milliseconds(10))
    }

    @Test func `a hundred thousand yields do not count as an endless loop`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in for _ in 0..<100_000 { await Task.yield() } }
      #expect(run.elapsed == .zero)
    }

    @Test(arguments: Thoroughness.cases(1, of: [true, false]))
    func `a client that sends failing requests for ever without waiting ends the run`(isOffline: Bool) async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in
          let request = URLRequest(url: URL(string: "https://api.example.com/")!)
          let task = Task {
            while true {
              _ = isOffline ? try? await network.data(for: request) : try? await network.session.data(for: request)
            }
          }
          if isOffline { network.goOffline() } else { task.cancel() }
          await task.value
        }
      }
      guard case .unending(.requests(let limit), at: .zero, _, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(limit < NetworkOptions().requestLimit)
    }
  }
#endif
