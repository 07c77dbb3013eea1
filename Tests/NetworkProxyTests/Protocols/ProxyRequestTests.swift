import Testing

@testable import NetworkProxy

struct ProxyRequestTests {
  private func request(_ line: String, _ fields: String = "") throws -> ProxyRequest? {
    try HTTPHead(Array("\(line)\r\n\(fields)\r\n".utf8)[...]).map { try ProxyRequest($0) }
  }

  private func status(_ line: String) -> Int? {
    do { return try request(line).map { _ in 200 } } catch { return (error as? HTTPError)?.status }
  }

  @Test func `a CONNECT target needs a port from 1 to 65535`() {
    for (target, wanted) in [
      ("a:1", 200), ("a:65535", 200), ("a:0", 400), ("a:65536", 400), ("a:", 400), ("a", 400), ("a:x", 400),
      ("[::1]:1", 200), ("[::1:1", 400),
    ] { #expect(status("CONNECT \(target) HTTP/1.1") == wanted, "\(target)") }
  }

  @Test func `a request in an unsupported HTTP version gets a 505`() {
    for (version, wanted) in [("1.1", 200), ("1.0", 200), ("2.0", 505), ("0.9", 505), ("1.10", 505)] {
      #expect(status("GET http://a/ HTTP/\(version)") == wanted, "\(version)")
    }
  }

  @Test func `a method has up to 64 characters`() {
    for (count, wanted) in [(1, 200), (64, 200), (65, 400)] {
      #expect(status("\(String(repeating: "A", count: count)) http://a/ HTTP/1.1") == wanted)
    }
  }

  @Test(arguments: [("1.1", true, false), ("1.0", false, true)])
  func `a client waits for 100 Continue in HTTP/1.1, and HTTP/1.0 closes after each request`(
    version: String, waits: Bool, closes: Bool
  ) throws {
    let asked = try #require(try request("PUT http://a/ HTTP/\(version)", "Host: a\r\nExpect: 100-continue\r\n"))
    #expect(asked.expectsContinue == waits && asked.closes == closes && asked.isOld == closes)
  }
  @Test func `a target has only visible characters`() {
    for (character, wanted) in [("!", 200), ("~", 200), ("é", 200), ("\t", 400), ("\u{1F}", 400), ("\u{7F}", 400)] {
      #expect(status("GET http://a/\(character) HTTP/1.1") == wanted, "\(character)")
    }
  }

  @Test func `the forwarded Host field contains the port unless it is 80`() throws {
    for (target, host) in [
      ("a", "a"), ("a:80", "a"), ("a:8080", "a:8080"), ("[::1]:80", "[::1]"), ("[::1]:81", "[::1]:81"),
    ] {
      let asked = try #require(try request("GET http://\(target)/x HTTP/1.1"))
      #expect(String(decoding: asked.forwarded, as: UTF8.self) == "GET /x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(asked.kind == .fetch(url: "http://\(host)/x"))
    }
  }

  @Test func `a request head with more than 256 fields is refused`() throws {
    func fields(_ count: Int) throws -> Int? {
      let bytes = Array(("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: count) + "\r\n").utf8)
      return try HTTPHead(bytes[...])?.fields.all.count
    }
    #expect(try fields(256) == 256)
    #expect(throws: HTTPError("The head has more than 256 fields.", status: 431)) { try fields(257) }
  }

  @Test func `a request head longer than 64 KiB is refused, whether it is complete or not`() throws {
    func head(_ count: Int, end: String) throws -> Int? {
      let start = "GET / HTTP/1.1\r\nA: "
      let text = start + String(repeating: "b", count: count - start.utf8.count - end.utf8.count) + end
      return try HTTPHead(Array(text.utf8)[...])?.byteCount
    }
    #expect(try head(65_536, end: "\r\n\r\n") == 65_536)
    #expect(try head(65_536, end: "") == nil)
    for end in ["\r\n\r\n", ""] {
      #expect(throws: HTTPError("The head is longer than 64 KiB.", status: 431)) { try head(65_537, end: end) }
    }
  }

  @Test func `OPTIONS of a whole server is sent with a star`() throws {
    func line(_ target: String) throws -> String {
      let head = try HTTPHead(Array("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...])
      let request = try ProxyRequest(try #require(head))
      return String(decoding: request.forwarded.prefix { $0 != 13 }, as: UTF8.self)
    }
    // RFC 9112, section 3.2.4.
    #expect(try line("http://example.com") == "OPTIONS * HTTP/1.1")
    #expect(try line("http://example.com/") == "OPTIONS / HTTP/1.1")
    #expect(try line("http://example.com?a") == "OPTIONS /?a HTTP/1.1")
  }

  @Test func `a target that is not UTF-8 is refused instead of changed`() throws {
    let bytes = Array("GET http://example.com/".utf8) + [0xE4] + Array(" HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8)
    #expect(throws: HTTPError("The first line is not UTF-8; write other bytes with percent signs.")) {
      try HTTPHead(bytes[...]).map { try ProxyRequest($0) }
    }
    // A server's reason phrase may have any encoding.
    let answer = Array("HTTP/1.1 200 ".utf8) + [0xE4] + Array("\r\n\r\n".utf8)
    #expect(try HTTPHead(answer[...], ofAnswer: true) != nil)
  }
}
