import LinkSimulator
import Testing

@testable import NetworkConditions

@Suite struct NetworkProfilePhasesTests {
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
