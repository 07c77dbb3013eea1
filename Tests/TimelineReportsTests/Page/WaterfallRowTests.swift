import LinkSimulator
import Testing

@testable import NetworkConditions
@testable import TimelineReports

/// Transfer rows and the chart above them, in a picture of 50 ms.
struct WaterfallRowTests {
  private let scale = TimeScale(extent: 0...50_000_000)

  private func at(_ milliseconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: milliseconds * 1_000_000) }

  private func transfer(_ change: (inout Transfer) -> Void) -> Transfer {
    var transfer = Transfer(
      number: 0, method: "GET", url: "http://a.example/x", occurrence: 1, profile: "p", started: at(0))
    change(&transfer)
    return transfer
  }

  private func row(_ transfer: Transfer, _ kinds: [(Int64, NetworkEvent.Kind)] = [], limit: Int = 100) -> String {
    WaterfallRow(
      transfer: transfer, url: URLPlace(transfer.url),
      events: kinds.map { NetworkEvent(time: at($0), transfer: 0, kind: $1) }, scale: scale, now: at(50),
      hasOneOrigin: true, stretches: 100, eventLimit: limit, packets: [], isOpen: false
    ).text
  }

  @Test func `the last bar of a running transfer ends at the current time`() {
    let waiting = row(transfer { $0.requestSent = at(10) })
    // 40 of 50 ms, from 10 ms on.
    #expect(waiting.contains("<rect class=\"w\" x=\"200\" y=\"8\" width=\"800\""), "\(waiting)")
    #expect(waiting.contains("<em>running</em>"))
  }

  @Test func `a row marks losses at its bottom, retransmissions at its top and stalls over its height`() {
    let ended = transfer {
      ($0.requestSent, $0.ended, $0.outcome) = (at(5), at(50), .finished)
    }
    let text = row(
      ended, [(10, .packetLost(.down, .link)), (20, .retransmitted(.down, .fast)), (30, .stalled)])
    for mark in ["class=\"k\" d=\"M200 16v4\"", "class=\"g\" d=\"M400 0v4\"", "class=\"z\" d=\"M600 0v20\""] {
      #expect(text.contains(mark), "\(mark) in \(text)")
    }
  }

  @Test(arguments: [(Transfer.Outcome.cancelled, 1), (.failed(.timedOut), 1), (.finished, 0), (.running, 0)])
  func `a row marks the end of a transfer that failed or was cancelled`(outcome: Transfer.Outcome, marks: Int) {
    let ended = transfer { ($0.requestSent, $0.ended, $0.outcome) = (at(5), at(40), outcome) }
    #expect(row(ended).split(separator: "class=\"x\" d=\"M800 2v16\"").count == marks + 1)
  }

  @Test func `a running transfer whose response has begun ends with a receiving bar`() {
    let receiving = row(transfer { ($0.requestSent, $0.firstByte) = (at(5), at(10)) })
    #expect(receiving.contains("<title>receiving 40 ms, from 10 ms</title>"), "\(receiving)")
  }

  @Test func `the last bar of a running transfer shows whether it is connecting or sending`() {
    let connecting = row(transfer { $0.resolved = at(10) })
    #expect(connecting.contains("<title>connecting 40 ms, from 10 ms</title>"), "\(connecting)")
    #expect(connecting.contains("<tr><th>connecting</th><td>0.010 s</td><td>0.040 s</td></tr>"))
    let sending = row(transfer { ($0.resolved, $0.connected) = (at(10), at(20)) })
    #expect(sending.contains("<title>sending 30 ms, from 20 ms</title>"), "\(sending)")
  }

  @Test func `the details of a transfer give the expected size only if fewer bytes arrived`() {
    func body(_ received: Int64) -> String {
      row(transfer { ($0.bytesReceived, $0.bytesExpected, $0.ended, $0.outcome) = (received, 3_000, at(9), .finished) })
    }
    #expect(body(3_000).contains("3000 bytes down") && !body(3_000).contains("of 3000"))
    #expect(body(1_000).contains("1000 of 3000 bytes down"))
  }

  @Test(arguments: [(1_000, false), (1_001, true)])
  func `the details show at most 1000 characters of a URL`(count: Int, isCut: Bool) {
    let start = "http://a.example/"
    let url = start + String(repeating: "x", count: count - start.count)
    let transfer = Transfer(number: 0, method: "GET", url: url, occurrence: 1, profile: "p", started: at(0))
    let shown = "<p>GET \(url.prefix(1_000))\(isCut ? "…" : "")</p>"
    #expect(row(transfer).contains(shown))
  }
  @Test func `the details list losses before and after a fault on separate lines`() {
    let lost = NetworkEvent.Kind.packetLost(.down, .link)
    let text = row(transfer { _ in }, [(10, lost), (11, lost), (20, .fault("connection reset")), (30, lost)])
    #expect(text.components(separatedBy: "packet lost: down").count == 3, "\(text)")
    #expect(text.contains("packet lost: down, link, 2 times until"))
  }

  @Test(arguments: [(4, nil), (3, nil), (2, "and 1 more"), (1, "and 2 more")] as [(Int, String?)])
  func `the details list a limited number of lines and count the others`(limit: Int, rest: String?) {
    let lost = NetworkEvent.Kind.packetLost(.down, .link)
    let text = row(
      transfer { _ in }, [(10, lost), (11, lost), (12, .stalled), (20, .fault("connection reset"))], limit: limit)
    #expect(text.components(separatedBy: "<li>").count == min(limit, 3) + (rest == nil ? 1 : 2))
    #expect(text.contains("<li><span></span><span>\(rest ?? "and")") == (rest != nil), "\(text)")
  }

  // MARK: The strip

  /// 100 bytes in the first of two stretches of 25 ms: 32 kbit/s.
  private func strip(limit: Int64, from: Int64 = 0, delay: Int64 = 0, arrival: Int64 = 5) -> RateStrip {
    var one = transfer { ($0.firstByte, $0.ended, $0.outcome) = (at(0), at(50), .finished) }
    one.rate.add(100, at: at(arrival))
    let timeline = Timeline(
      transfers: [one], droppedTransfers: 0, events: [], droppedEvents: 0, seed: 0, profile: "p", conditions: [],
      packets: [], time: at(50))
    let limits = [64_000, limit].map { limit in
      PathConditions(down: LinkConditions(rate: Bandwidth(bitsPerSecond: limit), delay: .milliseconds(delay)))
    }
    let spans = [
      ConditionSpan(profile: "p", phase: "", start: 0, end: from * 1_000_000, conditions: limits[0]),
      ConditionSpan(profile: "p", phase: "", start: from * 1_000_000, end: 50_000_000, conditions: limits[1]),
    ]
    return RateStrip(timeline, scale, from == 0 ? [spans[1]] : spans)
  }

  @Test func `a rate limit above eight times the peak rate is left out of the chart and noted`() {
    #expect(strip(limit: 256_000).hiddenLimit == nil)
    #expect(strip(limit: 256_001).hiddenLimit == 256_001)
  }

  @Test func `a measured rate more than 2 % above the limit is reported`() {
    #expect(!strip(limit: 31_373).exceedsLimit)
    #expect(strip(limit: 31_372).exceedsLimit)
    #expect(!strip(limit: 64_000).exceedsLimit)
  }

  @Test func `bytes that arrived at the rate before a change do not exceed the link's limit`() {
    // The change is within the first stretch; 20 ms before the second; within a slice of 10 ms that reaches into it.
    #expect(!strip(limit: 8_000, from: 10).exceedsLimit)
    #expect(!strip(limit: 8_000, from: 10, delay: 20, arrival: 28).exceedsLimit)
    #expect(!strip(limit: 8_000, from: 18, arrival: 28).exceedsLimit)
    #expect(strip(limit: 8_000, from: 14, arrival: 28).exceedsLimit)
  }

  @Test(arguments: [(599, false), (600, true)])
  func `a receiving bar shows the rate of arrival if it is wide enough for four steps`(
    microseconds: Int64, showsRate: Bool
  ) {
    let text = row(
      transfer {
        $0.rate.add(1_000, at: at(0))
        ($0.firstByte, $0.bytesReceived, $0.outcome) = (at(0), 1_000, .finished)
        $0.ended = SimulatedInstant(nanoseconds: microseconds * 1_000)
      })
    // The bar of a rate is pale, and the rate is drawn over it.
    #expect(text.contains("<rect class=\"\(showsRate ? "v" : "a")\" x=\"0\" y=\"5\""), "\(text)")
    #expect(text.contains("d=\"M0 15") == showsRate, "\(text)")
  }
}
