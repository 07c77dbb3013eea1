import Testing

@testable import LinkSimulator

struct PacketFaultTests {
  private static let lossy = PathConditions(
    down: LinkConditions(
      rate: .megabitsPerSecond(5), delay: .milliseconds(20), jitter: Jitter(.normal, spread: .milliseconds(3)),
      loss: .independent(.percent(4))),
    up: LinkConditions(rate: .megabitsPerSecond(1), delay: .milliseconds(20), loss: .independent(.percent(4))))

  /// The events of a path that loads three responses, one after another.
  static func events(_ path: inout PathSimulator, uploading size: Int64 = 400) -> [PathEvent] {
    var events: [PathEvent] = []
    for number in 0..<3 {
      let stream = path.open(
        StreamRequest(key: UInt64(number), host: "a.example", port: 443, isSecure: true, needsResolution: true))
      path.write(size, .up, on: stream, finishing: true)
      path.write(80_000, .down, on: stream, finishing: true)
      path.advance(to: .distantFuture)
      path.drainEvents { events.append($0) }
    }
    return events
  }

  @Test func `replaying recorded packet losses gives exactly the same events`() {
    for seed in UInt64(0)..<20 {
      var first = PathSimulator(seed: seed, schedule: ConditionSchedule(Self.lossy), chance: .recorded)
      let course = Self.events(&first)
      var again = PathSimulator(
        seed: seed, schedule: ConditionSchedule(Self.lossy), chance: .scheduled(first.packetFaults))
      #expect(Self.events(&again) == course)
      #expect(again.unusedPacketFaults.isEmpty)
      #expect(again.packetFaults.isEmpty)
      var drawn = PathSimulator(seed: seed, schedule: ConditionSchedule(Self.lossy))
      #expect(Self.events(&drawn) == course)
    }
  }

  @Test func `the recorded faults of both directions are in the order of time`() {
    var path = PathSimulator(seed: 3, schedule: ConditionSchedule(Self.lossy), chance: .recorded)
    _ = Self.events(&path, uploading: 80_000)
    let directions = path.packetFaults.map(\.packet.direction)
    let (first, last) = (directions.firstIndex(of: .down), directions.lastIndex(of: .up))
    #expect(first.map { first in last.map { first < $0 } ?? false } == true, "\(directions)")
  }

  @Test func `the recorded faults of a flow are kept when another flow reuses its number`() {
    var script = LinkScript(recording: .up)
    var lost = PacketFate()
    lost.loss = .link
    for (origin, fate) in [("a", lost), ("b", PacketFate()), ("c", lost)] {
      script.begin(1, LinkScript.FlowName(origin: origin, connection: 3))
      _ = script.decide(1, 5, drawn: fate, isOut: false, departure: 7)
    }
    let named = { PacketName(origin: $0, connection: 3, direction: .up, number: 5) }
    #expect(script.recorded.map(\.fault) == ["a", "c"].map { PacketFault(.lost, of: named($0)) })
    #expect(script.recorded.map(\.time) == [7, 7] && script.unused.isEmpty)
  }

  @Test func `the first of two faults of one packet applies, and faults of packets never sent stay unused`() {
    let packet = PacketName(origin: "a.example:443", connection: 0, direction: .down, number: 5)
    let missing = PacketFault(.lost, of: PacketName(origin: "b.example:443", direction: .up, number: 0))
    let late = PacketFault(.lost, of: PacketName(origin: "a.example:443", direction: .up, number: 99_999))
    var path = PathSimulator(
      seed: 1, schedule: ConditionSchedule(Self.lossy),
      chance: .scheduled([
        PacketFault(.late(nanoseconds: 7_000_000), of: packet), PacketFault(.lost, of: packet), missing, late,
      ]))
    let events = Self.events(&path)
    #expect(!events.contains { if case .packetLost(_, .link) = $0.kind { true } else { false } })
    #expect(Set(path.unusedPacketFaults) == [missing, late])
  }

  @Test func `packets lost in an outage are not recorded as packet faults`() throws {
    var out = Self.lossy
    out.outage = .drop
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .milliseconds(60), conditions: Self.lossy), .init(for: .seconds(1), conditions: out),
        .init(conditions: Self.lossy),
      ]))
    var path = PathSimulator(seed: 3, schedule: schedule, chance: .recorded)
    let events = Self.events(&path)
    let losses = events.filter { if case .packetLost(_, .link) = $0.kind { true } else { false } }
    let recorded = path.packetFaults.filter { $0.effect == .lost }
    #expect(events.contains { if case .packetLost(_, .outage) = $0.kind { true } else { false } })
    // A look-up's faults are recorded, but its events belong to no request.
    #expect(recorded.filter { !$0.packet.origin.hasPrefix(PacketName.lookupPrefix) }.count == losses.count)
  }
}
