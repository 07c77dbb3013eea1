#if os(Linux)
  @testable import ClientCapture
  import Foundation
  import Internals
  import NetworkConditions
  import Testing
  import URLLoading

  /// Simulations whose clients use objects that exist once per process.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct SharedObjectTests {
    private static let feed = URL(string: "https://api.example.com/feed")!
    private static let finished = Notification.Name("finished")

    /// Loads five times, posts a notification after each, and counts those that an observer gets.
    private static func notifications(
      _ network: SimulatedNetwork, on queue: OperationQueue?, _ finished: Notification.Name = finished,
      leavesObserver: Bool = false
    ) async throws -> Int {
      network.stub("/feed", with: .text("x"))
      let center = NotificationCenter.default
      let count = Locked(0)
      let observer = center.addObserver(forName: finished, object: nil, queue: queue) { _ in
        count.withLock { $0 += 1 }
      }
      defer { if !leavesObserver { center.removeObserver(observer) } }
      for _ in 0..<5 {
        _ = try await network.session.data(from: feed)
        center.post(name: finished, object: nil)
      }
      try await Task.sleep(for: .seconds(1))
      return count.withLock { $0 }
    }

    /// Lets one thread wait until the gate opens, and records the phase in which that thread woke.
    private final class Gate: @unchecked Sendable {
      private let condition = NSCondition()
      private let (isLeft, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      private var (isOpen, phase, woken) = (false, 1, 0)

      func wait() {
        condition.withLock {
          var wakes = 0
          while !isOpen {
            condition.wait()
            wakes += 1
            // The end of the simulation wakes the thread once.
            if wakes == 1 { isLeft.signal() }
          }
          woken = phase
        }
        isOver.signal()
      }

      func open(in phase: Int, all: Bool) {
        condition.withLock {
          (isOpen, self.phase) = (true, phase)
          all ? condition.broadcast() : condition.signal()
        }
      }

      /// Returns when the thread waits in real time; before that, from its wake-up on, it holds the lock.
      func awaitLeft() {
        isLeft.wait()
        condition.withLock {}
      }

      func phaseAtEnd() -> Int {
        isOver.wait()
        return condition.withLock { woken }
      }
    }

    @Test(arguments: [false, true])
    func `a signal or broadcast wakes no thread that an earlier run left behind`(all: Bool) async throws {
      let gate = Gate()
      _ = try await Simulation("unlimited", seed: 1) { network in
        DispatchQueue.global().async { gate.wait() }
        try await network.clock.sleep(for: .seconds(1))
      }
      gate.awaitLeft()
      _ = try await Simulation("unlimited", seed: 2) { network in
        network.stub("/feed", with: .text("x"))
        gate.open(in: 2, all: all)
        for _ in 0..<100 { _ = try await network.data(for: URLRequest(url: Self.feed)) }
      }
      gate.open(in: 3, all: all)
      #expect(gate.phaseAtEnd() == 3)
    }

    @Test(arguments: [false, true])
    func `a client gets only its own run's notifications`(onMainQueue: Bool) async throws {
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for seed in 0..<20 {
          group.addTask {
            try await Simulation("3G", seed: UInt64(seed)) { network in
              try await Self.notifications(network, on: onMainQueue ? .main : nil)
            }.value
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts == Array(repeating: 5, count: 20))
    }

    @Test(arguments: [false, true])
    func `an observer that a run leaves behind does not change the next run`(onMainQueue: Bool) async throws {
      var courses: Set<String> = []
      for _ in 0..<5 {
        let run = try await Simulation("3G", seed: 1) { network in
          try await Self.notifications(
            network, on: onMainQueue ? .main : nil, Notification.Name("left \(onMainQueue)"), leavesObserver: true)
        }
        courses.insert("\(run.value) \(run.elapsed) \(run.traceHash)")
      }
      #expect(courses.count == 1 && courses.first?.hasPrefix("5 ") == true)
    }

    /// A client like those of many apps: a singleton with a queue for its state and requests in the shared session.
    private final class Singleton: Sendable {
      static let client = Singleton()
      private static let log = DispatchQueue(label: "log of the app")
      private let queue = DispatchQueue(label: "client of the app")
      private let loads = Locked(0)

      /// Starts a request in its queue, and handles its answer there.
      func load(_ done: @escaping @Sendable () -> Void) {
        Self.log.async {}
        queue.async { [self] in
          loads.withLock { $0 += 1 }
          URLSession.shared.dataTask(with: feed) { [self] _, _, _ in
            queue.async {
              Self.log.sync {}
              done()
            }
          }.resume()
        }
      }

      /// The number of loads, read on its queue.
      var count: Int { queue.sync { loads.value } }
    }

    private static func loads(_ network: SimulatedNetwork, sessionFirst: Bool = false) async throws -> Int {
      network.stub("/feed", with: .bytes(count: 20_000))
      if sessionFirst { _ = try await URLSession.shared.data(from: feed) }
      let before = Singleton.client.count
      for _ in 0..<10 {
        await withCheckedContinuation { done in Singleton.client.load { done.resume() } }
      }
      return Singleton.client.count - before
    }

    @Test func `parallel runs whose clients share a queue take turns`() async throws {
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for seed in 0..<12 {
          group.addTask {
            try await Simulation("3G", seed: UInt64(seed)) { network in
              try await Self.loads(network, sessionFirst: seed % 3 == 0)
            }.value
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts == Array(repeating: 10, count: 12))
    }

    /// A singleton, as in Alamofire: its queue targets another one, and it ignores an identifier that it has.
    private final class NestedSingleton: @unchecked Sendable {
      static let client = NestedSingleton()
      private let queue = DispatchQueue(label: "inner queue of the app", target: DispatchQueue(label: "outer queue"))
      private var known: Set<UUID> = []

      func load(_ done: @escaping @Sendable () -> Void) {
        let id = UUID()
        queue.async { [self] in
          guard known.insert(id).inserted else { return }
          queue.asyncAfter(deadline: .now() + 1) { [self] in
            known.remove(id)
            done()
          }
        }
      }
    }

    @Test func `parallel runs whose clients share a queue with a serial target take turns`() async throws {
      try await withThrowingTaskGroup { group in
        for _ in 0..<12 {
          group.addTask {
            try await Simulation("3G", seed: 1) { _ in
              for _ in 0..<100 {
                await withCheckedContinuation { done in NestedSingleton.client.load { done.resume() } }
              }
            }.value
          }
        }
        try await group.waitForAll()
      }
    }

    /// A singleton that makes its queue and its session at their first use, inside a run.
    private final class LazySingleton: @unchecked Sendable {
      static let client = LazySingleton()
      private lazy var queue = DispatchQueue(label: "lazy queue of the app")
      private lazy var session = URLSession(configuration: .default)

      func load(_ done: @escaping @Sendable (Bool) -> Void) {
        queue.async { [self] in
          session.dataTask(with: feed) { [self] data, _, _ in queue.async { done(data != nil) } }.resume()
        }
      }
    }

    @Test func `parallel runs share a queue and a session that an earlier run made`() async throws {
      @Sendable func run(_ seed: UInt64) async throws -> Int {
        try await Simulation("3G", seed: seed) { network in
          network.stub("/feed", with: .bytes(count: 20_000))
          var count = 0
          for _ in 0..<10 {
            count += await withCheckedContinuation { done in
              LazySingleton.client.load { done.resume(returning: $0 ? 1 : 0) }
            }
          }
          return count
        }.value
      }
      #expect(try await run(0) == 10)
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for seed in 1..<UInt64(12) { group.addTask { try await run(seed) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts == Array(repeating: 10, count: 11))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a client that uses nothing shared does not wait for another's shared session`() async throws {
      let other = SimulatedNetwork("unlimited")
      let count = try await other.interceptingSharedSession {
        try await Simulation("3G", seed: 1) { network in
          network.stub("/feed", with: .bytes(count: 2_000))
          let (queue, operations) = (DispatchQueue(label: "own"), OperationQueue())
          let timer = DispatchSource.makeTimerSource(queue: queue)
          await withCheckedContinuation { done in
            timer.setEventHandler { operations.addOperation { DispatchQueue.main.async { done.resume() } } }
            timer.schedule(deadline: .now() + 1)
            timer.resume()
          }
          await withCheckedContinuation { done in
            let session = network.session(delegate: nil, delegateQueue: operations)
            session.dataTask(with: Self.feed) { _, _, _ in queue.async { done.resume() } }.resume()
          }
          return try await network.session.data(from: Self.feed).0.count
        }.value
      }
      #expect(count == 2_000)
    }

    @Test func `two runs that use the same two queues in opposite order do not deadlock`() async throws {
      let queues = [DispatchQueue(label: "one"), DispatchQueue(label: "two")]
      for _ in 0..<10 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for order in [queues, queues.reversed()] {
            group.addTask {
              _ = try await Simulation("3G", seed: 1) { network in
                network.stub("/feed", with: .text("x"))
                for _ in 0..<20 {
                  for queue in order {
                    await withCheckedContinuation { done in queue.async { done.resume() } }
                    try await Task.sleep(for: .milliseconds(10))
                  }
                }
                _ = try await URLSession.shared.data(from: Self.feed)
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }

    @Test func `a client's wait for a queue that outside code blocks is an error, and its block never runs`() async {
      let queue = DispatchQueue(label: "of all")
      let gate = DispatchSemaphore(value: 0)
      let isCalled = Locked(false)
      queue.async { gate.wait() }
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1, options: NetworkOptions(patience: .seconds(2))) { _ in
          queue.sync { isCalled.withLock { $0 = true } }
        }
      }
      let reason = #"A wait for the queue "of all", which code outside of this run uses"#
      #expect(error?.description.contains(reason) == true)
      gate.signal()
      queue.sync {}
      #expect(!isCalled.withLock { $0 })
    }

    @Test func `a run that waits for a session's queue while another run has it is not given up`() async throws {
      let queue = DispatchQueue(label: "URLSession<of all>")
      let other = ReservedQueues()
      #expect(other.reserve(queue) {})
      DispatchQueue.global().asyncAfter(deadline: .now() + 2.5) { other.giveBack() }
      let run = try await Simulation("3G", seed: 1, options: NetworkOptions(patience: .seconds(2))) { _ in
        queue.sync { 7 }
      }
      #expect(run.value == 7)
    }

    @Test func `a run does not see the previous run's cookies and keeps those stored before the runs`() async throws {
      let storage = HTTPCookieStorage.shared
      let url = try #require(URL(string: "https://cookies.example.com/feed"))
      let own = try #require(
        HTTPCookie(properties: [.name: "own", .value: "1", .domain: "cookies.example.com", .path: "/"]))
      storage.setCookie(own)
      defer { storage.deleteCookie(own) }
      for number in 0..<3 {
        let run = try await Simulation("3G", seed: 1) { network in
          let answer = StubResponse.text("x").header("Set-Cookie", "own=2; Path=/")
          let route = network.stub("/feed", with: answer.header("Set-Cookie", "sid=abc; Path=/"))
          for _ in 0..<2 { _ = try await URLSession.shared.data(from: url) }
          // A client's sign-out deletes all cookies.
          if number == 1 { HTTPCookieStorage.shared.cookies(for: url)?.forEach(HTTPCookieStorage.shared.deleteCookie) }
          return route.requests.map { $0.header("Cookie") ?? "" }
        }
        #expect(run.value.map { $0.split(separator: "; ").sorted() } == [["own=1"], ["own=2", "sid=abc"]])
        #expect(storage.cookies(for: url)?.map(\.value) == ["1"])
      }
    }

    @Test func `a cookie that the client itself sets after a response stays after the run`() async throws {
      let storage = HTTPCookieStorage.shared
      let url = try #require(URL(string: "https://own-cookies.example.com/feed"))
      @Sendable func cookie(_ value: String) -> HTTPCookie? {
        HTTPCookie(properties: [.name: "own", .value: value, .domain: "own-cookies.example.com", .path: "/"])
      }
      storage.setCookie(try #require(cookie("1")))
      defer { storage.cookies(for: url)?.forEach(storage.deleteCookie) }
      _ = try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .text("x").header("Set-Cookie", "own=2; Path=/"))
        _ = try await URLSession.shared.data(from: url)
        if let own = cookie("3") { HTTPCookieStorage.shared.setCookie(own) }
      }
      #expect(storage.cookies(for: url)?.map(\.value) == ["3"])
    }
  }
#endif
