import Testing

@testable import LinkSimulator

struct LinkTests {
  /// A link with one flow.
  private func link(_ conditions: LinkConditions, seed: UInt64 = 1, isOut: Bool = false) -> Link {
    var link = Link(LinkParameters(conditions, isOut: isOut))
    link.flows.append(Flow(random: KeyedRandom(seed: seed)))
    return link
  }

  private func packet(_ number: Int, size: Int64) -> Packet {
    var packet = Packet(kind: .segment, owner: Int32(number), flow: 0, size: Int32(size))
    packet.segment = number
    return packet
  }

  private func drain(_ link: inout Link, until time: Int64, into results: inout [ReferenceLink.Result]) {
    while link.nextTime <= time, link.nextTime < .max {
      let due = link.nextTime
      switch link.next() {
      case .arrival(let position):
        let owner = link.packet(at: position).owner
        results.append(ReferenceLink.Result(number: Int(owner), time: due, isLost: false))
      case .loss(let owner, _, _):
        results.append(ReferenceLink.Result(number: Int(owner), time: due, isLost: true))
      }
    }
  }

  @Test func `a packet takes its size divided by the rate plus the delay`() {
    var link = link(LinkConditions(rate: .kilobitsPerSecond(780), delay: .milliseconds(100)))
    _ = link.send(packet(0, size: 1_500), at: 0)
    // 12000 bits at 780 kbit/s are 15384615.38 ns, rounded up.
    #expect(link.nextTime == 15_384_616 + 100_000_000)
  }

  @Test func `a full queue refuses packets, not counting the one being sent`() {
    var link = link(LinkConditions(rate: .kilobitsPerSecond(100), queue: 3))
    let accepted = (0..<6).map { link.send(packet($0, size: 1_000), at: 0) }
    #expect(accepted == [true, true, true, true, false, false])
    // After 80 ms the second packet of 1,000 bytes is in service, and one more has room.
    let later = (6..<8).map { link.send(packet($0, size: 1_000), at: 80_000_000) }
    #expect(later == [true, false])
  }

  @Test(arguments: [(nil, 2), (.kilobitsPerSecond(100), 1)] as [(Bandwidth?, Int)])
  func `a link without a queue duplicates a packet only if it has no rate`(rate: Bandwidth?, count: Int) {
    var conditions = LinkConditions(rate: rate, queue: 0)
    conditions.duplication = .one
    var link = link(conditions)
    _ = link.send(packet(0, size: 1_000), at: 0)
    var results: [ReferenceLink.Result] = []
    drain(&link, until: 1_000_000_000, into: &results)
    #expect(results.count == count)
  }

  @Test(arguments: PacketLoss.allCases)
  func `a lost packet is reported with the reason of its impairment`(reason: PacketLoss) throws {
    var conditions = LinkConditions()
    conditions.corruption = .one
    var parameters = LinkParameters(conditions, isOut: false)
    parameters.draws = [Drawing(kind: .corruption) { _, _, fate in fate.loss = reason }]
    var link = Link(parameters)
    link.begin(0, KeyedRandom(seed: 1))
    _ = link.send(packet(0, size: 1_000), at: 0)
    #expect(link.nextLostPacket?.reason == reason)
    guard case .loss(0, .segment, let told) = link.next() else {
      Issue.record("the packet is not lost")
      return
    }
    #expect(told == reason)
  }

  @Test func `a link without a rate never queues packets`() {
    var link = link(LinkConditions(queue: 0))
    for number in 0..<1_000 { _ = link.send(packet(number, size: 1_500), at: 5) }
    var results: [ReferenceLink.Result] = []
    drain(&link, until: 5, into: &results)
    #expect(results.map(\.number) == Array(0..<1_000))
  }

  @Test func `packets under way on a link that reorders keep their times when its conditions change`() {
    var conditions = LinkConditions(delay: .milliseconds(10))
    conditions.reorder(.percent(30), gap: 2)
    var same = link(conditions)
    var expected: [ReferenceLink.Result] = []
    for number in 0..<20 { _ = same.send(packet(number, size: 1_000), at: Int64(number) * 100_000) }
    drain(&same, until: 2_000_000, into: &expected)
    #expect((1..<20).contains(expected.count))
    var (changed, results) = (same, expected)
    changed.use(LinkParameters(LinkConditions(), isOut: false), at: 2_000_000)
    drain(&same, until: .max - 1, into: &expected)
    drain(&changed, until: .max - 1, into: &results)
    #expect(results == expected)
  }

  @Test func `a rate of zero holds packets until the rate rises`() {
    var link = link(LinkConditions(rate: .zero))
    _ = link.send(packet(0, size: 1_000), at: 0)
    _ = link.send(packet(1, size: 1_000), at: 0)
    #expect(link.nextTime == .max)
    link.use(LinkParameters(LinkConditions(rate: .megabitsPerSecond(8)), isOut: false), at: 1_000_000_000)
    var results: [ReferenceLink.Result] = []
    drain(&link, until: .max - 1, into: &results)
    #expect(results.map(\.time) == [1_001_000_000, 1_002_000_000])
  }

  @Test func `bits already sent count when the rate changes`() {
    var link = link(LinkConditions(rate: .megabitsPerSecond(8)))
    _ = link.send(packet(0, size: 1_000), at: 0)
    // Half of the packet is sent; the other half takes ten times as long.
    link.use(LinkParameters(LinkConditions(rate: .kilobitsPerSecond(800)), isOut: false), at: 500_000)
    #expect(link.nextTime == 500_000 + 5_000_000)
  }

  @Test func `a packet arrives with the contents with which it was sent`() {
    var link = link(LinkConditions(rate: .megabitsPerSecond(8), delay: .seconds(1), queue: 1_000))
    for number in 0..<100 {
      var sent = packet(number, size: 1_000)
      sent.length = Int32(number)
      sent.pushes = number % 2 == 0
      sent.end = Int64(number) << 33
      sent.acknowledged = number << 34
      sent.windowEdge = Int64(number) << 35
      sent.stamp = Int64(number) << 36
      sent.echo = -1
      // The link stores SACK blocks separately, and most packets have none.
      if number % 7 == 3 { sent.blocks.append(.init(start: number, end: number + 2)) }
      _ = link.send(sent, at: 0)
    }
    for number in 0..<100 {
      guard case .arrival(let position) = link.next() else { return #expect(Bool(false), "none is lost") }
      let arrived = link.packet(at: position)
      #expect(arrived.kind == .segment && arrived.segment == number && arrived.size == 1_000)
      #expect(arrived.length == number && arrived.pushes == (number % 2 == 0) && arrived.end == Int64(number) << 33)
      #expect(arrived.acknowledged == number << 34 && arrived.windowEdge == Int64(number) << 35)
      #expect(arrived.stamp == Int64(number) << 36 && arrived.echo == -1)
      #expect(arrived.blocks.count == (number % 7 == 3 ? 1 : 0))
      if number % 7 == 3 { #expect(arrived.blocks[0] == .init(start: number, end: number + 2)) }
    }
  }

  @Test func `random loss that begins while packets wait also applies to these packets`() {
    var link = link(LinkConditions(rate: .zero))
    _ = link.send(packet(0, size: 1_000), at: 0)
    link.parameters.usesChance = true
    link.use(LinkParameters(LinkConditions(loss: .independent(.one)), isOut: false), at: 1)
    var results: [ReferenceLink.Result] = []
    drain(&link, until: .max - 1, into: &results)
    #expect(results.map(\.isLost) == [true])
  }

  @Test func `a packet that leaves during an outage is lost, and one in flight arrives`() {
    let conditions = LinkConditions(rate: .megabitsPerSecond(8), delay: .milliseconds(50))
    var link = link(conditions)
    for number in 0..<3 { _ = link.send(packet(number, size: 1_000), at: 0) }
    link.use(LinkParameters(conditions, isOut: true), at: 1_500_000)
    link.use(LinkParameters(conditions, isOut: false), at: 2_500_000)
    var results: [ReferenceLink.Result] = []
    drain(&link, until: .max - 1, into: &results)
    #expect(
      results == [
        .init(number: 1, time: 2_000_000, isLost: true), .init(number: 0, time: 51_000_000, isLost: false),
        .init(number: 2, time: 53_000_000, isLost: false),
      ])
  }

  @Test func `jitter keeps the order of packets unless reordering is allowed`() {
    let jitter = Jitter(.uniform, spread: .milliseconds(20))
    for reorders in [false, true] {
      var link = link(LinkConditions(delay: .milliseconds(30), jitter: jitter, reorders: reorders))
      for number in 0..<200 { _ = link.send(packet(number, size: 100), at: Int64(number) * 100_000) }
      var results: [ReferenceLink.Result] = []
      drain(&link, until: .max - 1, into: &results)
      #expect(results.count == 200)
      #expect(results.map(\.time) == results.map(\.time).sorted())
      #expect((results.map(\.number) == Array(0..<200)) == !reorders)
      for result in results {
        let flight = result.time - Int64(result.number) * 100_000
        #expect(flight >= 10_000_000)
        if reorders { #expect(flight <= 50_000_000) }
      }
    }
  }

  @Test func `packets are lost as often as the loss probability says`() {
    var link = link(LinkConditions(loss: .independent(.percent(5))))
    var results: [ReferenceLink.Result] = []
    for number in 0..<20_000 { _ = link.send(packet(number, size: 100), at: 0) }
    drain(&link, until: 0, into: &results)
    // 1000 expected, standard deviation 31.
    #expect((880...1_120).contains(results.count(where: \.isLost)))
  }

  @Test func `burst losses have the requested mean length and mean loss`() throws {
    let chain = try #require(GilbertElliott(mean: .percent(4), burst: 5))
    var link = link(LinkConditions(loss: .bursts(chain)))
    for number in 0..<50_000 { _ = link.send(packet(number, size: 100), at: 0) }
    var results: [ReferenceLink.Result] = []
    drain(&link, until: 0, into: &results)
    let lost = results.filter(\.isLost).map(\.number).sorted()
    let bursts = 1 + zip(lost, lost.dropFirst()).count { $1 != $0 + 1 }
    // 2000 losses in 400 bursts are expected; the bounds lie four standard deviations off.
    #expect((1_500...2_500).contains(lost.count))
    #expect((4.0...6.0).contains(Double(lost.count) / Double(bursts)))
  }

  @Test(arguments: 0..<40)
  func `the link gives the same results as a simple reference link`(seed: UInt64) {
    var random = TestRandom(seed)
    let rates: [Int64?] = [nil, 0, 8_000, 330_000, 780_000, 50_000_000, 999_999_937]
    func parameters(_ rate: Int64?, _ delay: Int64, _ queue: Int, _ loss: LossModel) -> LinkConditions {
      LinkConditions(
        rate: rate.flatMap { Bandwidth(bitsPerSecond: $0) }, delay: .nanoseconds(delay), loss: loss, queue: queue)
    }
    let queue = Int(random.next(0..<20))
    let loss: LossModel = seed % 2 == 0 ? .none : .independent(.percent(20))
    var rate = rates[Int(random.next(0..<7))]
    var delay = random.next(0..<50_000_000)
    var link = link(parameters(rate, delay, queue, loss), seed: seed)
    let key = KeyedRandom(seed: seed)
    var reference = ReferenceLink(rate: rate, delay: delay, queue: queue) { number in
      var memory = 0.0
      return loss.loses(key.keyed(by: UInt64(number)), &memory)
    }
    var results: [ReferenceLink.Result] = []
    var refused: [Int] = []
    var now: Int64 = 0
    var number = 0
    for _ in 0..<300 {
      now += random.next(0..<3) == 0 ? random.next(0..<40_000_000) : 0
      drain(&link, until: now, into: &results)
      if random.next(0..<12) == 0 {
        rate = rates[Int(random.next(0..<7))]
        delay = random.next(0..<50_000_000)
        link.use(LinkParameters(parameters(rate, delay, queue, loss), isOut: false), at: now)
        reference.change(rate: rate, delay: delay, at: now)
      } else {
        let size = random.next(40..<1_501)
        if !link.send(packet(number, size: size), at: now) { refused.append(number) }
        reference.send(number, size: size, at: now)
        number += 1
      }
    }
    // At the end, every packet leaves.
    link.use(LinkParameters(parameters(nil, 0, queue, loss), isOut: false), at: now)
    reference.change(rate: nil, delay: 0, at: now)
    reference.run(to: now + 1)
    drain(&link, until: .max - 1, into: &results)
    #expect(refused == reference.refused)
    #expect(results.sorted { $0.number < $1.number } == reference.results.sorted { $0.number < $1.number })
    #expect(results.map(\.time) == results.map(\.time).sorted())
    // Every packet is accounted for.
    #expect(results.count + refused.count == number)
    #expect(link.occupancy == 0 && link.flows[0].inNetwork == 0)
  }
}
