import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct TraceFormatTests {
  private static func profile(_ down: String) throws -> NetworkProfile {
    try NetworkProfile(json: Data(#"{ "name": "cell", "down": \#(down) }"#.utf8))
  }

  @Test func `a delivery trace survives writing and reading a profile`() throws {
    let profile = try Self.profile(#"{ "trace": { "milliseconds": "0 1 1 5 12" }, "delay": "20 ms" }"#)
    let trace = DeliveryTrace(offsets: [0, 1, 1, 5, 12].map { $0 * 1_000_000 }, period: .milliseconds(12))
    #expect(profile.base.down.trace == trace)
    let whole = #"{ "trace": { "milliseconds": "0 1 1 5 12", "period": "12 ms" }, "delay": "20 ms" }"#
    #expect(try Self.profile(whole) == profile)
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
    let odd = NetworkProfile(
      name: "odd",
      down: LinkConditions(
        trace: try #require(DeliveryTrace(offsets: [1, 999], period: .seconds(2), bytesPerOpportunity: 64))))
    #expect(try NetworkProfile(json: Data(odd.formatText.utf8)) == odd)
  }

  @Test func `a phase with a rate replaces the base's delivery trace, and one without keeps it`() throws {
    let json = """
      { "name": "cell", "down": { "trace": { "milliseconds": "1 2" } }, "phases": [
        { "for": "1 s", "down": { "delay": "5 ms" } }, { "for": "1 s", "down": { "rate": "1 Mbit/s" } },
        { "for": "1 s", "down": { "rate": "unlimited" } } ] }
      """
    let profile = try NetworkProfile(json: Data(json.utf8))
    #expect(profile.phases.map { $0.conditions.down.trace != nil } == [true, false, false])
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
  }

  @Test(arguments: [
    (#"{ "trace": { "milliseconds": "1", "nanoseconds": "1" } }"#, "down.trace: a trace has its times either in"),
    (#"{ "trace": { "milliseconds": "2 1" } }"#, "down.trace.milliseconds: 1 is earlier than the time before it, 2"),
    (#"{ "trace": { "milliseconds": "1 x" } }"#, #"down.trace.milliseconds: "x" is not a time"#),
    (#"{ "trace": { "milliseconds": "" } }"#, "down.trace.milliseconds: a trace needs at least one time"),
    (#"{ "trace": { "milliseconds": "0" } }"#, #"down.trace: the key "period" is missing"#),
    (
      #"{ "trace": { "milliseconds": "9", "period": "8.999999 ms" } }"#,
      #"down.trace.period: "8.999999 ms" ends before the last time, 9 ms"#
    ),
    (#"{ "trace": { "milliseconds": "9", "opportunity": "0 bytes" } }"#, "down.trace: an opportunity must carry more"),
    (#"{ "rate": "1 Mbit/s", "trace": { "milliseconds": "9" } }"#, "down.trace: a direction has either a rate or"),
    (#"{ "trace": { "milliseconds": "99999999999999999999" } }"#, "down.trace.milliseconds: "),
  ])
  func `an error in a delivery trace names the place and what would be right`(_ down: String, _ text: String) throws {
    let error = #expect(throws: ProfileError.self) { try Self.profile(down) }
    #expect(error?.description.hasPrefix("profile: \(text)") == true, "\(error?.description ?? "")")
  }

  @Test func `a download over a delivery trace takes the time of its delivery opportunities`() async throws {
    // One packet in 10 ms, 1.2 Mbit/s: 100 kB take about 0.7 s.
    let profile = try Self.profile(#"{ "trace": { "milliseconds": "10" }, "delay": "10 ms" }"#)
    let run = try await Simulation(profile) { network in
      network.stub("/", with: .bytes(count: 100_000))
      return try await network.data(for: URLRequest(url: url("http://10.0.0.1/"))).0.count
    }
    #expect(run.elapsed > .milliseconds(690) && run.elapsed < .milliseconds(800))
  }
}
