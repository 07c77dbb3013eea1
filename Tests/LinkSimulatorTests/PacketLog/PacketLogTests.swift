import Testing

@testable import LinkSimulator

struct PacketLogTests {
  private static let lossy = PathConditions(
    down: LinkConditions(
      rate: .megabitsPerSecond(3), delay: .milliseconds(20), loss: .independent(.percent(2)), queue: 12),
    up: LinkConditions(rate: .megabitsPerSecond(3), delay: .milliseconds(20), loss: .independent(.percent(1))))

  private static func run(records: Bool, limit: Int = 100_000, isSecure: Bool = false) -> Harness {
    var harness = Harness(lossy, seed: 5)
    if records { harness.path.recordPackets(limit: limit) }
    for number in 0..<5 {
      harness.get(200_000, key: UInt64(number), host: "\(number % 2).example", isSecure: isSecure)
    }
    harness.run(until: .seconds(60))
    return harness
  }

  @Test func `recording packets does not change the events of a run`() {
    let (with, without) = (Self.run(records: true), Self.run(records: false))
    #expect(with.events == without.events)
    #expect(without.path.packetLog == nil)
  }

  @Test func `each logged packet arrives or is lost, and the counts match the statistics`() throws {
    let harness = Self.run(records: true)
    let log = try #require(harness.path.packetLog)
    #expect(log.connections.map(\.host).sorted() == ["0.example", "0.example", "0.example", "1.example", "1.example"])
    #expect(zip(log.records, log.records.dropFirst()).allSatisfy { $0.time <= $1.time })
    for direction in Direction.allCases {
      let records = log.records.filter { $0.direction == direction }
      let sent = records.count { $0.kind == .sent || $0.kind == .retransmitted }
      let arrived = records.count { $0.kind == .arrived }
      let lost = records.count { if case .lost = $0.kind { true } else { false } }
      #expect(sent == arrived + lost && lost > 0)
      let total = harness.exchanges.keys.reduce(into: (again: Int64(0), lost: Int64(0))) { total, stream in
        let statistics = harness.path.statistics(of: stream)
        let counters = direction == .up ? statistics.up : statistics.down
        total.again += counters.retransmissions
        total.lost += counters.lost
      }
      #expect(records.count { $0.kind == .retransmitted } == total.again)
      #expect(Int64(lost) == total.lost)
    }
    // The queue was full at times, and never exceeded its limit.
    #expect(log.records.contains { $0.kind == .lost(.queueFull) } && log.records.contains { $0.kind == .lost(.link) })
    #expect(log.records.allSatisfy { (0...100).contains($0.queue) && $0.congestionWindow >= 0 && $0.inFlight >= 0 })
  }

  @Test func `every byte of a response is logged as sent and finally acknowledged`() throws {
    let log = try #require(Self.run(records: true).path.packetLog)
    for connection in log.connections {
      let records = log.records(of: connection.number, host: connection.host, port: connection.port)
      let fresh = records.filter { $0.direction == .down && $0.kind == .sent && $0.length > 0 }
      var next: Int64 = 0
      for record in fresh {
        #expect(record.firstByte == next)
        next = record.firstByte + Int64(record.length)
      }
      #expect(next == 200_000)
      #expect(records.last { $0.direction == .up && $0.kind == .arrived }?.acknowledged == 200_000)
    }
    #expect(log.records(of: 99, host: "0.example", port: 80).isEmpty)
    let first = try #require(log.connections.first)
    let records = log.records(of: first.number, host: first.host, port: first.port)
    let (begin, end) = (try #require(records.first).time, try #require(records.last).time)
    #expect(log.records(of: first.number, host: first.host, port: first.port, from: begin, to: end) == records)
  }

  @Test func `the log of an unfinished transfer ends with the packets that the server has just sent`() throws {
    var harness = Harness(.symmetric(delay: .milliseconds(50)))
    harness.path.recordPackets()
    harness.get(2_000)
    harness.run(until: .milliseconds(150))
    let last = try #require(harness.path.packetLog).records.suffix(2)
    #expect(last.map(\.direction) == [.down, .down] && last.map(\.kind) == [.sent, .sent])
    #expect(last.map(\.firstByte) == [0, 1_448] && last.allSatisfy { $0.time.nanoseconds == 150_000_000 })
  }

  @Test func `packets that leave at the same time have growing queue positions`() throws {
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)))
    harness.path.recordPackets(limit: 1_000)
    harness.get(20_000)
    harness.run()
    let log = try #require(harness.path.packetLog)
    let sent = log.records.filter { $0.direction == .down && $0.kind == .sent && $0.length > 0 }
    // The acknowledgement of the request is in service when the first segment arrives.
    #expect(sent.filter { $0.time == sent[0].time }.map(\.queue).prefix(4) == [1, 2, 3, 4])
  }

  @Test func `the queue never holds more packets than are in flight`() throws {
    var harness = Harness(.symmetric(.megabitsPerSecond(16), delay: .milliseconds(12), queue: 1_000))
    harness.path.recordPackets()
    harness.get(1_000_000)
    harness.run()
    let log = try #require(harness.path.packetLog)
    let sent = log.records.filter { $0.direction == .down && $0.kind == .sent && $0.length > 0 }
    #expect(sent.count > 600 && sent.allSatisfy { $0.queue <= $0.inFlight })
  }

  @Test(arguments: [PacketLoss.forgotten, .blocked])
  func `a packet that a middlebox drops is logged as lost for that reason, and as no other`(reason: PacketLoss) throws {
    var conditions = PathConditions.symmetric(delay: .milliseconds(20))
    var configuration = PathConfiguration()
    if reason == .forgotten { configuration.natTimeout = .seconds(30) } else { conditions.udp = .blocked }
    var harness = Harness(conditions, configuration: configuration)
    harness.path.recordPackets()
    let isQuic = reason == .blocked
    let stream = harness.get(isSecure: isQuic, version: isQuic ? .http3 : .http1, answers: false)
    harness.run(until: .seconds(31))
    if reason == .forgotten { harness.path.write(500, .down, on: stream, finishing: true) }
    harness.run(until: .seconds(40))
    let kinds = try #require(harness.path.packetLog).records.map(\.kind)
    let (sent, arrived) = (kinds.count { $0 == .sent || $0 == .retransmitted }, kinds.count { $0 == .arrived })
    #expect(sent > arrived && kinds.count { $0 == .lost(reason) } == sent - arrived)
  }

  @Test func `the end of a chunked message is sent as five bytes`() throws {
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)))
    harness.path.recordPackets(limit: 1_000)
    let stream = harness.get(answers: false)
    harness.run(until: .seconds(1))
    harness.path.write(1_000, .down, on: stream, finishing: false)
    harness.run(until: .seconds(2))
    harness.path.write(0, .down, on: stream, finishing: true)
    harness.run(until: .seconds(3))
    let log = try #require(harness.path.packetLog)
    #expect(log.records.last { $0.direction == .down && $0.kind == .sent && $0.length > 0 }?.length == 5)
  }

  @Test func `a full packet log drops its oldest records and counts them`() throws {
    let whole = try #require(Self.run(records: true).path.packetLog)
    let log = try #require(Self.run(records: true, limit: 200).path.packetLog)
    #expect(log.records.count <= 400)
    #expect(log.records.count + log.dropped == whole.records.count)
    #expect(log.records.last == whole.records.last)
  }

  @Test func `a packet log that starts late lists the existing connections`() throws {
    var harness = Harness(Self.lossy, seed: 5)
    harness.get(200_000)
    harness.run(until: .milliseconds(500))
    harness.path.recordPackets()
    harness.run(until: .seconds(60))
    let log = try #require(harness.path.packetLog)
    #expect(log.connections == [PacketLog.Connection(host: "a.example", port: 80, number: 0)])
    #expect(log.records.first.map { $0.time.nanoseconds >= 500_000_000 } ?? false)
    harness.path.stopRecordingPackets()
    #expect(harness.path.packetLog == nil)
  }

  @Test func `a full packet tape loses the older half of its records before it takes another`() {
    var tape = PacketTape(limit: 4)
    tape.name(0, number: 0)
    for time in 0..<5 as Range<Int64> {
      tape.append(
        .sent, Packet(kind: .segment, owner: 0, flow: 0, size: 40),
        by: SenderState(acknowledged: 0, window: 1, inFlight: 0), .up, at: time, queue: 0)
    }
    #expect(tape.records.map(\.time.nanoseconds) == [2, 3, 4] && tape.dropped == 2)
  }
}
