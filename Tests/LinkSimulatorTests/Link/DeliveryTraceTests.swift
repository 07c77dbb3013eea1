import Testing

@testable import LinkSimulator

struct DeliveryTraceTests {
  private static let millisecond: Int64 = 1_000_000

  private static func trace(_ milliseconds: [Int64], period: Int64, bytes: Int = 1_500) throws -> DeliveryTrace {
    try #require(
      DeliveryTrace(
        offsets: milliseconds.map { $0 * millisecond }, period: .milliseconds(period), bytesPerOpportunity: bytes))
  }

  /// The times at which packets leave a link with a trace, computed opportunity by opportunity as in Mahimahi's queue.
  private static func reference(_ trace: DeliveryTrace, _ packets: [(size: Int64, at: Int64)]) -> [Int64] {
    var opportunities: [Int64] = []
    let rounds = 60 * 30_000 * 1_000_000 / trace.period.wholeNanoseconds / 300 + 400
    for round in 0..<rounds {
      opportunities += trace.offsets.map { round * trace.period.wholeNanoseconds + $0 }
    }
    var departures: [Int64] = []
    var next = 0
    var missing = packets.first?.size ?? 0
    for time in opportunities.sorted() {
      var left = Int64(trace.bytesPerOpportunity)
      while left > 0, next < packets.count, packets[next].at <= time {
        let used = min(left, missing)
        left -= used
        missing -= used
        if missing == 0 {
          departures.append(time)
          next += 1
          missing = next < packets.count ? packets[next].size : 0
        }
      }
    }
    return departures
  }

  @Test func `packets leave a traced link at the same times as in a simple reference queue`() throws {
    for round in UInt64(0)..<60 {
      let random = KeyedRandom(seed: round)
      func draw(_ name: String, _ index: Int, _ bound: UInt64) -> Int64 {
        Int64(random.keyed(by: name).keyed(by: UInt64(index)).bits % bound)
      }
      let period = 1 + draw("period", 0, 60)
      let count = 1 + Int(draw("count", 0, 12))
      let offsets = (0..<count).map { draw("offset", $0, UInt64(period + 1)) }.sorted()
      let trace = try Self.trace(offsets, period: period, bytes: 200 + Int(draw("bytes", 0, 3_000)))
      var time: Int64 = 0
      let packets = (0..<60).map { index -> (size: Int64, at: Int64) in
        time +=
          draw("gap", index, 4) == 0 ? draw("pause", index, 90) * Self.millisecond : draw("fine", index, 3_000_000)
        return (40 + draw("size", index, 1_461), time)
      }
      var link = Link(LinkParameters(LinkConditions(queue: 1_000, trace: trace), isOut: false))
      link.flows.append(Flow(random: random))
      var departures: [Int64] = []
      func drain(until limit: Int64) {
        while link.nextTime <= limit, link.nextTime < .max {
          departures.append(link.nextTime)
          _ = link.next()
        }
      }
      for (index, packet) in packets.enumerated() {
        drain(until: packet.at)
        _ = link.send(
          Packet(kind: .segment, owner: Int32(index), flow: 0, size: Int32(packet.size)), at: packet.at)
      }
      drain(until: .max - 1)
      #expect(departures == Self.reference(trace, packets), "round \(round)")
    }
  }

  @Test func `small packets share a delivery opportunity, and an unused opportunity is lost`() throws {
    var cursor = DeliveryCursor(try Self.trace([10, 20, 30], period: 30), from: 0)
    #expect(cursor.departure(ofBytes: 700, from: 0) == 10 * Self.millisecond)
    #expect(cursor.departure(ofBytes: 700, from: 10 * Self.millisecond) == 10 * Self.millisecond)
    #expect(cursor.departure(ofBytes: 700, from: 10 * Self.millisecond) == 20 * Self.millisecond)
    // The rest of the second opportunity and the third one are lost before the next packet arrives.
    #expect(cursor.departure(ofBytes: 40, from: 31 * Self.millisecond) == 40 * Self.millisecond)
    #expect(cursor.departure(ofBytes: 40, from: 365 * Self.millisecond) == 370 * Self.millisecond)
  }

  @Test(
    arguments: [
      (0, [0, 5, 7]), (2, [3, 5, 8]), (5, [0, 2, 5]), (6, [1, 4, 9]), (10, [0, 5, 7]), (12, [3, 5, 8]), (9, [1, 6, 8]),
    ] as [(Int64, [Int64])])
  func `a delivery trace with a later start continues from there and repeats`(start: Int64, offsets: [Int64]) throws {
    let trace = try Self.trace([0, 5, 7], period: 10)
    let moved = trace.starting(at: start * Self.millisecond)
    #expect(moved.offsets.map { $0 / Self.millisecond } == offsets)
    #expect(moved.period == trace.period && moved.bytesPerOpportunity == trace.bytesPerOpportunity)
  }

  @Test func `an opportunity at the end of a delivery trace's period can carry a packet of that very time`() throws {
    for start: Int64 in [20, 21] {
      var cursor = DeliveryCursor(try Self.trace([10], period: 10), from: start * Self.millisecond)
      let departure = cursor.departure(ofBytes: 1, from: start * Self.millisecond)
      #expect(departure == (start + 9) / 10 * 10 * Self.millisecond)
    }
  }

  @Test func `the mean rate of a delivery trace is in bits per second`() throws {
    #expect(try Self.trace([0, 1, 2, 3], period: 100, bytes: 250).meanRate.bitsPerSecond == 80_000)
  }

  @Test func `a trace of one packet per millisecond carries 12 Mbit/s`() throws {
    let trace = try Self.trace([1], period: 1)
    #expect(trace.meanRate == .megabitsPerSecond(12))
    let steady = LinkConditions(rate: .megabitsPerSecond(12), delay: .milliseconds(20))
    var traced = steady
    traced.capacity = .trace(trace)
    func total(_ down: LinkConditions) throws -> Double {
      let conditions = ConditionSchedule(PathConditions(down: down, up: steady))
      let total = try #require(TransferScenario(.get, bytes: 1_000_000, over: conditions).run(seed: 1).total)
      return Double(total.wholeNanoseconds)
    }
    let ratio = try total(traced) / total(steady)
    #expect(ratio > 0.98 && ratio < 1.02, "\(ratio)")
  }

  @Test func `a packet that waits when the conditions change leaves at the new rate`() throws {
    let trace = try Self.trace([100], period: 100)
    var link = Link(LinkParameters(LinkConditions(trace: trace), isOut: false))
    link.flows.append(Flow(random: KeyedRandom(seed: 1)))
    _ = link.send(Packet(kind: .segment, owner: 0, flow: 0, size: 1_000), at: 0)
    #expect(link.nextTime == 100 * Self.millisecond)
    link.use(LinkParameters(LinkConditions(rate: .megabitsPerSecond(8)), isOut: false), at: 50 * Self.millisecond)
    #expect(link.nextTime == 51 * Self.millisecond)
    link.use(LinkParameters(LinkConditions(trace: trace), isOut: false), at: 50 * Self.millisecond + 1)
    #expect(link.nextTime == 100 * Self.millisecond)
  }

  @Test func `an invalid delivery trace is refused`() {
    #expect(DeliveryTrace(offsets: [], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [0], period: .zero) == nil)
    #expect(DeliveryTrace(offsets: [5, 4], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [-1], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [2_000_000_000], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [0], period: .seconds(1), bytesPerOpportunity: 0) == nil)
  }
}
