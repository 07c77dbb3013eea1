import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkProxy

/// Several requests on one connection of a client.
struct KeptConnectionTests {
  private static let get = "GET http://192.0.2.1/ HTTP/1.1\r\n\r\n"
  private static let post = "POST http://192.0.2.1/ HTTP/1.1\r\nContent-Length: 5\r\n"
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

  /// A proxy whose server answers each request after it has received the whole request.
  private static func bench(_ faults: RequestFault...) -> ProxyBench {
    let bench = ProxyBench(.plain(faults.map { FaultRule($0) }))
    bench.server = { heard in
      let text = String(decoding: heard, as: UTF8.self)
      return text.hasPrefix("GET") || text.hasSuffix("body!") ? Array(answer.utf8) : nil
    }
    return bench
  }

  @Test func `the body of a delayed request on a kept connection reaches the server after its head`() {
    let bench = Self.bench(.delay(.seconds(2)))
    let client = bench.client(Self.get)
    bench.run(for: .seconds(5))
    bench.say(Self.post + "\r\n", client)
    bench.run(for: .seconds(1))
    bench.say("body!", client)
    bench.run(for: .seconds(5))
    #expect(bench.text(client) == Self.answer + Self.answer)
    let heard = "POST / HTTP/1.1\r\nHost: 192.0.2.1\r\nContent-Length: 5\r\n\r\nbody!"
    #expect(bench.servers.map(bench.text).joined().hasSuffix(heard))
  }

  @Test func `each request on a kept connection uses the link of the rule that matches it`() {
    let slow = NetworkProfile(name: "slow", down: LinkConditions(delay: .seconds(2)))
    let rule = ProfileRule(match: RequestMatch(path: "/slow"), use: slow)
    let bench = ProxyBench(NetworkProfile(name: "mine", rules: [rule]))
    bench.server = { _ in Array(Self.answer.utf8) }
    let client = bench.client(Self.get)
    #expect(bench.text(client) == Self.answer)
    bench.say(Self.get.replacing("192.0.2.1/", with: "192.0.2.1/slow"), client)
    bench.run(for: .seconds(1))
    #expect(bench.text(client) == Self.answer)
    bench.run(for: .seconds(5))
    #expect(bench.text(client) == Self.answer + Self.answer)
  }

  @Test(arguments: ["\u{4}", "\u{5}"])
  func `a connection speaks SOCKS from its first byte on or not at all`(version: String) {
    let bench = Self.bench()
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    bench.say("\(version)\u{1}\r\n\r\n", client)
    bench.run(for: .seconds(1))
    #expect(bench.text(client).hasPrefix(Self.answer + "HTTP/1.1 400"), "\(bench.text(client))")
    // SOCKS4 is refused with its own code, 0x5B, and SOCKS5 without a method with 0xFF.
    let other = bench.client("\(version)\u{1}\u{1}")
    bench.run(for: .seconds(1))
    #expect(bench.sockets.ends[other]?.outgoing.prefix(2) == (version == "\u{4}" ? [0, 0x5B] : [5, 0xFF]))
  }

  @Test(arguments: [("", 1), ("more", 2)])
  func `a server that sends bytes behind its answer gets no further request on that connection`(
    more: String, connections: Int
  ) {
    let bench = ProxyBench(.plain([]))
    bench.server = { _ in Array((Self.answer + more).utf8) }
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    bench.say(Self.get, client)
    bench.run(for: .seconds(5))
    #expect(bench.text(client) == Self.answer + Self.answer && bench.servers.count == connections)
  }

  @Test(arguments: ["1.0", "1.1"])
  func `an interim response is passed on only to a client of HTTP 1.1`(version: String) {
    let early = "HTTP/1.1 103 Early Hints\r\n\r\n"
    let bench = ProxyBench(.plain([]))
    bench.server = { _ in Array((early + Self.answer).utf8) }
    let client = bench.client("GET http://192.0.2.1/ HTTP/\(version)\r\n\r\n")
    bench.run(for: .seconds(1))
    #expect(bench.text(client).hasPrefix(early) == (version == "1.1"))
    #expect(bench.text(client).hasSuffix("\r\n\r\nhello"))
  }

  @Test func `if a client ends its stream during a delay fault, the proxy closes it and sends nothing to the server`() {
    let bench = Self.bench(.delay(.seconds(2)))
    let client = bench.client(Self.get)
    bench.run(for: .seconds(5))
    bench.say(Self.get, client)
    bench.end(client)
    bench.run(for: .seconds(5))
    #expect(bench.sockets.ends[client]?.wasClosed == true)
    #expect(bench.servers.map(bench.text).joined().ranges(of: "GET").count == 1)
    #expect(bench.timeline.transfers.map(\.outcome) == [.finished, .cancelled])
  }

  @Test func `a forward passes on the bytes that its client sent during a delay fault, once`() {
    let bench = Self.bench(.delay(.seconds(2)))
    let client = bench.client("", .forward(.init(host: "192.0.2.1", port: 80), name: "db", link: nil))
    bench.run(for: .seconds(1))
    bench.say("early", client)
    bench.run(for: .seconds(5))
    bench.say(" late", client)
    bench.run(for: .seconds(5))
    #expect(bench.servers.map(bench.text) == ["early late"])
  }

  @Test func `an incomplete response head reaches the client when the server closes after it`() {
    let bench = ProxyBench(.plain(), greeting: "HTTP/1.1 20")
    bench.leaves = true
    let client = bench.client(Self.get)
    bench.run(for: .seconds(5))
    #expect(bench.text(client) == "HTTP/1.1 20")
  }

  @Test func `a client that pipelines requests and ends its stream gets all answers, then the end`() {
    let bench = Self.bench()
    let client = bench.client(Self.get + Self.get + Self.get)
    bench.end(client)
    bench.run(for: .seconds(5))
    #expect(bench.text(client) == Self.answer + Self.answer + Self.answer)
    #expect(bench.sockets.ends[client]?.saidEnd == true)
    #expect(bench.sockets.ends[client]?.wasClosed == true && bench.sockets.ends[client]?.wasReset == false)
    #expect(bench.timeline.transfers.map(\.outcome) == [.finished, .finished, .finished])
  }

  @Test func `a client that ends its stream after its request is closed after the profile's answer`() {
    let bench = Self.bench(.status(code: 503))
    let client = bench.client(Self.get)
    bench.end(client)
    bench.run(for: .seconds(5))
    #expect(bench.text(client).hasPrefix("HTTP/1.1 503 "))
    #expect(bench.sockets.ends[client]?.wasClosed == true && bench.sockets.ends[client]?.wasReset == false)
  }

  @Test func `a profile's fault answer to a HEAD request has no body`() {
    let bench = Self.bench(.status(code: 200, page: "<p>No.</p>"))
    let client = bench.client(Self.get.replacing("GET", with: "HEAD"))
    bench.run(for: .seconds(1))
    let head = "Content-Length: 10\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    #expect(bench.text(client) == "HTTP/1.1 200 OK\r\n" + head)
    #expect(bench.timeline.transfers.map(\.bytesReceived) == [0])
  }

  @Test func `a client that waits for 100 Continue gets the profile's fault answer without sending its body`() {
    let bench = Self.bench(.status(code: 503))
    let client = bench.client(Self.post + "Expect: 100-continue\r\n\r\n")
    bench.run(for: .seconds(1))
    #expect(bench.text(client).hasPrefix("HTTP/1.1 503 "))
    #expect(bench.text(client).contains("\r\nConnection: close\r\n"))
    #expect(bench.sockets.ends[client]?.saidEnd == true)
  }

  @Test func `a tunnel on a kept connection whose last server has just closed carries both directions`() {
    let bench = Self.bench()
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    // The end is still on its way to the client.
    bench.end(bench.servers[0])
    bench.greeting = Array("220 hello\r\n".utf8)
    bench.say("CONNECT 192.0.2.1:25 HTTP/1.1\r\n\r\n", client)
    bench.run(for: .seconds(5))
    #expect(bench.text(client).hasSuffix("Connection established\r\n\r\n220 hello\r\n"))
    bench.say("EHLO", client)
    bench.run(for: .seconds(5))
    #expect(bench.servers.last.map(bench.text) == "EHLO")
  }

  @Test func `a later request on a kept connection has the same time limit as the first`() {
    let bench = Self.bench()
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    bench.core.uptime += 2 * ProxyCore.patience
    bench.core.sweep()
    bench.say("GET http://192", client)
    bench.core.uptime += ProxyCore.patience - 1
    bench.core.sweep()
    #expect(bench.text(client) == Self.answer)
    bench.core.uptime += 1
    bench.core.sweep()
    #expect(bench.text(client).hasPrefix(Self.answer + "HTTP/1.1 408 "))
  }

  @Test(arguments: [NetworkProfile.unlimited, .plain()])
  func `a request whose client and server both close before an answer has failed`(profile: NetworkProfile) {
    let bench = ProxyBench(profile)
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    bench.end(client)
    bench.run(for: .seconds(1))
    bench.end(bench.servers[0])
    bench.run(for: .seconds(1))
    #expect(bench.timeline.transfers.map(\.outcome) == [.failed(.networkConnectionLost)])
    #expect(bench.sockets.ends[client]?.wasClosed == true)
  }
}
