import LinkSimulator
import Testing

@testable import NetworkConditions

struct FaultRecordTests {
  private static let profile: NetworkProfile = {
    let base = PathConditions(down: LinkConditions(rate: .kilobitsPerSecond(100)))
    var (out, slow, lossy) = (base, base, base)
    out.outage = .refuse
    slow.down.rate = .kilobitsPerSecond(10)
    lossy.down.loss = .independent(.percent(50))
    return NetworkProfile(
      name: "train", base: base,
      phases: [
        .init("station", for: .seconds(1), conditions: base), .init("tunnel", for: .seconds(2), conditions: out),
        .init("hill", for: .seconds(3), conditions: slow), .init("wood", for: .seconds(4), conditions: lossy),
      ])
  }()

  /// The recorded faults of the phases at these seconds.
  private static func faults(at seconds: Int64...) -> [ScheduledFault] {
    var record = FaultRecord()
    for second in seconds {
      let time = SimulatedInstant.zero.advanced(by: .seconds(second))
      record.add(profile.schedule.position(at: time), of: profile, via: nil)
    }
    return record.faults
  }

  @Test func `an outage phase is recorded as an outage, another changed phase as a phase, and mere loss not at all`() {
    #expect(Self.faults(at: 0).isEmpty)
    #expect(Self.faults(at: 1) == [.outage(.refuse, from: .seconds(1), for: .seconds(2))])
    #expect(Self.faults(at: 3) == [ScheduledFault(.phase("hill", from: .seconds(3), for: .seconds(3)))])
    // Its lost packets are recorded one by one.
    #expect(Self.faults(at: 6).isEmpty)
  }

  @Test func `a phase that is entered twice is recorded once`() {
    #expect(Self.faults(at: 1, 2, 3, 1).count == 2)
  }

  @Test func `a recorded fault of a rule's profile names that profile`() async throws {
    let other = NetworkProfile(name: "other", faults: [FaultRule(.status(code: 503))])
    let main = NetworkProfile(name: "main", rules: [ProfileRule(match: RequestMatch(path: "/cdn/*"), use: other)])
    let network = SimulatedNetwork(main, pace: .immediate)
    network.recordFaults()
    network.stub("/**", with: .text("x"))
    for path in ["feed", "cdn/a"] { _ = try await network.data(from: url("https://api.example.com/\(path)")) }
    #expect(network.faultSchedule?.faults.map(\.via) == ["other"])
  }
}
