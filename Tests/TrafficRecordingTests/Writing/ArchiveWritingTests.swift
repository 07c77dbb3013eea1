import Foundation
import Testing

@testable import TrafficRecording

struct ArchiveWritingTests {
  static let full = HTTPArchive(
    browser: HTTPArchive.Creator(name: "b", version: "1"),
    pages: [HTTPArchive.Page(started: Date(timeIntervalSince1970: 1), id: "p", title: "t", loaded: .milliseconds(3))],
    entries: [
      HTTPArchive.Entry(
        started: Date(timeIntervalSince1970: 1_700_000_000.25),
        request: HTTPArchive.Request(
          method: "POST", url: "https://x.example/?a=1",
          headers: [.init("Authorization", "<redacted>", isRedacted: true)],
          cookies: [.init("c", "<redacted>", isRedacted: true)], query: [.init("a", "1")],
          body: HTTPArchive.PostData(mimeType: "x/y", text: "AAE=", encoding: "base64"), bodyBytes: 2),
        response: HTTPArchive.Response(
          status: 201,
          cookies: [
            .init("c", "1", path: "/", domain: "x", expires: "2026-01-31T00:00:00Z", isHTTPOnly: true, isSecure: false)
          ],
          content: HTTPArchive.Content(size: 12, mimeType: "text/plain", text: "a\"\\\n\r\t\u{1}é\u{2028}"),
          bodyBytes: 9,
          error: "networkConnectionLost"),
        timings: HTTPArchive.Timings(
          blocked: .nanoseconds(1), dns: .milliseconds(20), connect: .nanoseconds(123_456_789), send: .zero,
          wait: .seconds(3), receive: .microseconds(7), tls: .milliseconds(60)),
        pageID: "p", serverAddress: "::1", connection: "7", comment: "c"),
      Samples.entry("http://x.example/"),
    ], comment: "all that there is")

  @Test func `a written archive is valid by the HAR specification`() throws {
    #expect(try ArchiveValidator.problems(Self.full.json) == [])
    #expect(try ArchiveValidator.problems(HTTPArchive().json) == [])
    #expect(try ArchiveValidator.problems(HTTPArchive(json: Samples.browser).json) == [])
  }

  @Test func `a written archive reads back equal`() throws {
    let read = try HTTPArchive(json: Self.full.json)
    var expected = Self.full
    // An entry without a date is written with a default date.
    expected.entries[1].started = Date(timeIntervalSince1970: 0)
    #expect(read == expected)
    #expect(try HTTPArchive(json: read.json) == read)
  }

  @Test func `an archive's times are written exactly, and their sum is the total`() {
    let text = String(decoding: Self.full.json, as: UTF8.self)
    #expect(text.contains(#""time": 3143.46379, "#))
    #expect(text.contains(#""blocked": 0.000001, "dns": 20, "connect": 123.456789, "send": 0, "wait": 3000, "#))
  }

  @Test func `the archive validator of these tests finds each of eight mistakes`() throws {
    let text = String(decoding: Self.full.json, as: UTF8.self)
    for (right, wrong) in [
      (#""send": 0"#, #""send": -1"#), (#""time": 3"#, #""time": 4"#), (#""version": "1.2", "#, ""),
      (#""status": 201"#, #""status": "201""#), (#""cache""#, #""cash""#), (#""size": 12"#, #""size": 13"#),
      (#""ssl": 60"#, #""ssl": 600"#), ("20.250000Z", "20.25"),
    ] {
      #expect(text.contains(right), "\(right)")
      #expect(
        try !ArchiveValidator.problems(Data(text.replacing(right, with: wrong, maxReplacements: 1).utf8)).isEmpty,
        "\(wrong)")
    }
  }
}
