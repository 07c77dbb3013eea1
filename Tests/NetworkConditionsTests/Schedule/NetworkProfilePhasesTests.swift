import LinkSimulator
import Testing

@testable import NetworkConditions

struct NetworkProfilePhasesTests {
  private let profile = NetworkProfile(
    name: "base",
    phases: ["slow", "slower"].map { name in
      let rate = Bandwidth.kilobitsPerSecond(name == "slow" ? 100 : 10)
      return NetworkProfile.Phase(name, for: .seconds(1), conditions: PathConditions(down: LinkConditions(rate: rate)))
    })

  private func stretches(_ faults: [ScheduledFault]) -> [String] {
    profile.schedule(under: faults).phases.map { phase in
      "\(phase.name) \(phase.duration?.formatText ?? "on")\(phase.conditions.outage == nil ? "" : ", out")"
    }
  }

  private func phase(_ name: String, from start: Duration, for length: Duration?) -> ScheduledFault {
    ScheduledFault(.phase(name, from: start, for: length))
  }

  @Test(arguments: [
    (["a", "b", "a"], ["a", "b", "a"]), (["7", "a"], ["7", "a"]), (["a", ""], ["a", "1"]), (["7", ""], ["0", "1"]),
    (["a", "a of another kind"], ["a", "1"]), (["7", "7 of another kind"], ["0", "1"]),
  ])
  func `a phase has its own name, or its index if that name is empty or taken`(given: [String], names: [String]) {
    let phases = given.map { name in
      let delay = Duration.milliseconds(name.hasSuffix("another kind") ? 5 : 0)
      return NetworkProfile.Phase(
        String(name.prefix(1)), for: .seconds(1), conditions: PathConditions(dnsDelay: delay))
    }
    #expect(NetworkProfile(name: "p", phases: phases).phaseNames == names)
  }

  @Test func `an outage phase, or a phase unlike the base, is a fault if it overlaps the run`() {
    func isAdverse(_ profile: NetworkProfile, _ start: Int64, _ end: Int64) -> Bool {
      profile.isAdverse(
        from: .zero.advanced(by: .milliseconds(start)), to: .zero.advanced(by: .milliseconds(end)))
    }
    #expect(isAdverse(profile, 0, 1) && !isAdverse(NetworkProfile(name: "base"), 0, 1))
    let phases = [PathConditions(), PathConditions(outage: .drop), PathConditions()].map {
      NetworkProfile.Phase("p", for: .seconds(1), conditions: $0)
    }
    let choppy = NetworkProfile(name: "choppy", phases: phases)
    let times: [(Int64, Int64)] = [(200, 999), (200, 1_000), (1_500, 1_600), (1_999, 2_500), (2_000, 2_500)]
    #expect(times.map { isAdverse(choppy, $0, $1) } == [false, true, true, true, false])
  }

  @Test func `of two overlapping scheduled phases the later one applies`() {
    let faults = [
      phase("slow", from: .seconds(1), for: .seconds(9)), phase("slower", from: .seconds(3), for: .seconds(2)),
    ]
    for faults in [faults, faults.reversed()] {
      #expect(stretches(faults).map { $0.split(separator: " ")[0] } == ["base", "slow", "slower", "slow", "base"])
      #expect(
        profile.schedule(under: faults).phases.map(\.duration) == [1, 2, 2, 5, nil].map { $0.map { .seconds($0) } })
    }
  }

  @Test func `a scheduled outage begins and ends inside a scheduled phase`() {
    let faults = [
      phase("slow", from: .zero, for: nil), ScheduledFault.outage(.drop, from: .seconds(2), for: .seconds(3)),
    ]
    #expect(stretches(faults) == ["slow 2 s", "outage 3 s, out", "slow on"])
  }
}
