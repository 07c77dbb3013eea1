import LinkSimulator
import NetworkConditions
import Testing

@testable import NetworkProxy

/// Messages that two programs could read differently (RFC 9112, sections 6 and 7.1).
struct MessageFramingTests {
  private static let url = "POST http://example.test/ HTTP/1.1\r\nHost: example.test\r\n"

  /// Requests with ambiguous framing, each beside its flaw.
  static let heads = [
    "Content-Length:\r\n\r\n", "Content-Length: \r\n\r\nhello", "Content-Length: 5,\r\n\r\nhello",
    "Content-Length: 5, 5\r\n\r\nhello", "Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello",
    "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length: +5\r\n\r\nhello",
    "Content-Length: 0x5\r\n\r\nhello", "Content-Length: 5 5\r\n\r\nhello", "Content-Length: -5\r\n\r\nhello",
    "Content-Length: ５\r\n\r\nhello", "Content-Length: 5;\r\n\r\nhello", "Content-Length: 5\u{B}\r\n\r\nhello",
    "Content-Length: 99999999999999999999\r\n\r\nhello", "Content-Length : 5\r\n\r\nhello",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: 5\r\nTransfer-Encoding:\r\n\r\nhello", "Content-Length: 5\r\nTransfer-Encoding: ,\r\n\r\nhello",
    "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding:\r\n\r\n",
    "Transfer-Encoding: chunked,\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "X: y\r\r\nContent-Length: 5\r\n\r\nhello", "X: \u{0}\r\n\r\n", "Host: other.test\r\n\r\n",
    "Connection: Content-Length\r\nContent-Length: 5\r\n\r\nhello",
    "Connection: close, transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Connection: host\r\n\r\n",
  ]

  @Test(arguments: heads, ProxyBench.greetings)
  func `a request with ambiguous framing is refused with 400 and does not reach the server`(
    head: String, greeting: String
  ) {
    let bench = ProxyBench(.unlimited, greeting: greeting)
    let client = bench.client(Self.url + head + "GET http://example.test/second HTTP/1.1\r\n\r\n")
    #expect(bench.text(client).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(bench.text(client).contains("\r\nConnection: close\r\n"))
    #expect(bench.text(client).ranges(of: "HTTP/1.1 ").count == 1)
    #expect(bench.servers.isEmpty)
    #expect(bench.sockets.ends[client]?.saidEnd == true)
    bench.end(client)
    #expect(bench.sockets.ends[client]?.wasClosed == true)
  }

  @Test func `chunks in HTTP/1.0 are refused with 400, and unknown transfer codings with 501`() {
    for (text, status) in [
      ("POST http://a.test/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      ("POST http://a.test/ HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      ("POST http://a.test/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
      ("POST http://a.test/ HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
      ("GET http://a.test/\tb HTTP/1.1\r\n\r\n", 400),
    ] {
      let bench = ProxyBench(.unlimited)
      #expect(bench.text(bench.client(text)).hasPrefix("HTTP/1.1 \(status) "), "\(text)")
      #expect(bench.servers.isEmpty)
    }
  }

  /// Chunked bodies that two programs could read differently.
  static let chunks = [
    "5\r\nhello\r\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
    "\r\n\r\n", "5;a\nb\r\nhello\r\n0\r\n\r\n", "5\rX\r\nhello\r\n0\r\n\r\n", "5;\rhello\r\n0\r\n\r\n",
    "5;a\u{0}\r\nhello\r\n0\r\n\r\n",
    "0x5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n",
    "5 6\r\nhello\r\n0\r\n\r\n", "5_0\r\nhello\r\n0\r\n\r\n", "100000000000000000\r\nhello\r\n0\r\n\r\n", ";a\r\n\r\n",
    "0\r\n\r\r\n", "0\r\n\n", "0\r\nX y: z\r\n\r\n", "0\r\n X: y\r\n\r\n", "0\r\nX: y\rZ: a\r\n\r\n",
    "0\r\nnothing\r\n\r\n",
    "0\r\nX: y\n\r\n",
  ]

  @Test(arguments: chunks)
  func `a malformed chunk ends the client's connection with 400 and resets the server's`(chunks: String) {
    let head = Self.url + "Transfer-Encoding: chunked\r\n\r\n"
    // In one piece, and byte by byte.
    for pieces in [[chunks], chunks.unicodeScalars.map { String($0) }] {
      let bench = ProxyBench(.unlimited)
      let client = bench.client(head)
      for piece in pieces { bench.say(piece, client) }
      bench.say("GET http://example.test/second HTTP/1.1\r\n\r\n", client)
      #expect(bench.text(client).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(bench.sockets.ends[client]?.saidEnd == true)
      #expect(bench.servers.map { bench.sockets.ends[$0]?.wasReset } == [true])
      #expect(!bench.text(bench.servers[0]).contains("second"))
    }
  }

  @Test(arguments: [
    "5\r\nhello\r\n0\r\n\r\n", "0005;a=\"b;c\" ; d\r\nhello\r\n0\r\n\r\n", "5 \t\r\nhello\r\n0\r\nX: y\r\nZ:\r\n\r\n",
    "A\r\n0123456789\r\n0;x\r\n\r\n",
  ])
  func `valid chunks reach the server unchanged, and the next request follows`(chunks: String) {
    let head = Self.url + "Transfer-Encoding: chunked\r\n\r\n"
    for pieces in [[head + chunks], (head + chunks).unicodeScalars.map { String($0) }] {
      let bench = ProxyBench(.unlimited)
      let client = bench.client()
      for piece in pieces { bench.say(piece, client) }
      #expect(bench.servers.map(bench.text).first?.hasSuffix("\r\n\r\n" + chunks) == true)
      bench.say("HTTP/1.1 204 No Content\r\n\r\n", bench.servers[0])
      bench.say(Self.url + "Content-Length: 0\r\n\r\n", client)
      #expect(bench.text(bench.servers[0]).ranges(of: "POST / ").count == 2)
    }
  }

  // MARK: Answers

  @Test(arguments: [
    "Content-Length: x\r\n\r\n", "Content-Length:\r\n\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "Transfer-Encoding:\r\nContent-Length: 5\r\n\r\nhello", "X : \u{0}\r\n\r\n", "X: y\r\n Z: a\r\n\r\n",
    "nothing\r\n\r\n",
    "Connection: content-length\r\nContent-Length: 5\r\n\r\nhello",
  ])
  func `a response with ambiguous framing becomes 502 and ends both connections`(fields: String) {
    for profile in [NetworkProfile.unlimited, .plain()] {
      let bench = ProxyBench(profile)
      bench.server = { _ in Array(("HTTP/1.1 200 OK\r\n" + fields).utf8) }
      let client = bench.client("GET http://192.0.2.1/ HTTP/1.1\r\n\r\n")
      bench.run(for: .seconds(2))
      #expect(bench.text(client).hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
      #expect(bench.sockets.ends[client]?.saidEnd == true)
      #expect(bench.servers.map { bench.sockets.ends[$0]?.wasClosed } == [true])
      #expect(bench.timeline.transfers.map(\.outcome) == [.failed(.networkConnectionLost)])
    }
  }

  @Test func `redundant length fields of a response reach the client as one field`() {
    for (fields, wanted) in [
      (
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      ),
      ("Content-Length: 5\r\nA: b\r\nContent-Length: 5\r\n\r\nhello", "Content-Length: 5\r\nA: b\r\n\r\nhello"),
      ("Content-Length: 5, 5\r\n\r\nhello", "Content-Length: 5\r\n\r\nhello"),
      ("Content-Length : 5\n\nhello", "Content-Length: 5\r\n\r\nhello"),
    ] {
      let bench = ProxyBench(.unlimited)
      bench.server = { _ in Array(("HTTP/1.1 200 OK\r\n" + fields).utf8) }
      let client = bench.client("GET http://192.0.2.1/ HTTP/1.1\r\n\r\n")
      #expect(bench.text(client) == "HTTP/1.1 200 OK\r\n" + wanted)
    }
  }

  @Test func `an upgrade response without an upgrade request becomes 502`() {
    let bench = ProxyBench(.unlimited)
    bench.server = { _ in Array("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nfree".utf8) }
    #expect(bench.text(bench.client("GET http://192.0.2.1/ HTTP/1.1\r\n\r\n")).hasPrefix("HTTP/1.1 502 "))
  }
}
