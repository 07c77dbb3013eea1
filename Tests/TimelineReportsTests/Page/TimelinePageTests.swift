import HTMLPages
import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions
@testable import TimelineReports

struct TimelinePageTests {
  @Test func `the page lists transfers, failures and phases and loads nothing from outside`() async throws {
    let timeline = try await SampleNetworks.ride(36)
    let page = TimelinePage(timeline).text
    let failures = timeline.transfers.count { $0.isFailure }
    #expect(failures > 0)
    #expect(page.contains("<h1>36 transfers under our train, \(failures) failed</h1>"))
    #expect(page.contains("<dt>Seed</dt><dd>7</dd>") && page.contains("<dt>Profile</dt><dd>our train</dd>"))
    #expect(page.components(separatedBy: "<details ").count == 37)
    #expect(page.components(separatedBy: "<details class=\"t bad\"").count == failures + 1)
    // The page has nothing that a browser would fetch, and exactly one inline script.
    for outside in ["src=", "href=", "@import", "url(", "<link", "<img", "<iframe"] {
      #expect(!page.contains(outside), "\(outside)")
    }
    #expect(page.components(separatedBy: "<script").count == 2)
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    // The phases have names, and outages have a separate colour.
    #expect(page.contains("<b>portal</b>") && page.contains("class=\"out\" style="))
    #expect(TimelinePage(timeline).text == page)
  }

  @Test func `each drawing on the page is well-formed SVG`() async throws {
    let page = TimelinePage(try await SampleNetworks.ride(36)).text
    let drawings = page.components(separatedBy: "<svg").dropFirst().map { part in
      "<svg\(part.prefix(upTo: part.range(of: "</svg>")?.upperBound ?? part.endIndex))"
    }
    #expect(drawings.count > 40)
    for drawing in drawings { #expect(Markup.isWellFormed(drawing), "\(drawing)") }
  }

  @Test func `the page draws recorded packets, windows and queues`() async throws {
    let page = TimelinePage(try await SampleNetworks.ride(12, packets: true)).text
    let graphs = page.components(separatedBy: "<div class=\"pk\">").dropFirst()
    #expect(graphs.count > 8)
    // Bytes sent, sent again, lost and acknowledged; the window, the bytes in flight and the queue.
    for role in ["ps", "pr", "pl", "pa", "pw", "pf", "pq"] {
      #expect(graphs.contains { $0.contains("<path class=\"\(role)\" d=\"M") }, "\(role)")
    }
    for graph in graphs {
      for part in graph.components(separatedBy: "<svg").dropFirst() {
        #expect(Markup.isWellFormed("<svg\(part.prefix(upTo: part.range(of: "</svg>")?.upperBound ?? part.endIndex))"))
      }
    }
  }

  @Test func `equal packet losses share one row with their count and last time`() async throws {
    let link = LinkConditions(
      rate: .megabitsPerSecond(1), delay: .milliseconds(20), loss: .independent(.percent(10)))
    let lossy = NetworkProfile(name: "lossy", base: PathConditions(down: link, up: link))
    let run = try await Simulation(lossy) { network in
      network.stub("/file", with: .bytes(count: 600_000))
      _ = try await network.data(for: URLRequest(url: URL(string: "http://x.example/file")!))
    }
    let lost = run.timeline.events.filter { $0.kind == .packetLost(.down, .link) }
    let last = try #require(lost.last)
    #expect(lost.count > 10)
    let page = TimelinePage(run.timeline).text
    let row = "packet lost: down, link, \(lost.count) times until \(DecimalText.seconds(last.time.nanoseconds))"
    #expect(page.contains("<span>\(row)</span>") && page.components(separatedBy: "packet lost: down").count == 2)
  }

  @Test func `the bars of a transfer have positions and widths in proportion to its times`() async throws {
    let timeline = try await SampleNetworks.plain("/file")
    let page = TimelinePage(timeline).text
    // 100.96 ms of 230.744 ms are 437.5 of 1000.
    #expect(
      page.contains(
        "<rect class=\"c\" x=\"0\" y=\"5\" width=\"437.5\" height=\"10\">"
          + "<title>connecting 101 ms, from 0 s</title></rect>"
          + "<rect class=\"w\" x=\"437.5\" y=\"8\" width=\"451.1\" height=\"4\">"
          + "<title>waiting 104 ms, from 101 ms</title></rect>"))
    #expect(page.contains("<span class=\"d\">0.231 s</span>"))
    #expect(page.contains("<span class=\"even\" style=\"left:21.67%\">50 ms</span>"))
  }

  private static let hostile = "</script></title><img src=x onerror=\"alert('1')\">"

  private static func timeline(_ transfers: [Transfer], events: [NetworkEvent] = [], dropped: Int = 3) -> Timeline {
    let schedule = NetworkProfile(name: hostile, base: PathConditions(outage: .drop)).schedule
    return Timeline(
      transfers: transfers, droppedTransfers: dropped, events: events, droppedEvents: 2, seed: 1, profile: hostile,
      conditions: [AppliedConditions(profile: hostile, start: .zero, schedule: schedule)],
      packets: [], time: SimulatedInstant(nanoseconds: 9_000_000_000))
  }

  @Test func `the page writes one dropped transfer in the singular`() {
    #expect(TimelinePage(Self.timeline([], dropped: 1)).text.contains("1 earlier transfer was dropped"))
  }

  @Test func `hostile text from outside does not become markup on the page`() throws {
    let transfers = (0..<3).map { number in
      Transfer(
        number: number, method: Self.hostile, url: "https://h\(number).example/\(Self.hostile)?\(Self.hostile)",
        occurrence: 1, profile: Self.hostile, started: SimulatedInstant(nanoseconds: Int64(number)))
    }
    let kinds: [NetworkEvent.Kind] = [
      .fault(Self.hostile), .redirected(to: "https://\(Self.hostile)"), .phaseEntered(Self.hostile), .cancelled,
    ]
    let timeline = Self.timeline(
      transfers,
      events: kinds.map { NetworkEvent(time: SimulatedInstant(nanoseconds: 5), transfer: 1, kind: $0) })
    let page = TimelinePage(timeline).text
    #expect(!page.contains("<img"))
    #expect(page.contains("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;"))
    #expect(page.components(separatedBy: "<script").count == 2 && page.components(separatedBy: "</script").count == 2)
    #expect(page.components(separatedBy: "</title").count == page.components(separatedBy: "<title").count)
    #expect(page.contains("3 earlier transfers were dropped") && page.contains("<em>running</em>"))
    let trace = try JSONSerialization.jsonObject(with: Data(TraceEventReport(timeline).text.utf8))
    #expect(trace is [String: Any])
  }

  @Test func `a password in a URL appears in none of the reports`() async throws {
    let timeline = try await SampleNetworks.plain("/a", "/refused", server: "http://user:s3cret-word@192.0.2.1")
    #expect(timeline.transfers[0].url.contains("s3cret-word"))
    for text in [
      TimelinePage(timeline).text, TraceEventReport(timeline).text, timeline.transferCSV,
      timeline.eventCSV,
    ] {
      #expect(!text.contains("s3cret"))
      #expect(text.contains("user:redacted@192.0.2.1"))
    }
  }

  @Test func `the page of a thousand transfers is smaller than 2 MB`() async throws {
    let timeline = try await SampleNetworks.ride(1_000, every: .milliseconds(60))
    #expect(timeline.transfers.count == 1_000)
    #expect(TimelinePage(timeline).text.utf8.count < 2_000_000)
  }

  @Test func `the page of 1500 transfers shows the failed one and the longest ones`() throws {
    let many = (0..<1_500).map { number in
      var transfer = Transfer(
        number: number, method: "GET", url: "https://example.com/", occurrence: 1, profile: "3G",
        started: SimulatedInstant(nanoseconds: Int64(1_500 - number) * 2_000_000))
      transfer.ended = transfer.started.advanced(by: .milliseconds(number + 1))
      transfer.outcome = number == 7 ? .failed(.timedOut) : .finished
      return transfer
    }
    #expect(TimelinePage(Self.timeline(many)).shownTransfers == [7] + Array(501..<1_500))
  }

  @Test func `the page of transfers with very long URLs stays below 100 kB`() {
    let url = "https://example.com/\(String(repeating: "long/", count: 20_000))"
    let transfers = (0..<20).map { number in
      Transfer(number: number, method: "GET", url: url, occurrence: 1, profile: "3G", started: .zero)
    }
    #expect(TimelinePage(Self.timeline(transfers)).text.utf8.count < 100_000)
  }

  @Test func `the page of an empty timeline says that nothing was requested`() {
    let page = TimelinePage(SimulatedNetwork("3G", pace: .immediate).timeline).text
    #expect(page.contains("<h1>0 transfers under 3G</h1>") && page.contains("No request was made."))
  }

  @Test(arguments: [1_000, 1_003])
  func `of more than 1,000 transfers the failures and the longest have rows, in the order of their numbers`(count: Int)
  {
    let transfers = (0..<count).map { number in
      var transfer = Transfer(
        number: number, method: "GET", url: "http://a.example/", occurrence: 1, profile: "p", started: .zero)
      transfer.outcome = number == count - 2 ? .failed(.timedOut) : .finished
      let length = [count - 2: 1, count - 1: 3][number] ?? 2
      transfer.ended = SimulatedInstant(nanoseconds: Int64(length))
      return transfer
    }
    let timeline = Timeline(
      transfers: transfers, droppedTransfers: 0, events: [], droppedEvents: 0, seed: 0, profile: "p", conditions: [],
      packets: [], time: SimulatedInstant(nanoseconds: 3))
    // Of equally long transfers the first ones are shown.
    #expect(TimelinePage(timeline).shownTransfers == Array(0..<998) + [count - 2, count - 1])
  }
}

extension Markup {
  /// Whether every element is closed in the right order and every attribute is quoted.
  static func isWellFormed(_ text: String) -> Bool {
    let tag = /<(\/?)([a-z]+)((?:\s+[a-zA-Z-]+="[^"<>]*")*)\s*(\/?)>/
    var open: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      guard let match = rest[start...].prefixMatch(of: tag) else { return false }
      if !match.1.isEmpty {
        guard open.popLast() == match.2 else { return false }
      } else if match.4.isEmpty {
        open.append(match.2)
      }
      rest = rest[match.range.upperBound...]
    }
    return open.isEmpty
  }
}
