import Internals
import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

/// What a network holds, and when it lets go.
@Suite struct NetworkEngineTests {
  let slow = url("https://api.example.com/slow")

  private func impatient(_ seconds: TimeInterval) -> URLRequest {
    var request = URLRequest(url: slow)
    request.timeoutInterval = seconds
    return request
  }

  /// Runs something with a network, and says whether network, engine and what a stub holds go afterwards.
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

  @Test func `a network goes after a timeout that came before the answer`() async throws {
    for endsByItself in [true, false] {
      let isGone = try await goes(endsByItself: endsByItself) { network, response in
        network.stub("/slow", with: response.after(.seconds(10)))
        let error = await #expect(throws: URLError.self) { try await network.data(for: impatient(1)) }
        #expect(error?.code == .timedOut)
      }
      #expect(isGone)
    }
  }

  @Test func `a network goes after a session's timeout that came before the answer`() async throws {
    let isGone = try await goes { network, response in
      network.stub("/slow", with: response.after(.seconds(10)))
      let error = await #expect(throws: URLError.self) { try await network.session.data(for: impatient(1)) }
      #expect(error?.code == .timedOut)
    }
    #expect(isGone)
  }

  @Test func `a network goes after its held request was cancelled`() async throws {
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

  @Test func `a network goes with requests and sleepers under way when it is invalidated`() async throws {
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

  @Test func `a simulation's network goes with it, whatever was left behind`() async throws {
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

  @Test func `nothing is left of requests that are over but what the timeline keeps`() async throws {
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

  @Test func `sleeps that were cancelled leave nothing`() async throws {
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
    // Without a server at work time would jump to the end of the sleep.
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

  @Test func `a sleep in a network that has ended is over at once, as cancelled`() async throws {
    let network = SimulatedNetwork("wifi", seed: 1)
    network.invalidate()
    await #expect(throws: CancellationError.self) { try await network.clock.sleep(for: .seconds(3600)) }
  }

  // MARK: Cookies

  @Test func `the cookies of a redirect go with the next hop, in a session and in the network's own calls`()
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

  @Test func `a handler that waits for its own network ends, with what was waited for`() async throws {
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

  /// A real server that never answers.
  private struct Silence: Transport {
    func respond(to request: TransportRequest, with reply: any TransportReply) { reply.waitOutside() }
  }

  @Test func `a real server that never answers is waited for no longer than the network's patience`() async throws {
    let network = SimulatedNetwork(
      "wifi", seed: 1, pace: .immediate, transport: Silence(), options: NetworkOptions(patience: .milliseconds(30)))
    let result = await network.session.complete { $0.dataTask(with: slow, completionHandler: $1) }
    #expect(result.code == .timedOut)
    #expect((result.error as? URLError)?.localizedDescription.contains("a real server") == true)
  }

  @Test func `a request without a limit that nothing will ever end is ended`() async throws {
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

  @Test func `a reader that does not come keeps others waiting no longer than the network's patience`() async throws {
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

  @Test func `time waits without an end for a reader that keeps nobody else waiting`() async throws {
    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    network.stub("/slow", with: .bytes(count: 3_000_000))
    let (bytes, _) = try await network.bytes(from: slow)
    // Up to the first piece of the body.
    while network.engine.look({ $0.outside.toldClients }) == 0 { await Task.yield() }
    let before = network.now
    // As on a machine with too much to do, which is slower than the network is patient.
    network.engine.change { $0.giveUp(after: .milliseconds(1)) }
    #expect(network.engine.look { $0.outside.toldClients } == 1)
    #expect(network.now == before)
    var count = 0
    for try await piece in bytes.chunks { count += piece.count }
    #expect(count == 3_000_000)
  }

  @Test func `a suspended task is not timed out, and costs the others no time`() async throws {
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
        // On Apple platforms nobody tells a protocol: what comes meanwhile is kept by the system.
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
    @Test func `a task that was suspended has as much time left as it had before`() async throws {
      _ = try await Simulation("wifi", options: NetworkOptions(timeLimit: .seconds(2_000_000))) { [slow] network in
        // 30 s after the task goes on; its limits are a minute for the next byte, and a week for all.
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
