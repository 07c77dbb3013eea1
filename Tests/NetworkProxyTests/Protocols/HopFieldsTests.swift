import LinkSimulator
import NetworkConditions
import Testing

@testable import NetworkProxy

/// Hop-by-hop fields, and connections that end after a response (RFC 9110, section 7.6.1; RFC 9112, section 9.6).
struct HopFieldsTests {
  private static let line = "GET http://example.test/ HTTP/1.1\r\nHost: example.test\r\n"

  /// The bytes that the server receives for a request with these fields.
  private static func forwarded(_ fields: String, version: String = "1.1") -> String {
    let bench = ProxyBench(.unlimited)
    _ = bench.client("GET http://example.test/ HTTP/\(version)\r\nHost: example.test\r\n\(fields)\r\n")
    return bench.servers.map(bench.text).first ?? "nothing"
  }

  @Test func `hop-by-hop fields and fields that Connection names do not reach the server`() {
    let start = "GET / HTTP/1.1\r\nHost: example.test\r\n"
    #expect(Self.forwarded("Connection: X-Secret\r\nX-Secret: a\r\nB: c\r\n") == start + "B: c\r\n\r\n")
    #expect(
      Self.forwarded("x-one: 1\r\nconnection: X-One,x-TWO\r\nX-Two: 2\r\nConnection: keep-alive\r\n") == start + "\r\n")
    #expect(
      Self.forwarded(
        "Keep-Alive: 5\r\nTE: trailers\r\nProxy-Connection: x\r\nProxy-Authorization: y\r\nUpgrade: z\r\nA: b\r\n")
        == start + "A: b\r\n\r\n")
    #expect(Self.forwarded("Connection: close, X-Secret\r\nX-Secret: a\r\n") == start + "Connection: close\r\n\r\n")
    #expect(
      Self.forwarded("Upgrade: websocket\r\nConnection: keep-alive, Upgrade, X\r\nX: y\r\n")
        == start + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    #expect(
      Self.forwarded("Connection: keep-alive\r\nUpgrade: x\r\n", version: "1.0")
        == "GET / HTTP/1.0\r\nHost: example.test\r\n\r\n")
    #expect(
      Self.forwarded("Connection: upgrade\r\nUpgrade: x\r\n", version: "1.0")
        == "GET / HTTP/1.0\r\nHost: example.test\r\n\r\n")
  }

  @Test func `non-ASCII bytes in a header field are forwarded unchanged both ways`() {
    let bench = ProxyBench(.unlimited)
    let field = Array("X: ".utf8) + [0xE9, 0xFF] + Array("\r\n".utf8)
    bench.server = { _ in
      Array("HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n".utf8) + field + Array("\r\n".utf8)
    }
    let client = bench.client()
    bench.say(Array(Self.line.utf8) + field + Array("\r\n".utf8), client)
    #expect(bench.sockets.ends[bench.servers[0]]?.outgoing.suffix(field.count + 2) == field + [13, 10])
    #expect(bench.sockets.ends[client]?.outgoing.suffix(field.count + 2) == field + [13, 10])
  }

  @Test func `hop-by-hop fields of the server do not reach the client`() {
    for (fields, wanted) in [
      ("Connection: keep-alive\r\nKeep-Alive: timeout=5\r\nA: b\r\n", "A: b\r\n"),
      ("Connection: X-Secret\r\nX-Secret: a\r\nA: b\r\n", "A: b\r\n"),
      ("Connection: close, X\r\nX: y\r\n", "Connection: close\r\n"),
      ("A:  b\r\n", "A:  b\r\n"), ("Connection: close\r\n", "Connection: close\r\n"),
    ] {
      let bench = ProxyBench(.unlimited)
      bench.server = { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(fields)\r\nhi".utf8) }
      let client = bench.client(Self.line + "\r\n")
      #expect(bench.text(client) == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(wanted)\r\nhi")
    }
  }

  @Test(arguments: [
    ("HTTP/1.1", "Connection: close\r\n", "HTTP/1.1 200 OK\r\n"), ("HTTP/1.0", "", "HTTP/1.1 200 OK\r\n"),
    ("HTTP/1.0", "Connection: keep-alive\r\n", "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n"),
    ("HTTP/1.1", "", "HTTP/1.1 200 OK\r\nConnection: close\r\n"), ("HTTP/1.1", "", "HTTP/1.0 200 OK\r\n"),
    ("HTTP/1.1", "Connection: close\r\n", "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n"),
  ])
  func `the proxy closes the client's connection after a last response`(
    version: String, fields: String, answer: String
  ) throws {
    for profile in [NetworkProfile.unlimited, .plain()] {
      let bench = ProxyBench(profile)
      var count = 0
      bench.server = { _ in
        count += 1
        return Array("\(answer)Content-Length: 5\r\n\r\nhello".utf8)
      }
      let get = "GET http://192.0.2.1/ \(version)\r\nHost: 192.0.2.1\r\n\(fields)\r\n"
      let client = bench.client(get + get)
      bench.run(for: .seconds(2))
      #expect(bench.text(client).hasSuffix("\r\n\r\nhello"))
      let isOld = answer.hasPrefix("HTTP/1.0")
      #expect(bench.text(client).contains("\r\nConnection: close\r\n") != isOld)
      #expect(!bench.text(client).contains("keep-alive"))
      #expect(bench.sockets.ends[client]?.saidEnd == true)
      #expect(count == 1)
      #expect(bench.timeline.transfers.map(\.outcome) == [.finished])
      bench.end(client)
      bench.run(for: .seconds(2))
      #expect(bench.sockets.ends[client]?.wasClosed == true && bench.sockets.ends[client]?.wasReset == false)
      #expect(bench.servers.map { bench.sockets.ends[$0]?.wasClosed } == [true])
    }
  }

  @Test func `a client that keeps sending after its last request is closed after a time limit`() {
    let bench = ProxyBench(.unlimited)
    bench.server = { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8) }
    let client = bench.client(Self.line + "Connection: close\r\n\r\n")
    for _ in 0..<2 {
      bench.say([UInt8](repeating: 65, count: 100_000), client)
      bench.core.uptime += ProxyCore.closeDelay / 2
    }
    bench.core.sweep()
    #expect(bench.sockets.ends[client]?.wasClosed == true)
  }

  @Test func `the proxy reads an unfinished request body before it ends the connection`() {
    let bench = ProxyBench(.plain())
    let client = bench.client(
      "POST http://192.0.2.1/ HTTP/1.1\r\nHost: 192.0.2.1\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhello")
    bench.run(for: .seconds(1))
    bench.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", bench.servers[0])
    bench.run(for: .seconds(1))
    #expect(bench.text(client).hasSuffix("hi") && bench.sockets.ends[client]?.saidEnd == false)
    bench.say("world", client)
    bench.run(for: .seconds(1))
    #expect(bench.text(bench.servers[0]).hasSuffix("helloworld"))
    #expect(bench.sockets.ends[client]?.saidEnd == true)
  }

  @Test func `after a status fault the proxy closes the connection if the client asked for Connection: close`() {
    let bench = ProxyBench(.plain([FaultRule(.status(code: 503))]))
    let client = bench.client(Self.line + "Connection: close\r\n\r\n")
    bench.run(for: .seconds(2))
    #expect(
      bench.text(client) == "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    #expect(bench.sockets.ends[client]?.saidEnd == true)
  }

  @Test func `interim responses reach only clients with HTTP/1.1`() {
    for (version, wanted) in [("1.1", 2), ("1.0", 1)] {
      let bench = ProxyBench(.unlimited)
      bench.server = { _ in Array("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n".utf8) }
      let client = bench.client("GET http://192.0.2.1/ HTTP/\(version)\r\n\r\n")
      #expect(bench.text(client).ranges(of: "HTTP/1.1 ").count == wanted)
    }
  }
}
