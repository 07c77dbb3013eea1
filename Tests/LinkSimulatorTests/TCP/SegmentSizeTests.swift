import Testing

@testable import LinkSimulator

struct SegmentSizeTests {
  /// The packets of a connection on which both ends send 200 kB at once, and the server's sixth segment is lost.
  private func records() throws -> [PacketRecord] {
    let name = PacketName(origin: "a:80", connection: 0, direction: .down, number: 5)
    var path = PathSimulator(
      seed: 1, schedule: ConditionSchedule(.symmetric(.megabitsPerSecond(10), delay: .milliseconds(20))),
      chance: .scheduled([PacketFault(.lost, of: name)]))
    path.recordPackets()
    let stream = path.open(StreamRequest(key: 1, host: "a", port: 80, use: .standing))
    path.write(200_000, .up, on: stream, finishing: true)
    path.write(200_000, .down, on: stream, finishing: true)
    path.advance(to: .distantFuture)
    #expect(path.unusedPacketFaults.isEmpty)
    return try #require(path.packetLog).records
  }

  @Test func `segments are 12 bytes shorter while their sender reports a gap`() throws {
    let records = try records()
    let down = records.filter { $0.direction == .down && $0.length > 0 }
    let lost = try #require(down.first { if case .lost = $0.kind { true } else { false } })
    let arrivals = down.filter { $0.kind == .arrived }
    let opened = try #require(arrivals.first { $0.firstByte > lost.firstByte }).time
    let closed = try #require(arrivals.first { $0.firstByte == lost.firstByte }).time
    let sent = records.filter { $0.direction == .up && $0.kind == .sent && $0.length > 1_000 }.dropLast()
    let (short, full) = (sent.filter { $0.length == 1_448 - 12 }, sent.filter { $0.length == 1_448 })
    #expect(short.count > 5 && short.count + full.count == sent.count)
    #expect(short.allSatisfy { $0.time >= opened && $0.time < closed })
    #expect(full.allSatisfy { $0.time < opened || $0.time >= closed })
  }
}
