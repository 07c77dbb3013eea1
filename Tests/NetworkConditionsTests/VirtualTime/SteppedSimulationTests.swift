import Dispatch
import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct SteppedSimulationTests {
  @Test func `a stepped simulation's time moves only when it is advanced`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    let log = Log<String>()
    let job = simulation.run { network in
      for _ in 0..<3 {
        try await network.clock.sleep(for: .seconds(2))
        log.add("\(network.now)")
      }
      return "done"
    }
    #expect(log.all.isEmpty)
    try await simulation.advance(by: .seconds(5))
    #expect(log.all == ["2.000000 s", "4.000000 s"])
    #expect(simulation.network.now == .zero.advanced(by: .seconds(5)))
    #expect(job.result == nil)
    try await simulation.advance(by: .seconds(1))
    #expect(try job.result?.get() == "done")
  }

  @Test func `a cancelled closure notices it at the next step`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    let job = simulation.run { network in
      try? await network.clock.sleep(for: .seconds(9))
      return Task.isCancelled
    }
    try await simulation.advance(by: .seconds(1))
    job.cancel()
    #expect(job.result == nil)
    try await simulation.advance(by: .zero)
    #expect(try job.result?.get() == true)
    #expect(simulation.network.now == .zero.advanced(by: .seconds(1)) && "\(simulation)" == "\(simulation.network)")
  }

  @Test(arguments: [CaptureMode.everything, .nothing])
  func `advancing until an event stops at that event`(capturing: CaptureMode) async throws {
    let simulation = try SteppedSimulation("3G", seed: 1, capturing: capturing)
    simulation.network.stub("/feed", with: .bytes(count: 50_000))
    let job = simulation.run { network in
      try await network.session.data(for: URLRequest(url: url("https://api.example.com/feed"))).0.count
    }
    let event = try #require(try await simulation.advance(until: .event { $0.kind == .response(status: 200) }))
    #expect(event.time == simulation.network.now)
    #expect(job.result == nil)
    #expect(try await job.value() == 50_000)
    #expect(simulation.network.now > event.time)
  }

  @Test func `a step that begins while another one runs is an error with a remedy`() async throws {
    // The step waits in real time until this test continues, after all other tests of the suite.
    let options = NetworkOptions(patience: .seconds(600))
    let simulation = try SteppedSimulation("unlimited", capturing: .nothing, options: options)
    simulation.network.stub("/", with: .text("a"))
    let job = simulation.run { network in _ = try await network.data(from: url("https://api.example.com/")) }
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = Task {
      try await simulation.advance(
        until: .event { _ in
          begun.signal()
          gate.wait()
          return true
        })
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    let error = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(1)) }
    for _ in 0..<100 { gate.signal() }
    #expect("\(try #require(error))".contains("while another one runs: the run would not be exact. Await each step"))
    #expect(try await first.value != nil)
    try await job.value()
  }

  @Test func `a network that goes offline between two steps fails the open request`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    simulation.network.stub("/feed", with: .bytes(count: 500_000))
    let job = simulation.run { network in
      try await network.data(for: URLRequest(url: url("https://api.example.com/feed")))
    }
    try await simulation.advance(by: .seconds(2))
    simulation.network.goOffline()
    let error = await #expect(throws: URLError.self) { try await job.value() }
    #expect(error?.code == .networkConnectionLost)
  }

  @Test func `a held response keeps its request open while time advances`() async throws {
    let simulation = try SteppedSimulation("unlimited", seed: 1)
    let route = simulation.network.stub("/feed", with: .text("late"))
    route.hold()
    let job = simulation.run { network in
      _ = try await network.data(for: URLRequest(url: url("https://api.example.com/feed")))
      return network.now
    }
    try await simulation.advance(by: .seconds(20))
    #expect(job.result == nil)
    route.release()
    #expect(try await job.value() >= .zero.advanced(by: .seconds(20)))
  }

  @Test func `advancing until an event that never happens is an error`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1, options: NetworkOptions(patience: .milliseconds(20)))
    let error = await #expect(throws: SimulationError.self) {
      try await simulation.advance(until: .event { $0.kind == .finished })
    }
    guard case .deadlock = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
  }

  @Test func `advancing until an event gives the first such event, although others follow at the same instant`()
    async throws
  {
    let simulation = try SteppedSimulation("unlimited", seed: 1)
    simulation.network.stub("/feed", with: .text("feed"))
    let job = simulation.run { network in
      _ = try await network.data(for: URLRequest(url: url("https://api.example.com/feed")))
    }
    let event = try await simulation.advance(until: .event { $0.transfer != nil })
    #expect(event?.kind == .started(method: "GET", url: "https://api.example.com/feed"))
    try await job.value()
    let events = simulation.network.timeline.events.filter { $0.transfer != nil }
    #expect(events.first == event && events.count { $0.time == event?.time } > 1)
  }

  @Test func `advancing until nothing is scheduled stops after the last event`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    let job = simulation.run { network in try await network.clock.sleep(for: .seconds(90)) }
    try await simulation.advance(until: .rest)
    #expect(simulation.network.now == .zero.advanced(by: .seconds(90)))
    #expect(job.result != nil)
  }

  private struct Silence: Transport {
    func respond(to request: TransportRequest, with reply: any TransportReply) { reply.waitOutside() }
  }

  @Test func `a step that waits for a silent real server ends with an error`() async throws {
    let simulation = try SteppedSimulation(
      "3G", seed: 1, transport: Silence(), options: NetworkOptions(patience: .milliseconds(20)))
    let job = simulation.run { network in try await network.data(from: url("https://api.example.com/feed")) }
    let error = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(5)) }
    guard case .stuck(_, _, let waiting, nil, nil) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
    #expect(waiting == ["GET https://api.example.com/feed since 0.000000 s"])
    #expect(job.result == nil)
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }

  @Test func `a step whose thread is blocked ends with an error`() async throws {
    let options = NetworkOptions(patience: .milliseconds(50))
    let simulation = try SteppedSimulation("3G", capturing: .nothing, options: options)
    let gate = DispatchSemaphore(value: 0)
    let job = simulation.run { _ in Self.wait(for: gate) }
    let error = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(1)) }
    if case .stuck? = error {} else { Issue.record("it threw \(String(describing: error))") }
    gate.signal()
    while job.result == nil { await Task.yield() }
  }

  @Test func `ending a stepped simulation cancels its jobs`() async throws {
    let log = Log<String>()
    let simulation = try SteppedSimulation("3G", seed: 1)
    let job = simulation.run { network in
      do {
        try await network.clock.sleep(for: .seconds(100))
      } catch {
        log.add("\(type(of: error))")
      }
    }
    try await simulation.advance(by: .seconds(1))
    simulation.end()
    while job.result == nil { await Task.yield() }
    #expect(log.all == ["CancellationError"])
  }

  @Test func `after the end a job still has its value, and a step is refused`() async throws {
    let simulation = try SteppedSimulation("3G")
    let job = simulation.run { _ in 7 }
    try await simulation.advance(until: .rest)
    simulation.end()
    #expect(try await job.value() == 7)
    let error = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(1)) }
    #expect("\(error as Any)".contains("A step after the simulation's end"))
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a step after the end of a refused stepped simulation is refused`() async throws {
    let simulation = try SteppedSimulation("unlimited")
    _ = simulation.run { _ in DispatchSource.makeUserDataAddSource(queue: .global()).resume() }
    let refusal = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(1)) }
    #expect("\(refusal as Any)".contains("A dispatch source other than a timer"))
    simulation.end()
    let late = await #expect(throws: SimulationError.self) { try await simulation.advance(by: .seconds(1)) }
    #expect("\(late as Any)".contains("A step after the simulation's end"))
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a stepped simulation that is released lets another have the shared session`() async throws {
    let feed = url("https://api.example.com/feed")
    do {
      let simulation = try SteppedSimulation("unlimited")
      simulation.network.stub("/feed", with: .never)
      _ = simulation.run { _ in try await URLSession.shared.data(from: feed).0 }
      try await simulation.advance(by: .seconds(1))
    }
    let run = try await Simulation("unlimited") { network in
      network.stub("/feed", with: .text("feed"))
      return try await URLSession.shared.data(from: feed).0
    }
    #expect(run.value == Data("feed".utf8))
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a stepped simulation that waits for another's shared session ends with an error`() async throws {
    let feed = url("https://api.example.com/feed")
    let first = try SteppedSimulation("unlimited")
    let second = try SteppedSimulation("unlimited")
    for simulation in [first, second] {
      simulation.network.stub("/feed", with: .text("feed"))
    }
    let load = first.run { _ in try await URLSession.shared.data(from: feed).0 }
    #expect(try await load.value() == Data("feed".utf8))
    let late = second.run { _ in try await URLSession.shared.data(from: feed).0 }
    let error = await #expect(throws: SimulationError.self) { try await late.value() }
    #expect("\(error as Any)".contains("a stepped simulation of the same task"))
    let other = await #expect(throws: SimulationError.self) {
      try await Simulation("unlimited") { _ in try await URLSession.shared.data(from: feed).0 }
    }
    #expect("\(other as Any)".contains("a stepped simulation of the same task"))
    first.end()
  }
}
