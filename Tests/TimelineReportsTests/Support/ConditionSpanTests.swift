import LinkSimulator
import Testing

@testable import NetworkConditions
@testable import TimelineReports

struct ConditionSpanTests {
  @Test func `phases and changes from code give consecutive spans of conditions`() async throws {
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

  @Test func `very many phases are reduced to a limited number of spans without a gap`() throws {
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

  @Test func `the oldest remembered conditions also cover the time before them`() async throws {
    let timeline = try await Simulation(SampleNetworks.plain, seed: 1) { network in
      for _ in 0..<2_000 {
        network.use(SampleNetworks.plain)
        try await network.clock.sleep(for: .milliseconds(1))
      }
      return network.timeline
    }.value
    #expect((timeline.conditions.first?.start ?? .zero) > .zero)
    #expect(timeline.conditionSpans(from: 0, to: 2_000_000_000, limit: 10).first?.start == 0)
  }

  private func span(_ conditions: PathConditions, phase: String = "") -> ConditionSpan {
    ConditionSpan(profile: "p", phase: phase, start: 0, end: 1, conditions: conditions)
  }

  @Test func `a span's text has both rates, the round trip and the impairments`() {
    let down = LinkConditions(rate: .megabitsPerSecond(4), delay: .milliseconds(35), loss: .independent(.percent(1)))
    var up = LinkConditions(rate: .megabitsPerSecond(2), delay: .microseconds(20_500))
    up.duplication = .percent(1)
    #expect(
      span(PathConditions(down: down, up: up)).text
        == "down 4 Mbit/s, up 2 Mbit/s, round trip 55.5 ms, with duplication and loss")
    #expect(span(.unlimited).text == "unlimited")
    let (short, endless) = (LinkConditions(delay: .microseconds(2)), LinkConditions(delay: .seconds(Int64.max)))
    #expect(span(PathConditions(down: short, up: short)).text == "round trip 4 us")
    #expect(span(PathConditions(down: endless, up: endless)).text.hasPrefix("round trip 9"))
    #expect(span(PathConditions(down: down, outage: .drop)).text == "outage (drop)")
    #expect(span(.unlimited).name == "p" && span(.unlimited, phase: "portal").name == "portal")
  }

  @Test func `a span's rate is the download rate, or zero in an outage`() {
    let link = PathConditions(
      down: LinkConditions(rate: .megabitsPerSecond(4)), up: LinkConditions(rate: .megabitsPerSecond(2)))
    #expect(span(link).rate == 4e6)
    #expect(span(.unlimited).rate == nil)
    var out = link
    out.outage = .refuse
    #expect(span(out).rate == 0)
  }

  private func timeline(_ times: (started: Int64, ended: Int64?)..., now: Int64) -> Timeline {
    Timeline(
      transfers: times.enumerated().map { number, time in
        var transfer = Transfer(
          number: number, method: "GET", url: "http://a.example/", occurrence: 1, profile: "p",
          started: SimulatedInstant(nanoseconds: time.started))
        transfer.ended = time.ended.map { SimulatedInstant(nanoseconds: $0) }
        return transfer
      }, droppedTransfers: 0, events: [], droppedEvents: 0, seed: 0, profile: "p", conditions: [], packets: [],
      time: SimulatedInstant(nanoseconds: now))
  }

  @Test func `a picture begins at time zero unless its first transfer comes late`() {
    // The first transfer's wait is less than a quarter of the rest.
    #expect(timeline((1_999, 10_000), now: 50_000).extent == 0...10_000)
    #expect(timeline((2_000, 10_000), now: 50_000).extent == 2_000...10_000)
    #expect(timeline((5_000, 7_000), (6_000, nil), now: 9_000).extent == 5_000...9_000)
    // Never shorter than a microsecond.
    #expect(timeline((5_000, 5_001), now: 5_001).extent == 5_000...6_000)
    #expect(timeline(now: 3_000).extent == 0...3_000)
  }
}
