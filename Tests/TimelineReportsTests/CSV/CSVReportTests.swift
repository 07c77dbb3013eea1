import Testing
import TimelineReports

@testable import NetworkConditions

struct CSVReportTests {
  @Test func `the transfer table has a row for each transfer with exact times in seconds`() async throws {
    let timeline = try await SampleNetworks.plain("/file", "/refused?a=1,2")
    let rows = [
      "number,client,method,url,occurrence,profile,connection,reused,status,outcome,error,started_s,resolved_s,"
        + "connected_s,secured_s,request_sent_s,request_received_s,first_byte_s,ended_s,bytes_sent,bytes_received,"
        + "bytes_expected,packets_up,packets_down,wire_bytes_up,wire_bytes_down,lost_up,lost_down,retransmissions_up,"
        + "retransmissions_down,stalls,http_version,fell_back_s,repetition",
      "0,,GET,http://192.0.2.1/file,1,plain,0,no,200,finished,,0,,0.10096,,0.10096,0.15356,0.20504,0.230744,0,3000,3000,"
        + "8,7,645,3458,0,0,0,0,0,1.1,,",
      "1,,GET,\"http://192.0.2.1/refused?a=1,2\",1,plain,0,yes,404,finished,,0.230744,,0.230744,,0.230744,0.283416,"
        + "0.334136,0.334136,0,0,0,1,1,282,90,0,0,0,0,0,1.1,,",
    ]
    #expect(timeline.transferCSV == rows.map { "\($0)\r\n" }.joined())
  }

  @Test func `the table and the page mark requests that the platform repeats`() async throws {
    let timeline = try await SampleNetworks.repeated()
    let rows = timeline.transferCSV.split(separator: "\r\n").dropFirst()
    #expect(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).last } == ["", "", "withoutBody"])
    let page = TimelinePage(timeline).text
    #expect(page.contains(">again</em>"))
    #expect(page.contains("sent again by the platform itself, without its body, so no answer comes"))
    #expect(TraceEventReport(timeline).text.contains("sent again by the platform itself, without its body"))
  }

  @Test func `the event table has a row for each event`() async throws {
    let timeline = try await SampleNetworks.plain("/file")
    let rows = [
      "time_s,transfer,event,direction,bytes,total,detail", "0,,phase,,,,plain",
      "0,0,started,,,,GET http://192.0.2.1/file", "0.10096,0,connected,,,,", "0.10096,0,request sent,,,,",
      "0.20504,0,response,,,,200", "0.21704,0,received,,1448,3000,", "0.22904,0,received,,2896,3000,",
      "0.230288,0,received,,3000,3000,", "0.230744,0,finished,,,,",
    ]
    #expect(timeline.eventCSV == rows.map { "\($0)\r\n" }.joined())
  }

  @Test func `the event table numbers a client's launches from the second`() {
    let events = [1, 2, 3].map { NetworkEvent(time: .zero, transfer: nil, kind: .launched($0)) }
    let timeline = Timeline(
      transfers: [], droppedTransfers: 0, events: events, droppedEvents: 0, seed: 0, profile: "p", conditions: [],
      packets: [], time: .zero)
    #expect(
      timeline.eventCSV.split(separator: "\r\n").dropFirst() == [
        "0,,client launched,,,,", "0,,client launched,,,,2", "0,,client launched,,,,3",
      ])
  }

  @Test func `CSV fields are quoted by RFC 4180, and every row has as many fields as the heading`() async throws {
    let profile = NetworkProfile(
      name: "a \"train\",\nslow", down: SampleNetworks.plain.base.down, up: SampleNetworks.plain.base.up,
      faults: [FaultRule(.status(code: 503), probability: .one)])
    let timeline = try await SampleNetworks.plain("/a,b", "/c", profile: profile)
    let transfers = try #require(Self.parse(timeline.transferCSV))
    #expect(Set(transfers.map(\.count)).count == 1 && transfers.count == 3)
    #expect(transfers[1][3] == "http://192.0.2.1/a,b" && transfers[1][5] == "a \"train\",\nslow")
    let events = try #require(Self.parse(timeline.eventCSV))
    #expect(Set(events.map(\.count)) == [7] && events.count == timeline.events.count + 1)
    #expect(events.contains { $0[2] == "fault" && $0[6].contains("503") })
  }

  /// Parses the grammar of RFC 4180, section 2; `nil` for text that does not match.
  private static func parse(_ text: String) -> [[String]]? {
    var (rows, row, field): ([[String]], [String], String) = ([], [], "")
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where field.isEmpty:
        while let inner = rest.popFirst() {
          if inner != "\"" { field.unicodeScalars.append(inner); continue }
          guard rest.first == "\"" else { break }
          rest.removeFirst()
          field.unicodeScalars.append("\"")
        }
        guard rest.first == "," || rest.first == "\r" else { return nil }
      case ",":
        row.append(field)
        field = ""
      case "\r":
        guard rest.popFirst() == "\n" else { return nil }
        rows.append(row + [field])
        (row, field) = ([], "")
      case "\"", "\n": return nil
      default: field.unicodeScalars.append(scalar)
      }
    }
    return row.isEmpty && field.isEmpty ? rows : nil
  }
}
