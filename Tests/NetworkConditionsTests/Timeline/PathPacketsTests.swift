import Testing

@testable import LinkSimulator
@testable import NetworkConditions

struct PathPacketsTests {
  private func at(_ seconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: seconds * 1_000_000_000) }

  /// The packets of one path at these seconds, all on one connection.
  private func path(_ name: String, _ seconds: Int64...) -> PathPackets {
    let records = seconds.map { second in
      PacketRecord(
        time: at(second), connection: 0, direction: .up, kind: .sent, firstByte: 0, length: 1, acknowledged: 0,
        congestionWindow: 10, inFlight: 1, queue: 0)
    }
    let connection = PacketLog.Connection(host: "a.example", port: 80, number: 7)
    return PathPackets(profile: name, log: PacketLog(connections: [connection], records: records, dropped: 0))
  }

  @Test(arguments: [("slow", [2, 4]), ("main", [3])] as [(String, [Int64])])
  func `a transfer's packets are those of its path, from its start to its end`(profile: String, seconds: [Int64]) {
    var transfer = Transfer(
      number: 0, method: "GET", url: "http://a.example/", occurrence: 1, profile: profile, started: at(2))
    (transfer.wire.connection, transfer.ended) = (7, at(4))
    let timeline = Timeline(
      transfers: [transfer], droppedTransfers: 0, events: [], droppedEvents: 0, seed: 0, profile: "main",
      conditions: [], packets: [path("main", 1, 3, 5), path("slow", 1, 2, 4, 5)], time: at(9))
    #expect(timeline.packets(of: transfer).map(\.time) == seconds.map(at))
  }
}
