import LinkSimulator
import Testing

@testable import NetworkConditions
@testable import TrafficRecording
import URLLoading

/// Tests entries of transfers in which all figures differ, so that swapped figures are noticed.
struct TransferEntryTests {
  private func at(_ milliseconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: milliseconds * 1_000_000) }

  private func transfer(_ url: String = "https://a.example/x", _ change: (inout Transfer) -> Void = { _ in })
    -> Transfer
  {
    var transfer = Transfer(
      number: 7, method: "PUT", url: url, occurrence: 1, profile: "3G", started: at(1_500))
    transfer.resolved = at(1_501)
    transfer.connected = at(1_503)
    transfer.secured = at(1_507)
    transfer.requestSent = at(1_515)
    transfer.firstByte = at(1_531)
    transfer.ended = at(1_563)
    transfer.outcome = .finished
    transfer.status = 200
    (transfer.bytesSent, transfer.bytesReceived) = (11, 12)
    (transfer.wire.up.packets, transfer.wire.down.packets) = (100, 20)
    (transfer.wire.up.lost, transfer.wire.down.lost) = (3, 40)
    (transfer.wire.up.retransmissions, transfer.wire.down.retransmissions) = (500, 6)
    change(&transfer)
    return transfer
  }

  private func entry(_ transfer: Transfer) -> HTTPArchive.Entry {
    HTTPArchive.Entry(transfer, startingAt: HTTPArchive.epoch)
  }

  @Test func `an archive entry starts at the epoch plus its transfer's start time`() {
    #expect(entry(transfer()).started == HTTPArchive.epoch.addingTimeInterval(1.5))
    let late = HTTPArchive.Entry(transfer(), startingAt: Date(timeIntervalSince1970: 10))
    #expect(late.started == Date(timeIntervalSince1970: 11.5))
  }

  @Test func `an archive entry has the exact duration of each phase`() {
    let timings = entry(transfer()).timings
    #expect(timings.dns == .milliseconds(1) && timings.blocked == nil)
    // In this format the time of connecting includes TLS.
    #expect(timings.connect == .milliseconds(2 + 4) && timings.tls == .milliseconds(4))
    #expect(timings.send == .milliseconds(8) && timings.wait == .milliseconds(16))
    #expect(timings.receive == .milliseconds(32))
    #expect(timings.total == .milliseconds(63))
  }

  @Test func `waiting for an open connection counts as blocked time, not as connecting`() {
    let reused = entry(
      transfer {
        $0.reusedConnection = true
        ($0.resolved, $0.secured) = (nil, nil)
      })
    #expect(reused.timings.blocked == .milliseconds(3) && reused.timings.connect == nil)
    #expect(reused.timings.tls == nil && reused.timings.dns == nil)
    let never = entry(
      transfer {
        ($0.connected, $0.secured, $0.requestSent, $0.firstByte) = (nil, nil, nil, nil)
        $0.outcome = .failed(.timedOut)
      })
    #expect(never.timings.blocked == .milliseconds(62) && never.timings.connect == nil)
    let made = entry(transfer("http://a.example/x") { $0.secured = nil })
    #expect(made.timings.connect == .milliseconds(2) && made.timings.tls == nil)
  }

  @Test func `an assumed body size is written as unknown`() {
    #expect(entry(transfer()).response.bodyBytes == 12)
    #expect(entry(transfer { $0.isSizeAssumed = true }).response.bodyBytes == -1)
    #expect(entry(transfer()).response.content.size == 12)
    #expect(entry(transfer { $0.bytesDecoded = 99 }).response.content.size == 99)
    #expect(entry(transfer { $0.bytesDecoded = 99 }).response.bodyBytes == 12)
    #expect(entry(transfer()).request.bodyBytes == 11)
  }

  @Test func `an entry's comment counts packets, losses and retransmissions of both directions`() {
    #expect(
      entry(transfer()).comment == "transfer 7, profile 3G, 120 packets, 43 lost, 506 sent again")
    let reused = transfer { $0.reusedConnection = true }
    #expect(
      entry(reused).comment
        == "transfer 7, profile 3G, on an existing connection, 120 packets, 43 lost, 506 sent again")
  }

  @Test(arguments: [
    (Transfer.Outcome.finished, nil), (.failed(.timedOut), "timedOut"), (.failed(.cannotFindHost), "cannotFindHost"),
    (.cancelled, "cancelled"), (.running, "under way"),
  ])
  func `an entry of an unfinished transfer says how the transfer ended`(outcome: Transfer.Outcome, error: String?) {
    #expect(entry(transfer { $0.outcome = outcome }).response.error == error)
  }

  @Test func `an entry for https says HTTP/2 and an entry for http says HTTP/1`() {
    for (url, version) in [
      ("https://a.example/", "HTTP/2"), ("HTTPS://a.example/", "HTTP/2"), ("http://a.example/", "HTTP/1.1"),
      ("http://https.example/", "HTTP/1.1"),
    ] {
      #expect(entry(transfer(url)).request.httpVersion == version)
      #expect(entry(transfer(url)).response.httpVersion == version)
    }
    #expect(entry(transfer { $0.status = nil }).response.status == 0)
  }

  @Test func `an entry has the ALPN name of its HTTP version`() {
    let versions: [(StreamRequest.HTTPVersion, String?)] = [(.http3, "h3"), (.http2, "h2"), (.http1, nil)]
    for (version, name) in versions {
      let text = String(decoding: entry(transfer { $0.version = version }).json, as: UTF8.self)
      #expect(text.contains(#""httpVersion": "HTTP/\#(version.rawValue)""#))
      #expect(
        text.contains("_protocol") == (name != nil) && text.contains(#""_protocol": "\#(name ?? "")""#) == (name != nil)
      )
    }
  }
}
