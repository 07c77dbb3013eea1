import LinkSimulator
import Testing

@testable import NetworkConditions
@testable import TimelineReports

/// Each column of a transfer's row has a different value here, so that swapped columns are noticed.
struct TransferColumnTests {
  private static let transfer: Transfer = {
    func at(_ milliseconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: milliseconds * 1_000_000 + 1) }
    var transfer = Transfer(
      number: 7, method: "PUT", url: "https://a.example/x", occurrence: 3, profile: "3G", client: 2, started: at(100))
    transfer.resolved = at(110)
    transfer.connected = at(120)
    transfer.secured = at(130)
    transfer.requestSent = at(140)
    transfer.requestReceived = at(150)
    transfer.firstByte = at(160)
    transfer.ended = at(170)
    transfer.outcome = .failed(.networkConnectionLost)
    transfer.status = 206
    (transfer.bytesSent, transfer.bytesReceived, transfer.bytesExpected) = (11, 12, 13)
    transfer.reusedConnection = true
    transfer.repetition = .withoutBody
    (transfer.version, transfer.fellBack) = (.http2, at(105))
    transfer.stalls = 14
    transfer.wire.connection = 15
    (transfer.wire.up.packets, transfer.wire.down.packets) = (21, 22)
    (transfer.wire.up.bytes, transfer.wire.down.bytes) = (31, 32)
    (transfer.wire.up.lost, transfer.wire.down.lost) = (41, 42)
    (transfer.wire.up.retransmissions, transfer.wire.down.retransmissions) = (51, 52)
    return transfer
  }()

  private static func timeline(_ transfers: [Transfer], events: [NetworkEvent] = []) -> Timeline {
    Timeline(
      transfers: transfers, droppedTransfers: 0, events: events, droppedEvents: 0, seed: 1, profile: "3G",
      conditions: [], packets: [], time: .zero)
  }

  private static func columns(_ transfer: Transfer) -> [String: String] {
    let rows = timeline([transfer]).transferCSV.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
  }

  private static let values = [
    ("number", "7"), ("client", "2"), ("method", "PUT"), ("url", "https://a.example/x"), ("occurrence", "3"),
    ("profile", "3G"), ("connection", "15"), ("reused", "yes"), ("status", "206"), ("outcome", "failed"),
    ("error", "networkConnectionLost"), ("started_s", "0.100000001"), ("resolved_s", "0.110000001"),
    ("connected_s", "0.120000001"), ("secured_s", "0.130000001"), ("request_sent_s", "0.140000001"),
    ("request_received_s", "0.150000001"), ("first_byte_s", "0.160000001"), ("ended_s", "0.170000001"),
    ("bytes_sent", "11"), ("bytes_received", "12"), ("bytes_expected", "13"), ("packets_up", "21"),
    ("packets_down", "22"), ("wire_bytes_up", "31"), ("wire_bytes_down", "32"), ("lost_up", "41"),
    ("lost_down", "42"), ("retransmissions_up", "51"), ("retransmissions_down", "52"), ("stalls", "14"),
    ("repetition", "withoutBody"), ("http_version", "2"), ("fell_back_s", "0.105000001"),
  ]

  @Test(arguments: values)
  func `each column of the transfer table holds the value that its heading names`(name: String, value: String) {
    #expect(Self.columns(Self.transfer)[name] == value)
  }

  @Test func `this suite has a value for each column of the transfer table`() {
    #expect(Set(Self.columns(Self.transfer).keys) == Set(Self.values.map(\.0)))
  }

  @Test func `a missing value of a transfer is an empty field`() {
    let columns = Self.columns(
      Transfer(number: 0, method: "GET", url: "http://a.example/", occurrence: 1, profile: "p", started: .zero))
    let empty = columns.filter { $0.value.isEmpty }.keys.sorted()
    #expect(
      empty == [
        "bytes_expected", "client", "connected_s", "connection", "ended_s", "error", "fell_back_s", "first_byte_s",
        "repetition", "request_received_s", "request_sent_s", "resolved_s", "reused", "secured_s", "status",
      ])
    #expect(columns["outcome"] == "running")
  }

  @Test(arguments: [(nil as Int?, false), (399, false), (400, true), (503, true)])
  func `a finished transfer with a status of 400 or above counts as a failure`(status: Int?, isFailure: Bool) {
    var transfer = Self.transfer
    (transfer.outcome, transfer.status) = (.finished, status)
    #expect(transfer.isFailure == isFailure)
    #expect(transfer.errorName.isEmpty)
    transfer.outcome = .cancelled
    #expect(!transfer.isFailure)
    transfer.outcome = .failed(.timedOut)
    #expect(transfer.isFailure)
  }

  @Test(arguments: [
    (NetworkEvent.Kind.packetLost(.up, .queueFull), "packet lost,up,,,queue full"),
    (.packetLost(.down, .link), "packet lost,down,,,link"),
    (.packetLost(.down, .corruption), "packet lost,down,,,corruption"),
    (.packetLost(.up, .outage), "packet lost,up,,,outage"),
    (.packetLost(.up, .forgotten), "packet lost,up,,,connection forgotten"),
    (.retransmitted(.up, .fast), "retransmitted,up,,,fast"),
    (.retransmitted(.down, .timeout), "retransmitted,down,,,timeout"),
    (.received(bytes: 5, of: 9), "received,,5,9,"), (.received(bytes: 5, of: nil), "received,,5,,"),
    (.uploaded(bytes: 6, of: 8), "uploaded,,6,8,"), (.resolved(cached: true), "resolved,,,,cached"),
    (.resolved(cached: false), "resolved,,,,"), (.connected(reused: true), "connected,,,,reused"),
    (.response(status: 204), "response,,,,204"), (.failed(.timedOut), "failed,,,,timedOut"),
    (.redirected(to: "/x"), "redirected,,,,/x"), (.stalled, "stalled,,,,"),
  ])
  func `an event's row has the event's direction, bytes and details`(kind: NetworkEvent.Kind, row: String) {
    let event = NetworkEvent(time: SimulatedInstant(nanoseconds: 1_500_000_001), transfer: 3, kind: kind)
    let text = Self.timeline([], events: [event]).eventCSV
    #expect(text.split(separator: "\r\n").last == "1.500000001,3,\(row)")
  }
}
