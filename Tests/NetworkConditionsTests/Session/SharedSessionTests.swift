import ClientCapture
import Dispatch
import Internals
import LoopbackServer
@testable import NetworkConditions
import Testing
import URLLoading

/// `URLSession.shared` over a simulated network: one network at a time, restored at the end.
@Suite(.serialized) struct SharedSessionTests {
  @Test func `code that uses the shared session runs over the network that intercepts it`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("http://shared.example/", with: .text("simulated"))
    let (text, type) = try await network.interceptingSharedSession {
      let type: AnyClass? = URLSession.shared.configuration.protocolClasses?.first
      let result = await URLSession.shared.complete {
        $0.dataTask(with: url("http://shared.example/"), completionHandler: $1)
      }
      return (String(decoding: result.data ?? Data(), as: UTF8.self), type.map(ObjectIdentifier.init))
    }
    #expect(text == "simulated")
    #if canImport(FoundationNetworking)
      // Another test may have the session by now.
      #expect(URLSession.shared.configuration.protocolClasses?.contains { ObjectIdentifier($0) == type } == false)
    #endif
  }

  @Test func `the network that has the shared session runs its waiting calls before other networks`() async throws {
    let (own, other, log) = (SimulatedNetwork.immediate(), SimulatedNetwork.immediate(), Log<String>())
    /// Queues a call for the session in a separate task.
    func line(up network: SimulatedNetwork, as name: String) async -> Task<Void, any Error> {
      let call = Task.detached { try await network.interceptingSharedSession { log.add(name) } }
      while !SharedTurns.isWaiting(network.engine) { await Task.yield() }
      return call
    }
    let calls = try await own.interceptingSharedSession {
      [await line(up: other, as: "other"), await line(up: own, as: "own")]
    }
    for call in calls { try await call.value }
    #expect(log.all == ["own", "other"])
    for network in [own, other] { network.invalidate() }
  }

  @Test func `an invalidated network that intercepted the shared session is released`() async throws {
    let stubs: WeakReference<StubTransport>
    do {
      let network = SimulatedNetwork.immediate()
      network.stub("http://shared.example/", with: .text("x"))
      _ = try await network.interceptingSharedSession {
        await URLSession.shared.complete { $0.dataTask(with: url("http://shared.example/"), completionHandler: $1) }
      }
      stubs = WeakReference(network.stubs)
      network.invalidate()
    }
    #expect(await stubs.isGone())
  }

  private let address = url("http://shared.example/")

  /// The response that the shared session gets.
  private func sharedText() async -> String {
    let result = await URLSession.shared.complete { $0.dataTask(with: address, completionHandler: $1) }
    return String(decoding: result.data ?? Data(), as: UTF8.self)
  }

  /// An interception, once no other test has one.
  private func held() async -> SharedSessionInterception {
    let network = network("held")
    while true {
      if let interception = try? network.interceptSharedSession() { return interception }
      await Task.yield()
    }
  }

  private func network(_ text: String) -> SimulatedNetwork {
    let network = SimulatedNetwork.immediate()
    network.stub("http://shared.example/", with: .text(text))
    return network
  }

  @Test func `an immediate interception fails while another network intercepts`() async {
    let network = network("1")
    let first = await held()
    #expect(throws: SharedSessionInterception.Failure.alreadyIntercepted) { try network.interceptSharedSession() }
    first.end()
    await held().end()
  }

  // iOS, tvOS, watchOS and visionOS start no process for a test.
  #if os(macOS) || os(Linux)
    @Test func `an interception that is not stored ends at once with a warning`() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        _ = try SimulatedNetwork("3G", pace: .immediate).interceptSharedSession()
        try SimulatedNetwork("3G", pace: .immediate).interceptSharedSession().end()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "keep what interceptSharedSession() returns").count == 2, "\(text)")
    }
  #endif

  @Test func `waiting networks intercept the shared session in the order of their calls`() async throws {
    let first = await held()
    let order = Locked<[String]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        let network = network("\(number)")
        group.addTask {
          try await network.interceptingSharedSession {
            let text = await sharedText()
            order.withLock { $0.append(text) }
          }
        }
        while !SharedTurns.isWaiting(network.engine) { await Task.yield() }
      }
      #expect(order.value.isEmpty)
      first.end()
      try await group.waitForAll()
    }
    #expect(order.value == ["1", "2", "3", "4"])
  }

  @Test func `a cancelled waiting interception lets the next network intercept`() async throws {
    let first = await held()
    let networks = [network("1"), network("2")]
    let task = Task { try await networks[0].interceptingSharedSession { await sharedText() } }
    while !SharedTurns.isWaiting(networks[0].engine) { await Task.yield() }
    let next = Task { try await networks[1].interceptingSharedSession { await sharedText() } }
    while !SharedTurns.isWaiting(networks[1].engine) { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    first.end()
    let text = try await next.value
    #expect(text == "2")
  }

  @Test func `a nested interception by the same network runs, and by another network fails`() async throws {
    let network = network("1")
    try await network.interceptingSharedSession {
      let inner = try await network.interceptingSharedSession { await sharedText() }
      #expect(inner == "1")
      await #expect(throws: SharedSessionInterception.Failure.alreadyIntercepted) {
        try await self.network("2").interceptingSharedSession {}
      }
    }
  }

  @Test func `a task that outlives an interception can intercept with another network`() async throws {
    let (ended, signal) = AsyncStream<Void>.makeStream()
    let network = network("1")
    let task = try await network.interceptingSharedSession {
      Task {
        for await _ in ended {}
        return try await self.network("2").interceptingSharedSession { await sharedText() }
      }
    }
    signal.finish()
    let text = try await task.value
    #expect(text == "2")
  }

  #if os(Linux)
    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a captured simulation keeps the shared session until its end`() async throws {
      let other = network("2")
      let worked = DispatchSemaphore(value: 0)
      let queue = try #require(FoundationInternals.workQueue(of: .shared))
      let texts = try await Simulation("3G", seed: 1) { network in
        network.stub("http://shared.example/", with: .text("1"))
        let first = try await network.interceptingSharedSession { await sharedText() }
        RealTime.run {
          queue.async { worked.signal() }
          #expect(worked.wait(timeout: .now() + 0.02) == .timedOut, "Work was done outside the simulation.")
          #expect(throws: SharedSessionInterception.Failure.alreadyIntercepted) { try other.interceptSharedSession() }
        }
        return [first, try await network.interceptingSharedSession { await sharedText() }]
      }.value
      #expect(texts == ["1", "1"])
      worked.wait()
      let text = try await other.interceptingSharedSession { await sharedText() }
      #expect(text == "2")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `code outside of a run that copies the shared session's configuration keeps the real network`() async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let (begin, end, statuses) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Log<Int?>())
      Thread.detachNewThread {
        begin.wait()
        let session = URLSession(configuration: URLSession.shared.configuration)
        session.dataTask(with: server.url("/status/204")) { _, response, _ in
          statuses.add((response as? HTTPURLResponse)?.statusCode)
          end.signal()
        }.resume()
      }
      let text = try await Simulation("3G", seed: 1) { network in
        network.stub("http://shared.example/", with: .text("1"))
        let text = await sharedText()
        RealTime.run {
          begin.signal()
          #expect(end.wait(timeout: .now() + 60) == .success)
        }
        return text
      }.value
      #expect(text == "1" && statuses.all == [204])
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a captured client that waits for ever gives the shared session back at its run's end`() async throws {
      await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in
          let waiter = Task { try await network.interceptingSharedSession { await sharedText() } }
          try await network.interceptingSharedSession {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          }
          _ = try await waiter.value
        }
      }
      let text = try await network("2").interceptingSharedSession { await sharedText() }
      #expect(text == "2")
    }
  #endif

  @Test func `parallel simulations intercept in turn without waiting in virtual time`()
    async throws
  {
    let elapsed = try await withThrowingTaskGroup(of: Duration.self) { group in
      for number in 0..<8 {
        group.addTask {
          let run = try await Simulation("3G", seed: 1) { network in
            network.stub("http://shared.example/", with: .text("\(number)"))
            for _ in 0..<3 {
              let text = try await network.interceptingSharedSession { await sharedText() }
              #expect(text == "\(number)")
            }
          }
          return run.elapsed
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(elapsed.count == 1)
  }

  @Test func `clients of one simulation intercept the shared session in turn in virtual time`() async throws {
    let run = try await Simulation(.unlimited) { network in
      network.stub("http://shared.example/", with: .text("x").after(.seconds(2)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<3 {
          group.addTask { _ = try await network.client(number).interceptingSharedSession { await sharedText() } }
        }
        try await group.waitForAll()
      }
    }
    #expect(run.elapsed == .seconds(6))
    #expect(run.timeline.transfers.map(\.client) == [0, 1, 2])
  }
}
