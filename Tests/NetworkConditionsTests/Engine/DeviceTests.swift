import LinkSimulator
import Synchronization
import Testing
import URLLoading

@testable import NetworkConditions

/// Effects of the client's device on its requests.
///
/// Each way takes 50 ms, and nothing else takes time: the first request to a host takes three round trips, for its
/// name, its connection and the request itself.
struct DeviceTests {
  private static func conditions(_ change: (inout PathConditions) -> Void = { _ in }) -> PathConditions {
    let link = LinkConditions(delay: .milliseconds(50))
    var conditions = PathConditions(down: link, up: link)
    change(&conditions)
    return conditions
  }

  private static func profile(_ phases: [NetworkProfile.Phase]) -> NetworkProfile {
    var profile = NetworkProfile(name: "moving", base: conditions(), phases: phases)
    profile.configuration.repeats = .none
    return profile
  }

  /// A request's outcome and its time.
  private static func load(_ path: String, timeout: Double = 60, _ network: SimulatedNetwork) async -> String {
    let request = URLRequest(url: url("http://a.example\(path)"), timeoutInterval: timeout)
    do {
      let text = String(decoding: try await network.data(for: request).0, as: UTF8.self)
      return "\(text) at \(Self.time(network))"
    } catch let error as URLError {
      return "\(URLErrorNames.name(of: error.code)) at \(Self.time(network))"
    } catch {
      return "\(error)"
    }
  }

  private static func time(_ network: SimulatedNetwork) -> Duration {
    SimulatedInstant.zero.duration(to: network.now)
  }

  // MARK: Interfaces

  @Test func `a handover ends all connections, and the next request opens another`() async throws {
    let profile = Self.profile([
      .init("at home", for: .seconds(2), conditions: Self.conditions { $0.device.interface = .wifi }),
      .init("outside", conditions: Self.conditions { $0.device.interface = .cellular }),
    ])
    let run = try await Simulation(profile) { network in
      network.stub("/fast", with: .text("ok"))
      network.stub("/slow", with: .text("ok").after(.seconds(3)))
      async let paths = network.pathUpdates.prefix(2).map { "\($0)" }.reduce(into: [String]()) { $0.append($1) }
      let first = await Self.load("/fast", network)
      let lost = await Self.load("/slow", network)
      let next = await Self.load("/fast", network)
      return ([first, lost, next], await paths)
    }
    #expect(run.value.0 == ["ok at 0.3 seconds", "networkConnectionLost at 2.0 seconds", "ok at 2.2 seconds"])
    #expect(run.value.1 == ["satisfied, wifi", "satisfied, cellular, expensive"])
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, true, false])
  }

  @Test func `a new phase on the same interface keeps the connections`() async throws {
    let profile = Self.profile([
      .init("near", for: .seconds(1), conditions: Self.conditions { $0.device.interface = .wifi }),
      .init(
        "far",
        conditions: Self.conditions {
          $0.device.interface = .wifi
          $0.down.loss = .independent(.percent(1))
        }),
    ])
    let run = try await Simulation(profile) { network in
      network.stub("/slow", with: .text("ok").after(.seconds(3)))
      return await Self.load("/slow", network)
    }
    #expect(run.value == "ok at 3.3 seconds")
  }

  @Test func `the system reports a refusing outage as offline but not a dropping one`() async throws {
    let network = SimulatedNetwork(.unlimited)
    #expect("\(network.path)" == "satisfied")
    network.goOffline(.drop)
    #expect(network.path.status == .satisfied)
    network.goOffline()
    #expect(network.path.status == .unsatisfied)
    network.goOnline()
    #expect(network.path.status == .satisfied)
    network.invalidate()
  }

  // MARK: Connectivity

  @Test func `a wait for a network ends when the network is back, and at once if there is one`() async throws {
    let profile = Self.profile([
      .init("flight mode", for: .seconds(30), conditions: Self.conditions { $0.outage = .refuse }),
      .init("online", conditions: Self.conditions()),
    ])
    let run = try await Simulation(profile) { network in
      let wait = try #require(network.loaderTime.path)
      await wait()
      let first = Self.time(network)
      await wait()
      return [first, Self.time(network)]
    }
    #expect(run.value == [.seconds(30), .seconds(30)])
  }

  @Test(arguments: [true, false])
  func `a request that waits for connectivity starts when the network is back, with its full timeout`(
    waits: Bool
  ) async throws {
    let profile = Self.profile([
      .init("flight mode", for: .seconds(30), conditions: Self.conditions { $0.outage = .refuse }),
      .init("online", conditions: Self.conditions()),
    ])
    let run = try await Simulation(profile) { network in
      network.stub("/", with: .text("ok").after(.milliseconds(800)))
      var settings = ExchangeSettings()
      settings.idleTimeout = .seconds(1)
      settings.waitsForConnectivity = waits
      let call = NetworkCall(engine: network.engine)
      call.start(URLRequest(url: url("http://a.example/")), .whole(.empty), settings: settings)
      while true {
        switch try await call.next().end {
        case nil: continue
        case .failed(let error): return "\(URLErrorNames.name(of: error.code)) at \(Self.time(network))"
        default: return "done at \(Self.time(network))"
        }
      }
    }
    #expect(run.value == (waits ? "done at 31.1 seconds" : "notConnectedToInternet at 0.0 seconds"))
    #expect(run.timeline.events.contains { $0.kind == .waitingForConnectivity } == waits)
    #expect(run.timeline.transfers.count == 1)
  }

  /// The outcome of a request that waits for connectivity, and how often it began to wait.
  private static func waits(
    for address: String, _ profile: NetworkProfile
  ) async throws -> (end: Duration, waits: Int) {
    let run = try await Simulation(profile) { network in
      network.stub("/", with: .text("ok"))
      var settings = ExchangeSettings()
      settings.waitsForConnectivity = true
      let call = NetworkCall(engine: network.engine)
      call.start(URLRequest(url: url(address)), .whole(.empty), settings: settings)
      while try await call.next().end == nil {}
      return Self.time(network)
    }
    return (run.value, run.timeline.events.count { $0.kind == .waitingForConnectivity })
  }

  @Test func `a request that waits for connectivity is sent only in a phase with a network`() async throws {
    let offline = Self.conditions { $0.outage = .refuse }
    let profile = Self.profile([
      .init("flight mode", for: .seconds(10), conditions: offline),
      .init("no network", for: .seconds(20), conditions: offline), .init("online", conditions: Self.conditions()),
    ])
    #expect(try await Self.waits(for: "http://10.0.0.1/", profile) == (.milliseconds(30_200), 1))
  }

  @Test func `a request that waits for its own path is not sent when another path is back`() async throws {
    let offline = Self.conditions { $0.outage = .refuse }
    let isle = NetworkProfile(
      name: "isle", base: Self.conditions(),
      phases: [.init(for: .seconds(40), conditions: offline), .init(conditions: Self.conditions())])
    var profile = Self.profile([
      .init("flight mode", for: .seconds(10), conditions: offline), .init("online", conditions: Self.conditions()),
    ])
    profile.rules = [ProfileRule(match: RequestMatch(host: "10.0.0.2"), use: isle)]
    #expect(try await Self.waits(for: "http://10.0.0.2/", profile) == (.milliseconds(40_200), 1))
  }

  // MARK: Suspension

  @Test func `a suspended app gets events only after it resumes and loses its connections`() async throws {
    let run = try await Simulation(Self.profile([])) { network in
      network.stub("/fast", with: .text("ok"))
      network.stub("/slow", with: .text("ok").after(.seconds(8)))
      let first = await Self.load("/fast", network)
      async let slow = Self.load("/slow", timeout: 5, network)
      async let nap: String = {
        try? await network.clock.sleep(for: .seconds(3))
        return "awake at \(Self.time(network))"
      }()
      try await network.clock.sleep(for: .seconds(1))
      network.suspendApp(for: .seconds(20))
      let ends = await [first, slow, nap]
      return ends + [await Self.load("/fast", network)]
    }
    #expect(
      run.value == [
        "ok at 0.3 seconds", "networkConnectionLost at 21.3 seconds", "awake at 21.3 seconds", "ok at 21.5 seconds",
      ])
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, true, false])
    let changes = run.timeline.events.filter { $0.kind == .suspended || $0.kind == .resumed }
    #expect(changes.map(\.time.nanoseconds) == [1_300_000_000, 21_300_000_000])
  }

  @Test func `a schedule can suspend the app, which ends the connections of every path`() async throws {
    let other = NetworkProfile(name: "other", base: Self.conditions())
    var profile = NetworkProfile(name: "moving", base: Self.conditions())
    profile.rules = [ProfileRule(match: RequestMatch(host: "b.example"), use: other)]
    let pocket = ScheduledFault(.suspension(from: .seconds(1), for: .seconds(20)))
    let run = try await Simulation(replaying: FaultSchedule(profile, faults: [pocket])) { network in
      network.stub("/slow", with: .text("ok").after(.seconds(8)))
      async let there: String = {
        let end = try? await network.data(for: URLRequest(url: url("http://b.example/slow")))
        return "\(end == nil ? "lost" : "ok") at \(Self.time(network))"
      }()
      async let nap: String = {
        try? await network.clock.sleep(for: .seconds(3))
        return "awake at \(Self.time(network))"
      }()
      return [await Self.load("/slow", network), await there, await nap]
    }
    #expect(
      run.value == ["networkConnectionLost at 21.0 seconds", "lost at 21.0 seconds", "awake at 21.0 seconds"])
    let changes = run.timeline.events.filter { $0.kind == .suspended || $0.kind == .resumed }
    #expect(changes.map(\.time.nanoseconds) == [1_000_000_000, 21_000_000_000])
    #expect(run.unusedFaults.isEmpty)
  }

  @Test func `overlapping suspensions last until the latest of their ends`() async throws {
    let run = try await Simulation(Self.profile([])) { network in
      for seconds in [10, 20, 5] { network.suspendApp(for: .seconds(seconds)) }
      try await network.clock.sleep(for: .seconds(1))
      return Self.time(network)
    }
    #expect(run.value == .seconds(20))
    #expect(run.timeline.events.count { $0.kind == .resumed } == 1)
  }

  @Test func `a suspended app does not see its offline network come back`() async throws {
    let profile = Self.profile([
      .init("open", for: .seconds(2), conditions: Self.conditions()),
      .init("flight mode", for: .seconds(20), conditions: Self.conditions { $0.outage = .refuse }),
      .init("open again", conditions: Self.conditions()),
    ])
    let run = try await Simulation(profile) { network in
      try await network.clock.sleep(for: .seconds(5))
      network.suspendApp(for: .seconds(5))
      try await network.clock.sleep(for: .seconds(20))
    }
    let changes = run.timeline.events.filter { if case .pathChanged = $0.kind { true } else { false } }
    #expect(changes.map { SimulatedInstant.zero.duration(to: $0.time) } == [.seconds(2), .seconds(22)])
  }

  @Test func `a profile phase can suspend the app, with the same results in each run`() async throws {
    let text = """
      { "name": "pocket", "up": { "delay": "50 ms" }, "down": { "delay": "50 ms" },
        "device": { "interface": "cellular", "constrained": true },
        "phases": [ { "name": "open", "for": "2 s" }, { "name": "pocket", "for": "60 s", "device": { "suspended": true } },
          { "name": "open again" } ] }
      """
    let profile = try NetworkProfile(json: Data(text.utf8))
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
    let client: @Sendable (SimulatedNetwork) async throws -> [String] = { network in
      network.stub("/*", with: .text("ok").after(.seconds(1)))
      var ends: [String] = []
      for number in 0..<3 {
        ends.append(await Self.load("/\(number)", network))
        try await network.clock.sleep(for: .milliseconds(300))
      }
      return ends + ["\(network.path)"]
    }
    let run = try await Simulation(profile, seed: 1, client)
    #expect(
      run.value == [
        "ok at 1.3 seconds", "networkConnectionLost at 62.0 seconds", "ok at 63.5 seconds",
        "satisfied, cellular, expensive, constrained",
      ])
    #expect(try await Simulation(profile, seed: 1, client).traceHash == run.traceHash)
  }
}
