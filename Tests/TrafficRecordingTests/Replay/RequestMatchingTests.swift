import Foundation
import NetworkConditions
import Testing

@testable import TrafficRecording

@Suite(.timeLimit(.minutes(10)))
struct RequestMatchingTests {
  @Test(arguments: [
    ("HTTP://Example.COM:80", "http://example.com/"), ("https://x.example:443/a#b", "https://x.example/a"),
    ("https://x.example/%7ea/%c3%a9 b|", "https://x.example/~a/%C3%A9%20b%7C"),
    ("https://x.example/é", "https://x.example/%C3%A9"),
    ("https://u:p@x.example/", "https://x.example/"), ("https://x.example?q", "https://x.example/?q"),
    ("http://[::1]:8080/", "http://[::1]:8080/"), ("http://x.example:/a", "http://x.example/a"),
    // Only a scheme's own port can be left out.
    ("http://x.example:443/", "http://x.example:443/"), ("https://x.example:80/", "https://x.example:80/"),
  ])
  func `differently written forms of a URL are normalised to the same text`(one: String, other: String) {
    #expect(URLText(one).shown == other)
    #expect(URLText(other).shown == other)
  }

  @Test func `matching can ignore query items by name or the whole query`() async throws {
    let archive = Samples.archive([("GET http://x.example/?a=1&ts=5", "a1"), ("GET http://x.example/?a=2&ts=6", "a2")])
    let byName = try RecordedTransport(archive, matching: .standard.ignoringQueryItems("ts", "no nce"))
    #expect(try await byName.ask("GET", "http://x.example/?a=2&no%20nce=7").text == "a2")
    #expect(try await byName.ask("GET", "http://x.example/?ts=9&a=1").text == "a1")
    let all = try RecordedTransport(archive, matching: .standard.ignoringQuery())
    #expect(try await all.ask("GET", "http://x.example/").text == "a1")
    #expect(try await all.ask("GET", "http://x.example/?z").text == "a2")
  }

  @Test func `repeated calls of a matching modifier add up`() {
    let items = RequestMatching.standard.ignoringQueryItems("a", "b").ignoringQueryItems("c")
    #expect(items.ignoredQueryItems == ["a", "b", "c"])
    #expect(RequestMatching.standard.matchingHeaders("B").matchingHeaders("A", "c").headers == ["a", "b", "c"])
  }

  @Test func `matching can ignore the origin of a URL`() async throws {
    let transport = try RecordedTransport(
      Samples.archive([("GET https://api.example.com/feed?x=1", "feed")]), matching: .standard.ignoringOrigin())
    #expect(try await transport.ask("GET", "http://127.0.0.1:8080/feed?x=1").text == "feed")
  }

  @Test func `a request without a body has the key of one with an empty body`() {
    func key(_ body: Data?) -> RequestKey {
      RequestKey(method: "post", url: URLText("http://x.example/"), body: body, matching: .standard.matchingBody())
    }
    #expect(key(nil) == key(Data()) && key(nil) != key(Data("x".utf8)))
  }

  @Test func `matching can compare request bodies`() async throws {
    var archive = Samples.archive([
      ("POST http://x.example/", "one"), ("POST http://x.example/", "two"), ("POST http://x.example/", "three"),
    ])
    archive.entries[0].request.body = .init(mimeType: "text/plain", text: "1")
    archive.entries[1].request.body = .init(mimeType: "application/octet-stream", text: "/w==", encoding: "base64")
    archive.entries[2].request.body = .init(mimeType: "", parameters: [.init("a", "b"), .init("c", "d")])
    let transport = try RecordedTransport(archive, matching: .standard.matchingBody())
    #expect(try await transport.ask("POST", "http://x.example/", body: Data([0xFF])).text == "two")
    #expect(try await transport.ask("POST", "http://x.example/", body: Data("1".utf8)).text == "one")
    #expect(try await transport.ask("POST", "http://x.example/", body: Data("a=b&c=d".utf8)).text == "three")
    await #expect(
      performing: { try await transport.ask("POST", "http://x.example/", body: Data("9".utf8)) },
      throws: {
        $0.localizedDescription.hasPrefix("archive has no POST http://x.example/ with the same body")
      })
  }

  @Test func `matching can compare header fields, and a redacted field matches any value`() async throws {
    var archive = Samples.archive([("GET http://x.example/", "en"), ("GET http://x.example/", "de")])
    archive.entries[0].request.headers = [
      .init("accept-language", "en"), .init("Authorization", "<redacted>", isRedacted: true),
    ]
    archive.entries[1].request.headers = [
      .init("Accept-Language", "de"), .init("Authorization", "<redacted>", isRedacted: true),
    ]
    let transport = try RecordedTransport(
      archive, matching: .standard.matchingHeaders("Accept-Language", "authorization"))
    let german = ["Accept-Language": "de", "Authorization": "Bearer x"]
    #expect(try await transport.ask("GET", "http://x.example/", headers: german).text == "de")
    #expect(try await transport.ask("GET", "http://x.example/", headers: ["Accept-Language": "en"]).text == "en")
    #expect(transport.notes.map(\.entry) == transport.notes.map(\.entry).sorted() && transport.notes.count == 2)
    archive.entries[0].request.headers.removeLast()
    archive.entries[1].request.headers.removeLast()
    #expect(try RecordedTransport(archive, matching: .standard.matchingHeaders("Accept-Language")).notes.isEmpty)
  }

  @Test(arguments: [
    ("https://fonts.example/css?family=Open%20Sans|Roboto", "https://fonts.example/css?family=Open%20Sans%7CRoboto"),
    ("https://b\u{FC}cher.example:8080/a", "https://xn--bcher-kva.example:8080/a"),
    ("https://B\u{DC}CHER.example:443/a\"b%20", "https://xn--bcher-kva.example/a%22b%20"),
  ])
  func `a recorded entry is found under another spelling of its URL`(recorded: String, requested: String) async throws {
    let transport = try RecordedTransport(Samples.archive([("GET \(recorded)", "found")]))
    #expect(try await transport.ask("GET", requested).text == "found")
  }
}
