import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct PageSourceTests {
  static func page(_ text: String) throws -> PageSource {
    let scratch = try Scratch()
    return try PageSource(
      contentsOf: scratch.file("page.json", text), over: .named("3G"), limit: .seconds(60))
  }

  static func archive(_ entries: String, pages: String = "[]") throws -> PageSource {
    let scratch = try Scratch()
    let text = #"{"log": {"pages": \#(pages), "entries": [\#(entries)]}}"#
    return try PageSource(archive: scratch.file("site.har", text), over: .named("3G"), limit: .seconds(60))
  }

  /// An archive entry that began the given number of milliseconds after noon, with the given duration.
  static func entry(
    _ url: String, at begin: Int, for time: Int, bytes: Int = 1_000, more: String = "", request: String = "",
    response: String = "", version: String = "h2"
  ) -> String {
    """
    {"startedDateTime": "2026-01-31T12:00:00.\(String(begin + 1_000).suffix(3))Z", "timings": {"wait": \(time)},
     "request": {"method": "GET", "url": "\(url)"\(request)},
     "response": {"status": 200, "httpVersion": "\(version)", "bodySize": \(bytes)\(response)}\(more)}
    """
  }

  @Test(
    arguments: [
      ("200", "200", 1_000), ("200", "204", 0), ("200", "304", 0), ("200", "404", 1_000), ("GET", "HEAD", 0),
      ("GET", "POST", 1_000),
    ] as [(String, String, Int64)])
  func `an answer to HEAD or with the status 204 or 304 has no body`(old: String, new: String, bytes: Int64) throws {
    let source = try Self.archive(Self.entry("https://h/a", at: 0, for: 9).replacing(old, with: new))
    #expect(source.workload.requests.map(\.responseBytes) == [bytes])
  }

  @Test func `an archive's requests come in the order in which they began, else in the file's order`() throws {
    let entries = [(5, 1), (0, 2), (5, 3), (0, 4), (9, 5)].map { begin, bytes in
      Self.entry("https://h/\(bytes)", at: begin, for: 9, bytes: bytes)
    }
    let source = try Self.archive(entries.joined(separator: ", "))
    #expect(source.workload.requests.map(\.responseBytes) == [2, 4, 1, 3, 5])
  }

  @Test func `a page file lists requests and their dependencies, over HTTP/2 by default`() throws {
    let source = try Self.page(
      #"{"workload": [{"id": "a", "host": "h", "response_bytes": 7}, {"id": "b", "after": ["a"], "wait_ms": 1.5}]}"#)
    #expect(source.name == "page.json" && source.workload.client == .http2 && source.workload.limit == .seconds(60))
    #expect(source.workload.requests.map(\.id) == ["a", "b"] && source.workload.requests[1].after == [0])
    #expect(source.workload.schedule.phases[0].conditions.up.jitter != nil)
    #expect(source.workload.configuration == PathConfiguration())
  }

  @Test(arguments: [
    (
      #"{"workload": [{"id": "a", "respones_bytes": 7}]}"#,
      #"page.json: workload[0].respones_bytes: unknown key; did you mean "response_bytes""#
    ),
    (
      #"{"workload": [{"id": "a", "response_bytes": -7}]}"#,
      "page.json: workload[0].response_bytes: -7 is not a number of bytes"
    ),
    (#"{"workload": [], "protokoll": "h2"}"#, #"page.json: protokoll: unknown key; did you mean "protocol""#),
    (#"{"workload": {}}"#, "page.json: workload: found an object where the requests should be"),
    (#"{"apparatus": {"think": 3}, "workload": [{"id": "a"}]}"#, "page.json: apparatus.think: unknown key"),
    ("{}", #"page.json: the key "workload" is missing"#), ("[", "page.json: line 1, column 2"),
  ])
  func `an error in a page file names the place and the correction`(text: String, message: String) throws {
    let error = try #require(throws: (any Error).self) { try Self.page(text) }
    #expect("\(error)".contains(message), "\(error)")
  }

  @Test func `a request of an archive waits for its initiator, or else for the last finished request`()
    throws
  {
    let source = try Self.archive(
      [
        Self.entry("https://a.example/", at: 0, for: 100),
        Self.entry(
          "https://a.example/app.js?v=3#x", at: 60, for: 100,
          more: #", "_initiator": {"type": "parser", "url": "https://a.example/"}"#),
        Self.entry("https://b.example:8443/late.png", at: 130, for: 100),
        Self.entry("https://a.example/at-its-end", at: 230, for: 9),
        Self.entry(
          "https://a.example/feed", at: 200, for: 50,
          more:
            #", "_initiator": {"type": "script", "stack": {"callFrames": [], "parent": {"callFrames": [{"url": "https://a.example/app.js?v=3"}]}}}"#
        ),
      ].joined(separator: ","))
    let requests = source.workload.requests
    #expect(requests.map(\.host) == ["a.example", "a.example", "b.example:8443", "a.example", "a.example"])
    #expect(requests.map(\.path) == ["/", "/app.js", "/late.png", "/feed", "/at-its-end"])
    #expect(requests.map(\.after) == [[], [0], [0], [1], [2]])
    #expect(requests.map(\.wait) == [.zero, .zero, .milliseconds(30), .milliseconds(40), .zero])
    #expect(source.workload.client == .http2 && source.notes.isEmpty && source.workload.limit == .seconds(60))
  }

  @Test func `requests of an archive have wire sizes, and cached responses are left out`() throws {
    let source = try Self.archive(
      [
        Self.entry("https://a.example/1", at: 0, for: 9, bytes: 500, response: #", "content": {"size": 4000}"#),
        Self.entry("https://a.example/2", at: 0, for: 9, bytes: -1, response: #", "content": {"size": 4000}"#),
        Self.entry("https://a.example/3", at: 0, for: 0, bytes: 0, response: #", "_transferSize": 0"#),
        Self.entry("data:text/plain,x", at: 0, for: 0),
        Self.entry("wss://a.example/4", at: 0, for: 9),
        Self.entry("https://a.example/5", at: 0, for: 9, request: #", "bodySize": 77"#),
        Self.entry("https://a.example/6", at: 0, for: 9, bytes: 1_000_000_000_000_000),
      ].joined(separator: ","))
    #expect(source.workload.requests.map(\.responseBytes) == [500, 4_000, 1_000, 100_000_000_000])
    #expect(source.workload.requests.map(\.method) == [.get, .get, .put, .get])
    #expect(source.workload.requests[2].requestBytes == 77)
    #expect(
      source.notes == [
        "1 request without HTTP, as over wss, is left out.",
        "1 request was answered by the cache or failed, and is left out.",
        "Bodies of more than 100 GB are simulated with 100 GB.",
      ])
  }

  @Test func `all requests of an archive use the protocol of most, with a note`() throws {
    let source = try Self.archive(
      [
        Self.entry("https://a.example/1", at: 0, for: 9, version: "http/1.1"),
        Self.entry("https://a.example/2", at: 0, for: 9, version: "http/1.1"),
        Self.entry("https://a.example/3", at: 0, for: 9, version: "h3"),
      ].joined(separator: ","))
    #expect(source.workload.client == .secureHTTP1)
    #expect(source.notes == ["1 of 3 requests used another protocol; all use HTTP/1.1 over TLS here."])
    // Of two protocols that are used equally often, the newer one counts.
    for (versions, client) in [(["h2", "http/1.1"], WorkloadScenario.Client.http2), (["h3-29", "HTTP/2"], .http3)] {
      let half = try Self.archive(
        versions.map { Self.entry("https://a.example/", at: 0, for: 9, version: $0) }.joined(separator: ","))
      #expect(half.workload.client == client)
    }
  }

  @Test func `the first page of an archive with several pages is simulated`() throws {
    let page = #"{"id": "p1", "title": "", "startedDateTime": "2026-01-31T12:00:00Z", "pageTimings": {}}"#
    let source = try Self.archive(
      [
        Self.entry("https://a.example/1", at: 0, for: 9, more: #", "pageref": "p1""#),
        Self.entry("https://a.example/2", at: 0, for: 9, more: #", "pageref": "p2""#),
        Self.entry("https://a.example/of-no-page", at: 5, for: 9),
      ].joined(separator: ","), pages: "[\(page), \(page.replacing("p1", with: "p2"))]")
    #expect(source.workload.requests.map(\.path) == ["/1", "/of-no-page"])
    #expect(source.notes == ["Only the first of 2 pages is simulated."])
  }

  @Test(arguments: [
    ("", "has no request whose URL starts with http:// or https://. Record the page again."),
    (
      entry("/a.png", at: 0, for: 9), "has no request whose URL starts with http:// or https://. Record the page again."
    ),
    (
      #"{"request": {"method": "GET", "url": "https://a.example/"}}"#,
      "has no response from the network. Record the page with an empty cache."
    ),
  ])
  func `an archive without a network request is refused with the reason and advice`(entries: String, reason: String) {
    let error = #expect(throws: (any Error).self) { try Self.archive(entries) }
    #expect(error.map { "\($0)" } == "--har: site.har \(reason) (netcond explain wrong-value)")
  }

  @Test func `a page written as JSON is read back equal`() throws {
    let text =
      #"{"protocol": "h1", "connections_per_host": 2, "workload": [{"id": "a", "host": "h", "path": "/x", "response_bytes": 7}, "#
      + #"{"id": "b", "method": "PUT", "request_bytes": 5, "after": ["a"], "wait_ms": 1.5, "expect": true}, "#
      + #"{"id": "c", "at_ms": 20, "close": true}]}"#
    let source = try Self.page(text)
    #expect(try Self.page(source.json.lineText).workload == source.workload)
  }

  @Test func `a binary body of an archive counts its bytes, not the characters of its base64`() throws {
    for size in [3, -1] {
      let body = #", "bodySize": \#(size), "postData": {"mimeType": "x/y", "text": "AAAA", "_encoding": "base64"}"#
      let source = try Self.archive(Self.entry("https://a.example/", at: 0, for: 1, request: body))
      #expect(source.workload.requests.map(\.requestBytes) == [3])
    }
  }
}
