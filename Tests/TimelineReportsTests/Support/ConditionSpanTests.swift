import LinkSimulator
import NetworkConditions
import Testing

@testable import TimelineReports

@Suite struct ConditionSpanTests {
  @Test func `phases and changes from code follow each other without a gap`() async throws {
    let timeline = try await Simulation(SampleNetworks.train, seed: 1) { network in
      try await network.clock.sleep(for: .seconds(7))
      network.use(SampleNetworks.plain)
      try await network.clock.sleep(for: .seconds(1))
      network.goOffline()
      try await network.clock.sleep(for: .seconds(2))
      network.goOnline()
      try await network.clock.sleep(for: .seconds(1))
      return network.timeline
    }.value
    let spans = timeline.conditionSpans(from: 0, to: 11_000_000_000, limit: 100)
    #expect(spans.map(\.name) == ["open track", "portal", "plain", "plain", "plain"])
    #expect(spans.map { $0.start / 1_000_000_000 } == [0, 6, 7, 8, 10])
    #expect(spans.map { $0.end / 1_000_000_000 } == [6, 7, 8, 10, 11])
    #expect(spans.map { $0.conditions.outage } == [nil, nil, nil, .refuse, nil])
    #expect(spans.map { $0.rate ?? -1 } == [4e6, 6e5, 1e6, 0, 1e6])
  }

  @Test func `a course of very many phases is thinned out, and still has no gap`() throws {
    let profile = NetworkProfile(
      name: "trace", base: .unlimited,
      phases: (0..<50).map { NetworkProfile.Phase("\($0)", for: .milliseconds(10), conditions: .unlimited) },
      repeats: true)
    let network = SimulatedNetwork(profile, pace: .immediate)
    let spans = network.timeline.conditionSpans(from: 0, to: 3_600_000_000_000, limit: 100)
    #expect(spans.count <= 101)
    #expect(spans.first?.start == 0 && spans.last?.end == 3_600_000_000_000)
    for (one, next) in zip(spans, spans.dropFirst()) { #expect(one.end == next.start) }
  }
}
