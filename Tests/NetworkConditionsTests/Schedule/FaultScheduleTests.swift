import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

struct FaultScheduleTests {
  /// A client that survives failures: three requests, each retried at most twice.
  private static let client: @Sendable (SimulatedNetwork) async throws -> [Int] = { network in
    network.stub("/files/*", with: .bytes(count: 60_000))
    var counts: [Int] = []
    for number in 0..<3 {
      for attempt in 0..<3 {
        do {
          let request = URLRequest(url: url("https://api.example.com/files/\(number)"))
          counts.append(try await network.data(for: request).0.count)
          break
        } catch {
          counts.append(-attempt)
          try await network.clock.sleep(for: .seconds(3))
        }
      }
    }
    return counts
  }

  /// The events of the transfers and their packets; only the first run reports phases that change nothing.
  private static func course(of timeline: Timeline) -> [String] {
    timeline.events.filter { event in
      if case .phaseEntered = event.kind { return false }
      return true
    }.map(\.description)
  }

  @Test(arguments: ["flaky", "cafe wifi", "tunnel", "subway", "3G"])
  func `replaying a recorded schedule gives exactly the same events`(_ name: String) async throws {
    for seed in UInt64(0)..<5 {
      let profile = try NetworkProfile.named(name).starting(at: .seconds(seed * 14))
      let run = try await EndedRun(profile, seed: seed, faults: .recorded, Self.client)
      let schedule = try #require(run.faults)
      let again = try await EndedRun(profile, seed: seed, faults: .replayed(schedule), Self.client)
      #expect(try again.result.get() == run.result.get())
      #expect(Self.course(of: again.timeline) == Self.course(of: run.timeline), "\(name), seed \(seed)")
      #expect(again.unusedFaults == [])
    }
  }

  @Test(arguments: [
    RequestFault.reset(after: .anywhere), .reset(after: .anywhere, direction: .up), .truncate(after: .anywhere),
    .stall(after: .anywhere, duration: .seconds(2)), .corrupt(at: .anywhere),
  ])
  func `a randomly placed fault is recorded with its byte and happens there again`(_ kind: RequestFault)
    async throws
  {
    let profile = NetworkProfile(name: "breaking", faults: [FaultRule(kind, probability: .percent(50))])
    let client: @Sendable (SimulatedNetwork) async throws -> [Data?] = { network in
      network.stub("/files/*", with: .bytes(count: 9_000))
      network.stub("/open/*", with: .stream([(.zero, Data(count: 70_000)), (.seconds(1), Data(count: 100))]))
      var bodies: [Data?] = []
      for number in 0..<10 {
        let path = number < 7 ? "files" : "open"
        bodies.append(try? await network.data(for: URLRequest(url: url("https://api.example.com/\(path)/\(number)"))).0)
      }
      return bodies
    }
    let run = try await EndedRun(profile, seed: 3, faults: .recorded, client)
    let schedule = try #require(run.faults)
    #expect(schedule.faults.count > 1)
    #expect(!"\(schedule)".contains("anywhere"))
    let again = try await EndedRun(profile, seed: 3, faults: .replayed(schedule), client)
    #expect(try again.result.get() == run.result.get())
    #expect(Self.course(of: again.timeline) == Self.course(of: run.timeline))
    #expect(again.unusedFaults == [])
  }

  @Test func `a fault of a response that never arrives is reported as unused`() async throws {
    let reset = ScheduledFault.request(.get, "/", .reset(after: .bytes(10)))
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: [reset])) { network in
      network.stub("/", with: .never)
      _ = try? await network.data(for: URLRequest(url: url("https://api.example.com/"), timeoutInterval: 2))
    }
    #expect(run.unusedFaults == [reset])
    #expect(!run.timeline.events.contains { if case .fault = $0.kind { true } else { false } })
  }

  @Test func `a scheduled fault names its request by method, path and occurrence`() throws {
    let fault = ScheduledFault.request(.post, "/pay", nth: 2, .truncate(after: 0))
    #expect(fault == .request(MethodPattern("post"), "/pay", nth: 2, .truncate(after: .zero)))
    #expect("\(fault)" == "the 2nd POST /pay: response cut off after 0 bytes")
    #expect("\(ScheduledFault.request(.any, "/pay", .reset(after: 1200)))".hasPrefix("the 1st /pay: "))
  }

  @Test func `using a replay token as a profile name is an error that says how to replay it`() throws {
    let token = "\(ReplayToken(try FaultSchedule("3G")))"
    for name in [token, "netcond7:x"] {
      let error = #expect(throws: ProfileError.self) { try FaultSchedule(name) }
      let text = try #require(error?.description)
      #expect(text.hasPrefix("\"netcond") && text.contains(" is a replay token, not a profile. Repeat its run with"))
      #expect(
        text.hasSuffix(
          "`Simulation(replaying: token)`, or read it with `ReplayToken(token)`. (netcond explain unknown-profile)"))
    }
  }

  @Test func `a replayed schedule without faults loses no packet`() async throws {
    let run = try await Simulation(replaying: FaultSchedule("very bad network"), Self.client)
    #expect(run.value == [60_000, 60_000, 60_000])
    #expect(!run.timeline.events.contains { if case .packetLost(_, .link) = $0.kind { true } else { false } })
  }

  @Test func `a hand-written schedule resets the second POST after 1200 bytes`() async throws {
    let schedule = try FaultSchedule("3G", faults: [.request(.post, "/pay", nth: 2, .reset(after: .bytes(1200)))])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/pay", with: .bytes(count: 5_000))
      var ends: [String] = []
      for _ in 0..<3 {
        var request = URLRequest(url: url("https://api.example.com/pay"))
        request.httpMethod = "POST"
        do {
          ends.append("\(try await network.data(for: request).0.count)")
        } catch let error as URLError {
          ends.append("\(error.code == .networkConnectionLost)")
        }
      }
      return ends
    }
    #expect(run.value == ["5000", "true", "5000"])
    #expect(run.unusedFaults == [])
    #expect("\(schedule)" == "3G, seed 0, 1 fault\n  the 2nd POST /pay: connection reset after 1200 bytes down")
  }

  @Test func `a scheduled outage and a scheduled packet loss both happen`() async throws {
    let schedule = try FaultSchedule(
      "wifi",
      faults: [
        .outage(from: .milliseconds(10), for: .seconds(2)),
        .packetLost(6, .down, of: "api.example.com:443"),
      ])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/", with: .bytes(count: 20_000))
      return try await network.data(for: URLRequest(url: url("https://api.example.com/"))).0.count
    }
    #expect(run.value == 20_000)
    #expect(run.elapsed > .seconds(2))
    let losses = run.timeline.events.filter { $0.kind == .packetLost(.down, .link) }
    #expect(losses.count == 1)
    #expect(run.unusedFaults == [])
  }

  @Test func `corrupted, duplicated and reordered packets have their own words in schedules`() async throws {
    let text = """
      { "schedule": 1, "profile": "wifi", "faults": [
        { "packet": 6, "of": "api.example.com:443", "direction": "down", "corrupted": true },
        { "packet": 8, "of": "api.example.com:443", "direction": "down", "doubled": true },
        { "packet": 9, "of": "api.example.com:443", "direction": "down", "ahead": true } ] }
      """
    let schedule = try FaultSchedule(json: Data(text.utf8))
    #expect(
      schedule.faults.map { "\($0)" } == [
        "packet 6 from api.example.com:443: corrupted", "packet 8 from api.example.com:443: doubled",
        "packet 9 from api.example.com:443: ahead",
      ])
    #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/", with: .bytes(count: 20_000))
      return try await network.data(for: URLRequest(url: url("https://api.example.com/"))).0.count
    }
    #expect(run.value == 20_000 && run.unusedFaults == [])
    #expect(run.timeline.events.count { $0.kind == .packetLost(.down, .corruption) } == 1)
  }

  @Test func `the text of a schedule contains a profile that is not built in, without a version`() throws {
    let profile = NetworkProfile(name: "own", base: PathConditions(down: .init(delay: .milliseconds(20))))
    let schedule = FaultSchedule(profile, seed: 7, faults: [])
    #expect(
      schedule.formatText == """
        {
          "schedule": 1,
          "profile": { "name": "own", "down": { "delay": "20 ms" } },
          "seed": "7",
          "faults": []
        }

        """)
  }

  @Test func `a scheduled phase of another path's profile need not exist in the schedule's profile`() throws {
    let json = #"{"schedule": 1, "profile": "3G", "faults": [{"phase": "slow", "from": "0 s", "via": "wifi"}]}"#
    let schedule = try FaultSchedule(json: Data(json.utf8))
    #expect(schedule.faults == [ScheduledFault(.phase("slow", from: .zero, for: nil), via: "wifi")])
  }

  @Test func `faults that never happen are reported as unused in the schedule's order`() async throws {
    let missed: [ScheduledFault] = [
      .request(.delete, "/nothing", .refused),
      .packetLost(100_000, .up, of: "api.example.com:443"),
      .packetLost(0, .up, of: "elsewhere.example.com:443"),
      .outage(from: .seconds(3600)),
      ScheduledFault(.request(.any, .refused), via: "wifi"),
    ]
    let schedule = try FaultSchedule("3G", faults: [.packetLost(0, .up, of: "api.example.com:443")] + missed)
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/", with: .text("x"))
      _ = try await network.data(for: URLRequest(url: url("https://api.example.com/")))
    }
    #expect(run.unusedFaults == missed)
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a clock jump whose time comes after the run's end is reported as unused`() async throws {
    let jumps = [1, 100].map { ScheduledFault(.clockJump(by: .seconds(60), at: .seconds($0))) }
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: jumps)) { network in
      try await network.clock.sleep(for: .seconds(5))
    }
    #expect(run.unusedFaults == [jumps[1]])
  }

  @Test func `a phase of a profile that was set later is recorded with its time in the run`() async throws {
    var out = PathConditions.unlimited
    out.outage = .drop
    let phased = NetworkProfile(
      name: "phased",
      phases: [
        .init("open", for: .seconds(3), conditions: .unlimited), .init("out", for: .seconds(2), conditions: out),
        .init("open again", conditions: .unlimited),
      ])
    let run = try await Simulation(.unlimited) { network in
      network.recordFaults()
      try await network.clock.sleep(for: .seconds(10))
      network.use(phased)
      try await network.clock.sleep(for: .seconds(10))
      return network.faultSchedule?.faults.map(\.kind)
    }
    #expect(run.value == [.outage(.drop, from: .seconds(13), for: .seconds(2))])
  }

  @Test func `a fault at a random place strikes each request at a different place`() async throws {
    let faults = (0..<8).map { ScheduledFault.request(.get, "/\($0)", .truncate(after: .anywhere)) }
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: faults)) { network in
      network.stub("/*", with: .bytes(count: 10_000))
      for number in 0..<8 { _ = try? await network.data(from: url("http://x.example/\(number)")) }
    }
    #expect(run.unusedFaults.isEmpty && Set(run.timeline.transfers.map(\.bytesReceived)).count > 4)
  }

  @Test func `faults after the run's end or on a path that no request took are reported as unused`() async throws {
    let missed: [ScheduledFault] = [
      ScheduledFault(.cancellation(at: .seconds(100))),
      ScheduledFault(.brownOut(from: .seconds(100), for: .seconds(1))),
      ScheduledFault(.suspension(from: .seconds(100), for: .seconds(1))),
      ScheduledFault(.outage(.drop, from: .zero, for: .seconds(1)), via: "wifi"),
      ScheduledFault(.phase("slow", from: .zero, for: .seconds(1)), via: "wifi"),
    ]
    let used = ScheduledFault.outage(from: .zero, for: .milliseconds(1))
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: missed + [used])) { network in
      network.stub("/", with: .text("x"))
      _ = try await network.data(for: URLRequest(url: url("https://api.example.com/")))
    }
    #expect(run.unusedFaults == missed)
  }

  @Test func `a replay without the schedule's first fault still uses some other faults`() async throws {
    let profile = try NetworkProfile.named("lossy")
    let run = try await EndedRun(profile, seed: 5, faults: .recorded, Self.client)
    var schedule = try #require(run.faults)
    #expect(schedule.faults.count > 3)
    let first = schedule.faults.removeFirst()
    let again = try await EndedRun(profile, seed: 5, faults: .replayed(schedule), Self.client)
    #expect(again.faults?.faults.contains(first) == false)
    // With one loss less, some later packets may not be sent, but the packets that are sent have no new faults.
    #expect(again.unusedFaults.count < schedule.faults.count)
  }

  @Test func `a network has no fault schedule unless it records or replays`() {
    let network = SimulatedNetwork("3G", pace: .immediate)
    #expect(network.faultSchedule == nil)
    #expect(network.unusedFaults == [])
    network.recordFaults()
    #expect(network.faultSchedule == (try? FaultSchedule("3G")))
  }
}
