import LinkSimulator
import Testing

struct OutageTests {
  private static let good = PathConditions.symmetric(.megabitsPerSecond(4), delay: .milliseconds(40))

  private func tunnel(_ outage: PathConditions.Outage, from start: Duration, for length: Duration) -> ConditionSchedule
  {
    var out = Self.good
    out.outage = outage
    return ConditionSchedule(phases: [
      .init("before", for: start, conditions: Self.good),
      .init("tunnel", for: length, conditions: out),
      .init("after", conditions: Self.good),
    ])!
  }

  @Test func `each phase is reported at its beginning`() {
    var harness = Harness(tunnel(.drop, from: .seconds(1), for: .seconds(12)))
    harness.run(until: .seconds(20))
    #expect(
      harness.events == [
        PathEvent(time: .zero, stream: nil, kind: .phaseEntered(index: 0)),
        PathEvent(time: SimulatedInstant(nanoseconds: 1_000_000_000), stream: nil, kind: .phaseEntered(index: 1)),
        PathEvent(time: SimulatedInstant(nanoseconds: 13_000_000_000), stream: nil, kind: .phaseEntered(index: 2)),
      ])
    harness.path.use(ConditionSchedule(Self.good))
    harness.run(until: .seconds(21))
    #expect(harness.events.last?.kind == .phaseEntered(index: 0))
    #expect(harness.events.last?.time == SimulatedInstant(nanoseconds: 20_000_000_000))
  }

  @Test func `a transfer resumes only after its retransmission timer, later than the outage's end`() {
    var harness = Harness(tunnel(.drop, from: .seconds(1), for: .seconds(12)))
    let stream = harness.get(2_000_000)
    harness.run(until: .seconds(100))
    #expect(harness.received(by: stream) == 2_000_000)
    let resumed = harness.events(of: stream).first { event in
      if case .received = event.kind { event.time.nanoseconds > 2_000_000_000 } else { false }
    }!
    // The timer doubles during the outage, so it expires well after the end, but in less than twice the time.
    #expect(resumed.time.nanoseconds > 13_200_000_000 && resumed.time.nanoseconds < 27_000_000_000)
    #expect(harness.events(of: stream).contains { $0.kind == .stalled })
    #expect(harness.events(of: stream).contains { $0.kind == .packetLost(.down, .outage) })
  }

  @Test func `a refusing outage fails open transfers and new requests`() {
    var harness = Harness(tunnel(.refuse, from: .seconds(1), for: .seconds(12)))
    let streams = (0..<10).map { harness.get(2_000_000, key: UInt64($0)) }
    let lookup = harness.get(key: 99, host: "b.example", needsResolution: true)
    harness.run(until: .seconds(5))
    for stream in streams { #expect(harness.time(of: .failed(.connectionLost), stream) == .seconds(1)) }
    #expect(harness.time(of: .responseReceived, lookup) != nil)
    let late = harness.get()
    harness.run(until: .seconds(6))
    #expect(harness.time(of: .failed(.offline), late) == .seconds(5))
    harness.run(until: .seconds(14))
    let after = harness.get()
    harness.run(until: .seconds(30))
    #expect(harness.endings(of: after) == 1 && harness.failure(of: after) == nil)
  }

  @Test func `a request over links with rate zero fails when its connection attempts run out`() {
    var harness = Harness(.symmetric(.zero))
    let stream = harness.get()
    harness.run(until: .seconds(1_000))
    #expect(harness.failure(of: stream) == .connectTimedOut)
    #expect(harness.path.nextEventTime == nil)
  }

  @Test func `a transfer fails after about fifteen minutes without an acknowledgement`() {
    var harness = Harness(tunnel(.drop, from: .milliseconds(500), for: .seconds(100_000)))
    let stream = harness.get(100, request: 5_000_000)
    harness.run(until: .seconds(3_000))
    #expect(harness.failure(of: stream) == .retransmissionsExhausted)
    let time = harness.time(of: .failed(.retransmissionsExhausted), stream)!
    #expect(time > .seconds(924) && time < .seconds(1_100))
  }

  @Test func `a new rate applies in the middle of a transfer`() {
    var harness = Harness(Self.good)
    let stream = harness.get(1_000_000)
    harness.run(until: .seconds(1))
    let before = harness.received(by: stream)
    harness.path.use(ConditionSchedule(.symmetric(.kilobitsPerSecond(400), delay: .milliseconds(40))))
    harness.run(until: .seconds(3))
    let after = harness.received(by: stream) - before
    // 400 kbit/s for two seconds are 100 kB with headers, and 20 kB were in flight.
    #expect(after > 80_000 && after < 125_000)
  }

  @Test func `repeating phases continue until a transfer ends`() {
    let schedule = ConditionSchedule(
      phases: [
        .init(for: .milliseconds(700), conditions: Self.good),
        .init(for: .milliseconds(300), conditions: .symmetric(.kilobitsPerSecond(64))),
      ], repeats: true)!
    var harness = Harness(schedule)
    let stream = harness.get(3_000_000)
    harness.run(until: .seconds(60))
    #expect(harness.received(by: stream) == 3_000_000)
    #expect(harness.events.count { $0.stream == nil } == 121)
  }
}
