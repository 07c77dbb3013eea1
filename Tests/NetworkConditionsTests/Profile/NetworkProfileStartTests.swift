import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

struct NetworkProfileStartTests {
  /// The phases with their lengths in seconds.
  private func phases(_ name: String) throws -> [String] {
    let profile = try NetworkProfile.named(name)
    return profile.phases.map { "\($0.name) \(($0.duration ?? .zero) / .seconds(1))" }
  }

  private func once(_ names: String...) -> NetworkProfile {
    let phases = names.map { name in
      NetworkProfile.Phase(
        name, for: .seconds(10), conditions: PathConditions(dnsDelay: .milliseconds(Int64(name.count))))
    }
    return NetworkProfile(name: "once", phases: phases)
  }

  private func problem(_ body: () throws(ProfileError) -> NetworkProfile) -> String? {
    do throws(ProfileError) {
      _ = try body()
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test func `a profile's name can set its start: at a time, at a phase or before a phase`() throws {
    #expect(try phases("tunnel@43s") == ["open track 2.0", "portal 3.0", "tunnel 12.0", "open track 43.0"])
    #expect(try phases("TRAIN@Tunnel") == ["tunnel 12.0", "open track 45.0", "portal 3.0"])
    #expect(
      try phases("tunnel@2 s before tunnel") == ["portal 2.0", "tunnel 12.0", "open track 45.0", "portal 1.0"])
    #expect(
      try phases("tunnel@1 s before open track") == ["tunnel 1.0", "open track 45.0", "portal 3.0", "tunnel 11.0"])
    #expect(try phases("tunnel@103 s") == phases("tunnel@43 s"))
    let far = NetworkProfile.Phase("Far", for: .seconds(1), conditions: .unlimited)
    let own = NetworkProfile(
      name: "own", base: .unlimited, phases: [.init("near", for: .seconds(1), conditions: .unlimited), far])
    #expect(try own.starting(at: "far").phases.first == far)
    #expect(try NetworkProfile.named("3G@43 s") == .named("3G"))
  }

  @Test func `a profile with a start time has a name that gives the same profile again`() throws {
    for (written, name) in [
      ("tunnel@43s", "tunnel@43 s"), ("Train@TUNNEL", "tunnel@tunnel"),
      ("tunnel@0.5s before Portal", "tunnel@500 ms before portal"), ("tunnel@portal@1 s", "tunnel@portal@1 s"),
    ] {
      let profile = try NetworkProfile.named(written)
      #expect(profile.name == name)
      #expect(try NetworkProfile.named(name) == profile)
    }
    let tunnel = try NetworkProfile.named("tunnel")
    #expect(try tunnel.starting(at: .seconds(43)) == .named("tunnel@43 s"))
    #expect(try tunnel.starting(at: .seconds(-2)) == .named("tunnel@58 s"))
    #expect(tunnel.starting(at: .zero).isBegun)
    #expect(!tunnel.isBegun)
  }

  @Test func `an unknown start of a profile is an error that lists its phases and their times`() throws {
    #expect(
      problem { () throws(ProfileError) in try .named("tunnel@station") } == """
        "station" is not a moment to start at: it is neither a time nor a phase of "tunnel", which has the phases \
        "open track" at 0 ms, "portal" at 45 s, "tunnel" at 48 s; write one of them, a time such as "43 s", or \
        "2 s before tunnel"
        """)
    #expect(
      problem { () throws(ProfileError) in try .named("3G@portal") } == """
        "portal" is not a moment to start at: it is neither a time nor a phase of "3G", which has no phases; write a \
        time such as "43 s"
        """)
    #expect(
      problem { () throws(ProfileError) in try once("near", "far").starting(at: "11 s before far") }
        == #""11 s before far" is not a moment to start at: "once" does not repeat, and "far" is at 10 s"#)
    #expect(problem { () throws(ProfileError) in try .named("tunnel@") }?.hasPrefix(#""" is not a moment"#) == true)
    #expect(
      problem { () throws(ProfileError) in try .named("tunnnel@portal") }
        == ProfileError.unknownName("tunnnel", near: ["tunnel"]).sentence)
  }

  @Test func `a start beyond a non-repeating profile begins in its first or last phase`() throws {
    let profile = once("near", "far")
    #expect(profile.starting(at: .seconds(-5)).phases == profile.phases)
    #expect(try profile.starting(at: "10 s before far").phases == profile.phases)
    #expect(profile.starting(at: .seconds(99)).phases.map(\.name) == ["far"])
    #expect(profile.starting(at: .seconds(Int64.max)).phases.map(\.name) == ["far"])
  }

  @Test func `a profile's start does not change its random faults`() throws {
    let flaky = try NetworkProfile.named("flaky")
    #expect(flaky.starting(at: .seconds(5)).faultKeys == flaky.faultKeys)
  }

  @Test func `a delivery trace starts at the profile's start`() throws {
    let offsets: [Int64] = [0, 0, 3, 7, 10]
    let trace = try #require(DeliveryTrace(offsets: offsets, period: .nanoseconds(10)))
    let all = (0..<6).flatMap { round in offsets.map { $0 + 10 * round } }.sorted()
    for start in Int64(1)..<25 {
      let begun = NetworkProfile(name: "trace", down: LinkConditions(trace: trace)).starting(at: .nanoseconds(start))
      let moved = try #require(begun.base.down.trace)
      let times = (0..<6).flatMap { round in moved.offsets.map { $0 + 10 * round } }.sorted()
      #expect(times.filter { $0 < 20 } == all.filter { $0 >= start && $0 < start + 20 }.map { $0 - start })
    }
  }

  @Test func `the worst phase is an outage, or else the lossiest or slowest phase`() throws {
    let tunnel = try #require(try NetworkProfile.named("tunnel").worstPhase)
    #expect(tunnel.index == 2)
    #expect(tunnel.start == SimulatedInstant.zero.advanced(by: .seconds(48)))
    #expect(tunnel.end == SimulatedInstant.zero.advanced(by: .seconds(60)))
    func worst(_ conditions: PathConditions...) -> Int? {
      let phases = conditions.map { NetworkProfile.Phase(for: .seconds(1), conditions: $0) }
      return NetworkProfile(name: "x", phases: phases).worstPhase?.index
    }
    let slow = PathConditions(down: LinkConditions(rate: .kilobitsPerSecond(50)))
    let lossy = PathConditions(down: LinkConditions(loss: .independent(.percent(2))))
    #expect(worst(.unlimited, slow, lossy, PathConditions(outage: .refuse)) == 3)
    #expect(worst(.unlimited, slow, lossy) == 2)
    #expect(worst(slow, .unlimited, slow) == 0)
    #expect(worst(slow, slow) == nil)
    var (limited, blocked) = (slow, slow)
    (limited.udp, blocked.udp) = (.limited(.kilobitsPerSecond(9)), .blocked)
    #expect(worst(slow, blocked, limited) == 1 && worst(slow, limited) == 1)
    #expect(worst() == nil)
  }

  // MARK: Wherever a profile's name is taken

  @Test func `a network that starts before the tunnel gets no response until the tunnel ends`() async throws {
    let run = try await Simulation("tunnel@2 s before tunnel", seed: 1) { network in
      network.stub("/feed", with: .bytes(count: 100))
      try await network.clock.sleep(for: .seconds(3))
      return try await network.data(for: URLRequest(url: URL(string: "http://192.0.2.1/feed")!)).0.count
    }
    #expect(run.value == 100)
    // Nothing arrives before the tunnel ends, at 14 s.
    #expect(run.elapsed > .seconds(14))
    #expect(run.timeline.profile == "tunnel@2 s before tunnel")
    let stepped = try SteppedSimulation("tunnel@tunnel", seed: 1)
    #expect(stepped.network.profile.phases[0].conditions.outage == .drop)
    #expect(SimulatedNetwork("tunnel@portal").profile.phases[0].name == "portal")
  }

  @Test func `replay tokens and rules can name a profile with a start`() throws {
    let begun = try NetworkProfile.named("tunnel@portal")
    let schedule = FaultSchedule(begun, seed: 3, faults: [.outage(from: .seconds(1), for: .seconds(2))])
    #expect(schedule.formatText.contains(#""profile": "tunnel@portal""#))
    #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
    let token = ReplayToken(begun, seed: 3)
    #expect(try ReplayToken(token.description) == token)
    let own = ReplayToken(once("near", "far").starting(at: .seconds(12)), seed: 3)
    #expect(try ReplayToken(own.description) == own)

    let file = #"{"name": "mine", "rules": [{"match": {"host": "cdn.example"}, "use": "tunnel@portal"}]}"#
    let profile = try NetworkProfile(json: Data(file.utf8))
    #expect(try profile.rules[0].profile() == begun)
    let wrong = file.replacingOccurrences(of: "portal", with: "station")
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(wrong.utf8), file: "r.json") }
    #expect(error?.sentence.hasPrefix(#"r.json: rules[0].use: "station" is not a moment to start at: "#) == true)
  }

  @Test func `NETCOND_PROFILE can name a built-in profile or a file with a start`() throws {
    #expect(try NetworkEnvironment(["NETCOND_PROFILE": "tunnel@portal"]).profile == .named("tunnel@portal"))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("me@home.json@\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("mine.json")
    try Data(once("near", "far").formatText.utf8).write(to: file)
    #expect(try NetworkEnvironment(["NETCOND_PROFILE": file.path]).profile?.name == "once")
    #expect(try NetworkEnvironment(["NETCOND_PROFILE": file.path + "@far"]).profile?.name == "once@far")
    let error = #expect(throws: EnvironmentError.self) { try NetworkEnvironment(["NETCOND_PROFILE": "tunnel@x"]) }
    #expect(error?.sentence.hasPrefix(#"NETCOND_PROFILE: "x" is not a moment to start at: "#) == true)
  }
}
