import Internals
import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

/// When a network and its objects are released.
struct NetworkEngineTests {
  let slow = url("https://api.example.com/slow")

  private func impatient(_ seconds: TimeInterval) -> URLRequest {
    var request = URLRequest(url: slow)
    request.timeoutInterval = seconds
    return request
  }

  /// Runs a closure with a network; returns whether the network, its engine and a stub's object are released
  /// afterwards.
  private func goes(
    pace: Pace = .immediate, endsByItself: Bool = false,
    _ use: (SimulatedNetwork, StubResponse) async throws -> Void
  ) async throws -> Bool {
    final class Held: Sendable {}
    let boxes: (WeakReference<SimulatedNetwork>, WeakReference<NetworkEngine>, WeakReference<Held>)
    do {
      let network = SimulatedNetwork("wifi", seed: 1, pace: pace)
      let held = Held()
      boxes = (WeakReference(network), WeakReference(network.engine), WeakReference(held))
      let handler: @Sendable (URLRequest) throws -> StubResponse = { [network] _ in
        withExtendedLifetime((held, network)) {}
        return .text("late")
      }
      let plain: @Sendable (URLRequest) throws -> StubResponse = { _ in
        withExtendedLifetime(held) {}
        return .text("late")
      }
      try await use(network, .handler(endsByItself ? plain : handler))
      if !endsByItself { network.invalidate() }
    }
    let gone = (await boxes.0.isGone(), await boxes.1.isGone(), await boxes.2.isGone())
    return gone == (true, true, true)
  }

  @Test func `a step tells whether time has passed, so that endless work at one instant is noticed`() {
    let engine = NetworkEngine(
      profile: .unlimited, seed: 1, stubs: StubTransport(), configurationError: nil,
      timeSource: StreamedUploadTests.StillTime())
    _ = engine.step(upTo: .zero)
    var passed: [Bool] = []
    for second in [0, 5, 5, 6] {
      _ = engine.call(at: SimulatedInstant.zero.advanced(by: .seconds(second))) {}
      let step = engine.step(upTo: .distantFuture)
      if case .happened(let timePassed) = step { passed.append(timePassed) }
    }
    #expect(passed == [false, true, false, true])
  }

  @Test func `a network is released after a timeout before the response`() async throws {
    for endsByItself in [true, false] {
      let isGone = try await goes(endsByItself: endsByItself) { network, response in
        network.stub("/slow", with: response.after(.seconds(10)))
        let error = await #expect(throws: URLError.self) { try await network.data(for: impatient(1)) }
        #expect(error?.code == .timedOut)
      }
      #expect(isGone)
    }
  }

  @Test func `a network is released after a session's timeout before the response`() async throws {
    let isGone = try await goes { network, response in
      network.stub("/slow", with: response.after(.seconds(10)))
      let error = await #expect(throws: URLError.self) { try await network.session.data(for: impatient(1)) }
      #expect(error?.code == .timedOut)
    }
    #expect(isGone)
  }

  @Test func `a network is released after its held request was cancelled`() async throws {
    for endsByItself in [true, false] {
      let isGone = try await goes(pace: .realTime, endsByItself: endsByItself) { network, response in
        let route = network.stub("/slow", with: response)
        route.hold()
        let call = Task { [request = impatient(3600)] in try await network.data(for: request) }
        await route.waitUntilCalled()
        call.cancel()
        await #expect(throws: URLError.self) { try await call.value }
      }
      #expect(isGone)
    }
  }

  @Test func `an invalidated network with open requests and sleeps is released`() async throws {
    let isGone = try await goes(pace: .realTime) { network, response in
      let route = network.stub("/slow", with: response)
      route.hold()
      let call = Task { [request = impatient(3600)] in try await network.data(for: request) }
      let sleeper = Task { try await network.clock.sleep(for: .seconds(3600)) }
      await route.waitUntilCalled()
      while network.engine.look({ $0.waiters.sleepers }) == 0 { await Task.yield() }
      network.invalidate()
      let error = await #expect(throws: URLError.self) { try await call.value }
      #expect(error?.code == .cancelled)
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(isGone)
  }

  @Test func `a simulation's network is released with its open requests and sleeps`() async throws {
    var engine: WeakReference<NetworkEngine>?
    var timeSource: WeakReference<SimulationDriver>?
    do {
      let run = try await Simulation("wifi", seed: 1) { network in
        network.stub("/slow", with: .text("late").after(.seconds(10)))
        network.stub("/mute", with: .never)
        _ = try? await network.session.data(for: impatient(1))
        async let _ = network.data(from: url("https://api.example.com/mute"))
        async let _: Void? = try? network.clock.sleep(for: .seconds(3600))
        try await network.clock.sleep(for: .seconds(1))
        return network.engine
      }
      engine = WeakReference(run.value)
      timeSource = (run.value.timeSource as? SimulationDriver).map { WeakReference($0) }
    }
    #expect(await engine?.isGone() == true)
    #expect(await timeSource?.isGone() == true)
  }

  @Test func `finished requests leave no timers, exchanges or sleeps in the engine`() async throws {
    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    network.stub("/now", with: .text("x"))
    network.stub("/slow", with: .text("x").after(.seconds(10)))
    for _ in 0..<300 {
      _ = try await network.data(from: url("https://api.example.com/now"))
      await #expect(throws: URLError.self) { try await network.data(for: impatient(1)) }
    }
    let left = network.engine.look { ($0.timers.count, $0.exchanges.count, $0.waiters.sleepers) }
    #expect(left == (0, 0, 0))
  }

  @Test func `cancelled sleeps leave nothing in the engine`() async throws {
    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    let (begun, hasBegun) = AsyncStream<Void>.makeStream()
    let (over, isOver) = AsyncStream<Void>.makeStream()
    network.stub(
      "/slow",
      with: .handler { (_: URLRequest) async -> StubResponse in
        hasBegun.finish()
        for await _ in over {}
        return .text("x")
      })
    // Without a working server, time would jump to the end of the sleep.
    let call = Task { [request = impatient(1e6)] in try await network.data(for: request) }
    for await _ in begun {}
    for _ in 0..<100 {
      let sleeper = Task { try await network.clock.sleep(for: .seconds(1_000_000)) }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(network.engine.look { $0.waiters.sleepers } == 0)
    #expect(network.engine.look { $0.timers.count } <= 1)
    isOver.finish()
    _ = await call.result
  }

  @Test func `a sleep in an invalidated network is cancelled at once`() async throws {
    let network = SimulatedNetwork("wifi", seed: 1)
    network.invalidate()
    await #expect(throws: CancellationError.self) { try await network.clock.sleep(for: .seconds(3600)) }
  }

  // MARK: Cookies

  @Test func `a redirect's cookies are sent with the redirected request`()
    async throws
  {
    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    network.stub("/first", with: .redirect(to: "/second").header("Set-Cookie", "sid=1; Path=/"))
    let route = network.stub("/second", with: .text("x").header("Set-Cookie", "sid=2; Path=/"))
    let first = url("https://api.example.com/first")
    for _ in 0..<2 { _ = try await network.session.data(from: first) }
    for _ in 0..<2 { _ = try await network.data(from: first) }
    #expect(route.requests.map { $0.header("Cookie") } == ["sid=1", "sid=1", "sid=1", "sid=1"])
    _ = try await network.session.data(from: url("https://api.example.com/second"))
    #expect(route.requests.last?.header("Cookie") == "sid=2")
  }

  // MARK: Patience

  @Test func `a stub handler that waits for its own network times out`() async throws {
    let network = SimulatedNetwork(
      "wifi", seed: 1, pace: .immediate, options: NetworkOptions(patience: .milliseconds(30)))
    network.stub("/inner", with: .text("x"))
    network.stub(
      "/call",
      with: .handler { _ async throws -> StubResponse in
        _ = try await network.data(from: url("https://api.example.com/inner"))
        return .text("x")
      })
    network.stub(
      "/sleep",
      with: .handler { _ async throws -> StubResponse in
        try await network.clock.sleep(for: .seconds(1))
        return .text("x")
      })
    for path in ["call", "sleep"] {
      let error = await #expect(throws: URLError.self) {
        try await network.data(from: url("https://api.example.com/\(path)"))
      }
      #expect(error?.code == .timedOut)
      #expect(error?.localizedDescription.contains("waits for its stub or transport") == true)
    }
    network.invalidate()
  }

  /// A real server that never responds.
  private struct Silence: Transport {
    func respond(to request: TransportRequest, with reply: any TransportReply) { reply.waitOutside() }
  }

  @Test func `a real server that never responds times out after the network's patience`() async throws {
    let network = SimulatedNetwork(
      "wifi", seed: 1, pace: .immediate, transport: Silence(), options: NetworkOptions(patience: .milliseconds(30)))
    let result = await network.session.complete { $0.dataTask(with: slow, completionHandler: $1) }
    #expect(result.code == .timedOut)
    #expect((result.error as? URLError)?.localizedDescription.contains("a real server") == true)
  }

  @Test func `a request without a time limit that can never end times out`() async throws {
    let network = SimulatedNetwork(
      "unlimited", seed: 1, pace: .immediate, options: NetworkOptions(patience: .milliseconds(30)))
    network.stub("/slow", with: .never)
    let configuration = network.sessionConfiguration
    configuration.timeoutIntervalForRequest = .infinity
    configuration.timeoutIntervalForResource = .infinity
    let session = URLSession(configuration: configuration)
    let result = await session.complete { $0.dataTask(with: slow, completionHandler: $1) }
    #expect(result.code == .timedOut)
    #expect((result.error as? URLError)?.localizedDescription.contains("no time limit") == true)
  }

  @Test func `a reader that reads late does not block another request`() async throws {
    let network = SimulatedNetwork(
      "wifi", seed: 1, pace: .immediate, options: NetworkOptions(patience: .milliseconds(500)))
    network.stub("/slow", with: .bytes(count: 3_000_000))
    network.stub("/fast", with: .text("x"))
    let (bytes, _) = try await network.bytes(from: slow)
    let data = try await network.data(from: url("https://api.example.com/fast")).0
    #expect(data == Data("x".utf8))
    var count = 0
    for try await piece in bytes.chunks { count += piece.count }
    #expect(count == 3_000_000)
  }

  @Test func `virtual time waits for a slow reader when no other request is open`() async throws {
    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    network.stub("/slow", with: .bytes(count: 3_000_000))
    let (bytes, _) = try await network.bytes(from: slow)
    // Waits for the first piece of the body.
    while network.engine.look({ $0.outside.toldClients }) == 0 { await Task.yield() }
    let before = network.now
    // Simulates a busy machine: this takes longer than the network's patience.
    network.engine.change { $0.giveUp(after: .milliseconds(1)) }
    #expect(network.engine.look { $0.outside.toldClients } == 1)
    #expect(network.now == before)
    var count = 0
    for try await piece in bytes.chunks { count += piece.count }
    #expect(count == 3_000_000)
  }

  @Test func `a suspended task does not time out and does not delay other requests`() async throws {
    let options = NetworkOptions(timeLimit: .seconds(2_000_000))
    let run = try await Simulation("wifi", seed: 1, options: options) { [slow] network in
      network.stub("/slow", with: .bytes(count: 200_000))
      let delegate = RecordingDelegate()
      let task = network.session(delegate: delegate).dataTask(with: slow)
      let isSuspended = Mutex(false)
      delegate.onData { _ in
        if isSuspended.withLock({ was in
          defer { was = true }; return !was
        }) {
          task.suspend()
        }
      }
      task.resume()
      // Far longer than both of the task's limits.
      try await network.clock.sleep(for: .seconds(1_000_000))
      #if canImport(FoundationNetworking)
        // On Apple platforms a protocol does not learn of the suspension: the system keeps the output meanwhile.
        #expect(network.engine.look { $0.waiters.suspended } == 1)
      #endif
      task.resume()
      let record = await delegate.end()
      #expect(record.error == nil)
      #expect(record.body.count == 200_000)
    }
    #expect(run.elapsed >= .seconds(1_000_000))
  }

  #if canImport(FoundationNetworking)
    @Test func `the time of a suspension does not count towards a task's timeouts`() async throws {
      _ = try await Simulation("wifi", options: NetworkOptions(timeLimit: .seconds(2_000_000))) { [slow] network in
        // 30 s after the task resumes; its limits are a minute for the next byte, and a week for the whole request.
        network.stub("/slow", with: .text("x").after(.seconds(1_000_030)))
        let delegate = RecordingDelegate()
        let task = network.session(delegate: delegate).dataTask(with: slow)
        task.resume()
        try await network.clock.sleep(for: .seconds(1))
        task.suspend()
        try await network.clock.sleep(for: .seconds(999_999))
        task.resume()
        let record = await delegate.end()
        #expect(record.error == nil && record.body.count == 1)
      }
    }
  #endif
}
