import NetworkConditions
import Testing

@testable import TrafficRecording
import URLLoading

@Suite(.timeLimit(.minutes(10)))
struct RecordedTransportTests {
  static let url = "https://example.com/a"

  @Test func `a browser's archive is replayed with headers that fit the decoded body`() async throws {
    let transport = try RecordedTransport(HTTPArchive(json: Samples.browser))
    let answer = try await transport.ask("GET", "https://EXAMPLE.com:443/feed?page=1")
    #expect(answer.status == 200 && answer.text == #"{"items": []}"#)
    #expect(answer.headers["content-length"] == "39" && answer.headers["content-encoding"] == "gzip")
    #expect(answer.headers["transfer-encoding"] == nil && answer.headers[":status"] == nil)
    #expect(answer.headers["set-cookie"] == "a=1, b=2")
    #expect(transport.notes.isEmpty && transport.requests == ["GET https://example.com/feed?page=1"])
  }

  @Test func `repeated requests get their recorded responses in turn`() async throws {
    let archive = Samples.archive([
      ("GET \(Self.url)", "1"), ("GET https://example.com/b", "x"), ("GET \(Self.url)", "2"),
    ])
    func texts(_ end: StubResponse.SequenceEnd) async throws -> [String] {
      let transport = try RecordedTransport(archive, then: end)
      var texts: [String] = []
      for _ in 0..<4 { texts.append((try? await transport.ask("GET", Self.url).text) ?? "none") }
      return texts
    }
    #expect(try await texts(.repeatLast) == ["1", "2", "2", "2"])
    #expect(try await texts(.cycle) == ["1", "2", "1", "2"])
    #expect(try await texts(.fail) == ["1", "2", "none", "none"])
  }

  @Test func `a rewound recording starts at its first entry and leaves the original unchanged`() async throws {
    let first = try RecordedTransport(Samples.archive([("GET \(Self.url)", "1"), ("GET \(Self.url)", "2")]))
    #expect(try await first.ask("GET", Self.url).text == "1")
    #expect(try await first.rewound().ask("GET", Self.url).text == "1")
    #expect(try await first.ask("GET", Self.url).text == "2")
  }

  @Test func `recorded responses are served in the order of their dates`() async throws {
    var archive = Samples.archive([("GET \(Self.url)", "later"), ("GET \(Self.url)", "earlier")])
    archive.entries[0].started = Date(timeIntervalSince1970: 20)
    archive.entries[1].started = Date(timeIntervalSince1970: 10)
    #expect(try await RecordedTransport(archive).ask("GET", Self.url).text == "earlier")
  }

  @Test func `a HEAD request gets the headers of the recorded GET unless a HEAD was recorded`() async throws {
    var archive = Samples.archive([("GET \(Self.url)", "four")])
    let answer = try await RecordedTransport(archive).ask("HEAD", Self.url)
    #expect(answer.headers["content-length"] == "4" && answer.data.isEmpty)
    archive.entries.append(
      Samples.entry(Self.url, method: "HEAD", status: 404, headers: [.init("Content-Length", "99")]))
    let recorded = try await RecordedTransport(archive).ask("HEAD", Self.url)
    #expect(recorded.status == 404 && recorded.headers["content-length"] == "99")
  }

  @Test func `a recorded redirect is followed to its recorded target`() async throws {
    var redirect = Samples.entry("http://example.com/old", status: 302)
    redirect.response.redirectURL = "https://example.com/a"
    var archive = Samples.archive([("GET \(Self.url)", "there")])
    archive.entries.append(redirect)
    #expect(try await RecordedTransport(archive).ask("GET", "http://example.com/old").text == "there")
  }

  @Test func `the recorded server time delays a response only when asked to`() async throws {
    let timings = HTTPArchive.Timings(wait: .seconds(5))
    let archive = HTTPArchive(entries: [Samples.entry(Self.url, timings: timings)])
    func elapsed(_ time: RecordedTransport.ServerTime) async throws -> Duration {
      let transport = try RecordedTransport(archive, serverTime: time)
      return try await Simulation("3G", seed: 1, transport: transport) { try await $0.ask("GET", Self.url).status }
        .elapsed
    }
    let without = try await elapsed(.none)
    #expect(without < .seconds(5))
    #expect(try await elapsed(.recorded) >= without + .seconds(5))
  }

  @Test func `a replay with one seed has the same events in each run`() async throws {
    let transport = try RecordedTransport(
      Samples.archive([("GET \(Self.url)", String(repeating: "x", count: 200_000)), ("GET \(Self.url)", "2")]))
    func run() async throws -> Simulation<Int> {
      try await Simulation("tunnel", seed: 7, transport: transport.rewound()) { network in
        let first = try await network.ask("GET", Self.url)
        return try await first.data.count + network.ask("GET", Self.url).data.count
      }
    }
    let first = try await run()
    #expect(first.value == 200_001 && first.elapsed > .milliseconds(100))
    #expect(try await run().traceHash == first.traceHash)
  }

  // MARK: Failures

  @Test(arguments: [
    ("net::ERR_NAME_NOT_RESOLVED", URLError.Code.cannotFindHost), ("net::ERR_CONNECTION_REFUSED", .cannotConnectToHost),
    ("timedOut", .timedOut), ("URLError -1012", .userCancelledAuthentication),
    ("something else", .networkConnectionLost),
    ("", .networkConnectionLost),
  ])
  func `a recorded failure is replayed as its URLError`(text: String, code: URLError.Code) async throws {
    var entry = Samples.entry(Self.url, status: 0)
    entry.response.error = text
    let transport = try RecordedTransport(HTTPArchive(entries: [entry]))
    await #expect(performing: { try await transport.ask("GET", Self.url) }, throws: { ($0 as? URLError)?.code == code })
    #expect(transport.notes.count == (text.isEmpty ? 1 : 0))
  }

  @Test(arguments: [
    ("net::ERR_ABORTED", RecordedFailure.Kind.silence), ("cancelled", .silence), ("ERR_ABORTED", .silence),
    ("net::ERR_TIMED_OUT", .error(.timedOut)), ("ERR_SSL_PROTOCOL_ERROR", .error(.secureConnectionFailed)),
    ("URLError -1001", .error(.timedOut)), ("URLError x", .error(.networkConnectionLost)),
  ])
  func `a recorded error text decides how its replay ends`(text: String, kind: RecordedFailure.Kind) {
    #expect(RecordedFailure.kind(of: text) == kind)
  }

  @Test(arguments: [
    (0, "there was no response"), (99, "there was no response"), (100, "status 100 does not end an exchange"),
  ])
  func `a recorded status below 100 counts as no response`(status: Int, note: String) throws {
    let transport = try RecordedTransport(HTTPArchive(entries: [Samples.entry(Self.url, status: status)]))
    #expect(transport.notes.map(\.text).first?.hasPrefix(note) == true)
  }

  @Test func `a response that broke off when recorded breaks off after the same bytes when replayed`() async throws {
    var entry = Samples.entry(
      Self.url, headers: [.init("Content-Length", "100")], content: .init(size: 3, text: "abc"))
    entry.response.error = "networkConnectionLost"
    let network = SimulatedNetwork(
      "unlimited", pace: .immediate, transport: try RecordedTransport(HTTPArchive(entries: [entry])))
    let (bytes, response) = try await network.bytes(from: URL(string: Self.url)!)
    #expect(response.expectedContentLength == 100)
    var received = Data()
    await #expect(throws: URLError.self) { for try await chunk in bytes.chunks { received += chunk } }
    #expect(received == Data("abc".utf8))
    network.invalidate()
  }

  @Test func `a request that the recorded client cancelled gets no response and times out`() async throws {
    var entry = Samples.entry(Self.url, status: 0)
    entry.response.error = "cancelled"
    let transport = try RecordedTransport(HTTPArchive(entries: [entry]))
    await #expect(
      performing: { try await transport.ask("GET", Self.url) }, throws: { ($0 as? URLError)?.code == .timedOut })
    #expect(transport.notes.count == 1)
  }

  @Test(arguments: [
    (
      "https://example.com/a?ts=2",
      "recorded has no GET https://example.com/a?ts=2; the nearest of its 2 requests: GET https://example.com/a?ts=1, POST https://example.com/orders; only the query differs, which ignoringQueryItems(_:) or ignoringQuery() ignores."
    ),
    (
      "http://localhost:8080/a?ts=1",
      "recorded has no GET http://localhost:8080/a?ts=1; the nearest of its 2 requests: GET https://example.com/a?ts=1, POST https://example.com/orders; only the host differs, which ignoringOrigin() ignores."
    ),
    (
      "https://example.com/orders",
      "recorded has no GET https://example.com/orders; the nearest of its 2 requests: POST https://example.com/orders, GET https://example.com/a?ts=1; only the method differs."
    ),
  ])
  func `the error for a request without a recording names similar requests`(url: String, text: String) async throws {
    let json = Samples.archive([("GET https://example.com/a?ts=1", ""), ("POST https://example.com/orders", "")]).json
    let transport = try RecordedTransport(HTTPArchive(json: json, file: "recorded"))
    await #expect(
      performing: { try await transport.ask("GET", url) },
      throws: {
        ($0 as? URLError)?.code == .resourceUnavailable
          && $0.localizedDescription == "\(text) (netcond explain no-recording)"
      })
  }

  @Test func `the error of an empty recording says that it has no entries`() async throws {
    let transport = try RecordedTransport(HTTPArchive())
    await #expect(
      performing: { try await transport.ask("GET", Self.url) },
      throws: {
        $0.localizedDescription
          == "archive has no GET https://example.com/a: it has no entries. (netcond explain no-recording)"
      })
  }

  @Test func `a 304 has no Location, and a header that is a placeholder is left out`() async throws {
    var entry = Samples.entry(
      Self.url, status: 304, headers: [.init("X-Key", Redaction.placeholder), .init("X-A", "b")])
    entry.response.redirectURL = "https://example.com/b"
    let answer = try await RecordedTransport(HTTPArchive(entries: [entry])).ask("GET", Self.url)
    #expect(answer.status == 304 && answer.headers["location"] == nil)
    #expect(answer.headers["x-key"] == nil && answer.headers["x-a"] == "b")
  }

  @Test func `in an error a similar URL is listed before the same URL with another method`() async throws {
    let entries = [Samples.entry("https://example.com/b"), Samples.entry(Self.url, method: "POST")]
    let transport = try RecordedTransport(HTTPArchive(entries: entries))
    do {
      _ = try await transport.ask("GET", Self.url)
      Issue.record("it was answered")
    } catch {
      #expect("\(error.localizedDescription)".contains("GET https://example.com/b, POST https://example.com/a"))
    }
  }

  @Test func `a recording that answers each request once names the request that follows`() async throws {
    let transport = try RecordedTransport(Samples.archive([("GET http://x.example/a", "text")]), then: .fail)
    #expect(try await transport.ask("GET", "http://x.example/a").status == 200)
    await #expect(
      performing: { try await transport.ask("GET", "http://x.example/a") },
      throws: { $0.localizedDescription.contains("answers GET http://x.example/a once; this was request 2.") })
  }
}
