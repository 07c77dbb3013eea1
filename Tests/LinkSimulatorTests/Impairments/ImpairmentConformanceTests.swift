import Testing

@testable import LinkSimulator

/// Rules for every impairment; a new one needs an example here.
struct ImpairmentConformanceTests {
  /// A value that affects some of two thousand packets.
  private static func example(_ kind: ImpairmentKind) -> any Impairment {
    switch kind {
    case .jitter: Jitter(.normal, spread: .milliseconds(2)) ?? Jitter.benign
    case .reordering: Reordering(share: .percent(20), gap: 2)
    case .duplication: Duplication(share: .percent(20))
    case .corruption: Corruption(share: .percent(2))
    case .loss: LossModel.independent(.percent(2))
    }
  }

  private static func fates(_ kind: ImpairmentKind, seed: UInt64) throws -> [PacketFate] {
    let draw = try #require(example(kind).draw)
    var memory = 0.0
    return (0..<2_000).map { number in
      var fate = PacketFate()
      draw(KeyedRandom(seed: seed).keyed(by: UInt64(number)), &memory, &fate)
      return fate
    }
  }

  @Test(arguments: ImpairmentKind.allCases)
  func `an impairment's neutral value affects no packet and is not stored`(kind: ImpairmentKind) {
    #expect(kind.type.kind == kind && kind.type.benign.draw == nil)
    var link = LinkConditions()
    link.set(Self.example(kind))
    #expect(link.has(kind) && link != LinkConditions() && link.benign == LinkConditions())
    link.set(kind.type.benign)
    #expect(!link.has(kind) && link == LinkConditions())
  }

  @Test(arguments: ImpairmentKind.allCases)
  func `an impairment affects some packets, and the same ones for the same seed`(kind: ImpairmentKind) throws {
    let fates = try Self.fates(kind, seed: 1)
    #expect(try fates == Self.fates(kind, seed: 1))
    #expect(Set(fates.map { PacketEffect.all(in: $0) }).count > 1)
  }

  @Test(arguments: ImpairmentKind.allCases)
  func `a recorded effect happens again to another packet`(kind: ImpairmentKind) throws {
    for fate in try Self.fates(kind, seed: 1) {
      guard let amount = kind.type.amount(in: fate) else { continue }
      var other = PacketFate()
      kind.type.happen(amount, in: &other)
      #expect(kind.type.amount(in: other) == amount)
    }
  }

  @Test(arguments: ImpairmentKind.allCases)
  func `weaker effects of a packet end after a few steps`(kind: ImpairmentKind) throws {
    let fates = try Self.fates(kind, seed: 1)
    var effects = Set(fates.compactMap { kind.type.amount(in: $0) }.prefix(20).map { PacketEffect(kind, $0) })
    for _ in 0..<64 where !effects.isEmpty {
      #expect(effects.allSatisfy { !$0.weaker.contains($0) })
      effects = Set(effects.flatMap(\.weaker))
    }
    #expect(effects.isEmpty)
  }

  @Test(arguments: ImpairmentKind.allCases)
  func `replaying the recorded faults of one impairment gives exactly the same events`(kind: ImpairmentKind) {
    var link = LinkConditions(rate: .megabitsPerSecond(5), delay: .milliseconds(20), queue: 40)
    link.set(Self.example(kind))
    let schedule = ConditionSchedule(PathConditions(down: link, up: link, dnsDelay: .milliseconds(5)))
    var first = PathSimulator(seed: 3, schedule: schedule, chance: .recorded)
    let course = PacketFaultTests.events(&first, uploading: 20_000)
    #expect(!first.packetFaults.isEmpty)
    var again = PathSimulator(seed: 3, schedule: schedule, chance: .scheduled(first.packetFaults))
    #expect(PacketFaultTests.events(&again, uploading: 20_000) == course)
    #expect(again.unusedPacketFaults.isEmpty)
  }

  @Test func `no two impairments share a name or a word of a schedule`() {
    let names = ImpairmentKind.allCases.map(\.name)
    let words = ImpairmentKind.allCases.flatMap { kind in
      switch kind.type.entry {
      case .happens(let word): [word]
      case .shifts(let later, let earlier): [later, earlier]
      }
    }
    for list in [names, words] {
      #expect(Set(list).count == list.count && list.allSatisfy { $0.allSatisfy(\.isLetter) })
    }
  }
}
