import Testing

@testable import LinkSimulator
@testable import NetworkConditions
@testable import TimelineReports

struct PacketGraphTests {
  private func record(_ milliseconds: Int64, _ direction: Direction, _ first: Int64, _ length: Int32) -> PacketRecord {
    PacketRecord(
      time: SimulatedInstant(nanoseconds: milliseconds * 1_000_000), connection: 0, direction: direction, kind: .sent,
      firstByte: first, length: length, acknowledged: 0, congestionWindow: 10, inFlight: 1, queue: 0)
  }

  private func strokes(_ records: [PacketRecord], _ name: String = "ps") throws -> Int {
    let text = try #require(PacketGraph(records)).text
    // The first match is the legend's.
    let path = try #require(text.matches(of: #/class="(\w+)" d="([^"]*)"/#).last { $0.1 == name }).2
    return path.count { $0 == "M" }
  }

  @Test func `a graph draws the direction that carried more bytes`() throws {
    let (request, response) = (record(0, .up, 0, 100), record(5, .down, 0, 1_000))
    #expect(try #require(PacketGraph([request, response])).text.contains("bytes sent to the client"))
    let upload = record(9, .up, 100, 5_000)
    #expect(try #require(PacketGraph([request, response, upload])).text.contains("bytes sent to the server"))
  }

  @Test func `adjacent bytes sent at the same time are drawn as one line, separate ones as two`() throws {
    let later = record(9, .down, 5_000, 1_000)
    #expect(try strokes([record(0, .down, 0, 1_000), record(0, .down, 1_000, 1_000), later]) == 2)
    #expect(try strokes([record(0, .down, 0, 1_000), record(0, .down, 3_000, 1_000), later]) == 3)
    #expect(try strokes([record(0, .down, 0, 5), record(0, .down, 5, 5), record(9, .down, 10, 5)]) == 2)
  }

  @Test func `sent, lost and repeated bytes are drawn as lines of their own`() throws {
    let kinds: [PacketRecord.Kind] = [
      .sent, .sent, .lost(.link), .lost(.link), .lost(.link), .retransmitted, .retransmitted, .retransmitted,
      .retransmitted,
    ]
    let records = kinds.enumerated().map { number, kind in
      var one = record(Int64(number) * 9, .down, 0, 1_000)
      one.kind = kind
      return one
    }
    #expect(try ["ps", "pl", "pr"].map { try strokes(records, $0) } == [2, 3, 4])
  }

  @Test func `a graph's lines have a corner only where a value changes, and end at the right border`() throws {
    var records = [Int64(0), 1_000, 2_000].map { record($0 / 100, .down, $0, 1_000) }
    records[2].congestionWindow = 20
    let text = try #require(PacketGraph(records)).text
    let window = try #require(text.matches(of: #/class="pw" d="([^"]*)"/#).last).1
    #expect(window.count { $0 == "V" } == 1 && window.hasSuffix("H1000"), "\(window)")
  }

  @Test func `the labels of a graph begin near the first byte of its packets`() throws {
    let records = [record(0, .down, 50_000, 1_000), record(9, .down, 51_000, 1_000)]
    let text = try #require(PacketGraph(records)).text
    let label = try #require(text.firstMatch(of: #/class="y" style="top:([^"]*)">([^<]*)</#))
    #expect(label.1 == "100%" && label.2.hasPrefix("50"), "\(label.0)")
  }

  @Test func `the labels of a graph begin with zero at the lower edge`() throws {
    let text = try #require(PacketGraph([record(0, .down, 0, 1_000), record(9, .down, 1_000, 1_000)])).text
    let label = try #require(text.firstMatch(of: #/class="y" style="top:([^"]*)">([^<]*)</#))
    #expect(label.1 == "100%" && label.2.hasPrefix("0"), "\(label.0)")
  }

  @Test func `only 30 transfers have a packet graph, failures first and then the longest`() {
    let transfers = (0..<32).map { number in
      var transfer = Transfer(
        number: number, method: "GET", url: "http://a.example/", occurrence: 1, profile: "p", started: .zero)
      transfer.wire.connection = number
      return transfer
    }
    let records = (0..<32).map { number in
      var one = record(0, .down, 0, 100)
      one.connection = Int32(number)
      return one
    }
    let log = PacketLog(
      connections: (0..<32).map { PacketLog.Connection(host: "a.example", port: 80, number: $0) }, records: records,
      dropped: 0)
    let timeline = Timeline(
      transfers: transfers, droppedTransfers: 0, events: [], droppedEvents: 0, seed: 0, profile: "p", conditions: [],
      packets: [PathPackets(profile: "p", log: log)], time: SimulatedInstant(nanoseconds: 1_000_000))
    #expect(TimelinePage(timeline).text.components(separatedBy: "<div class=\"pk\">").count == 31)
  }
}
