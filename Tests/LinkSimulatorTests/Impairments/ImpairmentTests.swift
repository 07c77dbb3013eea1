import Testing

@testable import LinkSimulator

struct ImpairmentTests {
  private static func conditions(_ change: (inout LinkConditions) -> Void) -> PathConditions {
    var down = LinkConditions(rate: .megabitsPerSecond(5), delay: .milliseconds(20), queue: 40)
    change(&down)
    var up = down
    up.rate = .megabitsPerSecond(1)
    return PathConditions(down: down, up: up, dnsDelay: .milliseconds(5))
  }

  /// The number and time of each arrival or loss of 2000 packets.
  private static func arrivals(_ link: LinkConditions) -> [LinkProbe.Outcome] {
    var probe = LinkProbe(link, seed: 11)
    var seen: [LinkProbe.Outcome] = []
    for number in 0..<2_000 {
      probe.send(bytes: 1_000, at: Int64(number) * 10_000_000)
      probe.drain(until: Int64(number) * 10_000_000) { seen.append($0) }
    }
    probe.drain(until: .max - 1) { seen.append($0) }
    return seen
  }

  @Test func `the requested share of packets is duplicated or corrupted`() {
    var link = LinkConditions()
    link.duplication = .percent(30)
    let copies = Self.arrivals(link).count - 2_000
    // 600 are expected; the bounds lie four standard deviations off.
    #expect((518...682).contains(copies))
    link.duplication = .zero
    link.corruption = .percent(30)
    #expect((518...682).contains(Self.arrivals(link).count { $0.isLost }))
  }

  @Test func `whether a packet is duplicated does not depend on its corruption`() {
    var link = LinkConditions()
    link.duplication = .percent(30)
    link.corruption = .percent(30)
    let intact = Self.arrivals(link).filter { !$0.isLost }
    let twice = Dictionary(grouping: intact, by: \.number).values.count { $0.count == 2 }
    // 30 % of the 70 % that are not corrupted; the bounds lie four standard deviations off.
    #expect((347...493).contains(twice))
  }

  @Test func `a link that loses half of its packets also duplicates packets`() {
    var link = LinkConditions(loss: .independent(.percent(50)))
    link.duplication = .one
    #expect(Self.arrivals(link).count > 2_500)
  }

  @Test func `a duplicate packet takes its own time behind the original if the queue has room`() {
    var link = LinkConditions(rate: .megabitsPerSecond(8), delay: .milliseconds(1))
    link.duplication = .one
    let both = Self.arrivals(link).prefix(2)
    #expect(both.map(\.time) == [2_000_000, 3_000_000] && both.map(\.number) == [0, 0])
    link.queue = 0
    #expect(Self.arrivals(link).count == 2_000)
  }

  @Test func `a client receives each byte once when every packet is duplicated`() {
    var path = PathSimulator(
      seed: 5, schedule: ConditionSchedule(Self.conditions { $0.duplication = .one }))
    let events = PacketFaultTests.events(&path, uploading: 20_000)
    #expect(events.count { $0.kind == .responseReceived } == 3)
    let bytes = events.reduce(Int64(0)) { if case .received(let count) = $1.kind { $0 + count } else { $0 } }
    #expect(bytes == 240_000)
    #expect(events.count { if case .resolved(cached: false) = $0.kind { true } else { false } } == 1)
  }

  @Test func `a corrupted packet is sent again and reported as corruption, not as loss`() {
    var path = PathSimulator(
      seed: 5, schedule: ConditionSchedule(Self.conditions { $0.corruption = .percent(3) }))
    let events = PacketFaultTests.events(&path, uploading: 20_000)
    #expect(events.count { $0.kind == .responseReceived } == 3)
    #expect(events.contains { $0.kind == .packetLost(.down, .corruption) })
    #expect(!events.contains { $0.kind == .packetLost(.down, .link) })
  }

  @Test func `two links are equal when they have the same impairments`() {
    let plain = LinkConditions()
    var lossy = LinkConditions(loss: .independent(.percent(2)))
    var both = lossy
    both.duplication = .percent(2)
    #expect(lossy == LinkConditions(loss: .independent(.percent(2))) && both == both)
    #expect(lossy != plain && plain != lossy && lossy != both && both != lossy)
    lossy.loss = .none
    #expect(lossy == plain)
  }

  @Test func `the settings of burst loss and reordering contain only values that differ from the defaults`() {
    func chain(_ lossWhenBad: Probability = .one, _ lossWhenGood: Probability = .zero) -> Setting {
      LossModel.bursts(
        GilbertElliott(
          goodToBad: .percent(1), badToGood: .percent(25), lossWhenBad: lossWhenBad, lossWhenGood: lossWhenGood)
      ).setting
    }
    let both = [Setting.Member("p", .probability(.percent(1))), .init("r", .probability(.percent(25)))]
    #expect(chain() == .members(both))
    #expect(chain(.percent(90)) == .members(both + [.init("1-h", .probability(.percent(90)))]))
    #expect(chain(.one, .percent(2)) == .members(both + [.init("1-k", .probability(.percent(2)))]))
    #expect(Reordering(share: .percent(5), gap: 1).setting == .probability(.percent(5)))
    let share = Setting.Member("share", .probability(.percent(5)))
    #expect(Reordering(share: .percent(5), gap: 2).setting == .members([share, .init("gap", .number(2))]))
  }

  @Test(
    arguments: [
      ([.lost, .corrupted], [.lost]), ([.corrupted, .lost], [.corrupted]), ([.lost, .late(nanoseconds: 5)], [.lost]),
      ([.late(nanoseconds: 5), .lost], [.late(nanoseconds: 5)]), ([.lost, .ahead], [.lost]),
      ([.late(nanoseconds: 5), .late(nanoseconds: 7)], [.late(nanoseconds: 5)]),
      ([.late(nanoseconds: -5), .ahead, .doubled], [.late(nanoseconds: -5), .ahead, .doubled]),
      ([.doubled, .lost], [.doubled, .lost]), ([], []),
    ] as [([PacketEffect], [PacketEffect])])
  func `when two faults of a packet exclude each other, the first one applies`(
    faults: [PacketEffect], happen: [PacketEffect]
  ) {
    var fate = PacketFate()
    for fault in faults { fault.kind.type.happen(fault.amount, in: &fate) }
    #expect(PacketEffect.all(in: fate) == happen)
  }

  @Test func `a lost packet weakens to a delayed one, and each delay to its half, down to a millisecond`() {
    func late(_ milliseconds: Int64) -> PacketEffect { .late(nanoseconds: milliseconds * 1_000_000) }
    func weaker(_ effect: PacketEffect) -> [PacketEffect] { effect.kind.type.weaker(effect.amount) }
    #expect(weaker(.corrupted) == [.lost, late(100)] && weaker(.lost) == [late(100)])
    #expect(
      weaker(late(2)) == [late(1)] && weaker(late(-2)) == [late(-1)] && weaker(.late(nanoseconds: 1_999_999)) == [])
    #expect(weaker(.ahead) == [] && weaker(.doubled) == [])
  }

  /// All impairments together, on a link whose conditions change while packets wait.
  @Test(arguments: UInt64(0)..<20)
  func `replaying all recorded packet faults gives exactly the same events`(seed: UInt64) throws {
    let all = Self.conditions {
      $0.duplication = .percent(20)
      $0.corruption = .percent(2)
      $0.loss = .independent(.percent(2))
      $0.jitter = Jitter(.normal, spread: .milliseconds(2))
      $0.reorder(.percent(10), gap: 2)
    }
    let slow = Self.conditions {
      $0.rate = .kilobitsPerSecond(300)
      $0.duplication = .percent(50)
    }
    let phases = (0..<30).flatMap { _ -> [ConditionSchedule.Phase] in
      [.init(for: .milliseconds(90), conditions: all), .init(for: .milliseconds(70), conditions: slow)]
    }
    let schedule = try #require(ConditionSchedule(phases: phases + [.init(conditions: all)]))
    var first = PathSimulator(seed: seed, schedule: schedule, chance: .recorded)
    let course = PacketFaultTests.events(&first, uploading: 20_000)
    let kinds = Set(first.packetFaults.map(\.effect.kind))
    #expect(kinds == [.jitter, .reordering, .duplication, .corruption, .loss])
    var again = PathSimulator(seed: seed, schedule: schedule, chance: .scheduled(first.packetFaults))
    #expect(PacketFaultTests.events(&again, uploading: 20_000) == course)
    #expect(again.unusedPacketFaults.isEmpty)
  }
}
