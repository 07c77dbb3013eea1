import LinkSimulator
import NetworkConditions
import Testing

@testable import NetworkProxy

/// Tunnels to servers that send first, such as SSH, SMTP, FTP, MySQL and HTTP/2 servers.
struct SpeakingFirstTests {
  /// How a client reaches a server through the proxy; each way has its own reply of the proxy.
  enum Way: CaseIterable {
    case connect, socks, forward

    func client(of bench: ProxyBench) -> Int32 {
      switch self {
      case .connect: return bench.client("CONNECT example.test:25 HTTP/1.1\r\n\r\n")
      case .forward: return bench.client("", .forward(.init(host: "example.test", port: 25), link: nil))
      case .socks:
        let client = bench.client()
        bench.say([5, 1, 0, 5, 1, 0, 3, 12] + Array("example.test".utf8) + [0, 25], client)
        return client
      }
    }

    var reply: [UInt8] {
      switch self {
      case .connect: Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
      case .forward: []
      case .socks: [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
      }
    }
  }

  /// Greetings of a server: none, a short one, and one longer than the link takes at once.
  private static let greetings = ["", "220 hello\r\n", String(repeating: "hello ", count: 10_000)]
  private static let profiles = [
    NetworkProfile.unlimited, .plain(), .plain(loss: .independent(.percent(5))),
  ]

  @Test(arguments: Way.allCases, greetings)
  func `the client receives the proxy's reply and then the server's bytes in order`(way: Way, greeting: String) {
    for profile in Self.profiles {
      for seed in 0..<3 as Range<UInt64> {
        let bench = ProxyBench(profile, seed: seed)
        bench.greeting = Array(greeting.utf8)
        let client = way.client(of: bench)
        bench.run(for: .seconds(60))
        #expect(bench.sockets.ends[client]?.outgoing == way.reply + bench.greeting)
        bench.say("EHLO", client)
        bench.run(for: .seconds(10))
        #expect(bench.servers.map(bench.text) == ["EHLO"])
        bench.say("250 ok", bench.servers[0])
        bench.run(for: .seconds(10))
        #expect(bench.sockets.ends[client]?.outgoing == way.reply + bench.greeting + Array("250 ok".utf8))
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `a server's first bytes arrive after a TCP handshake and one way over the link`(way: Way) throws {
    let bench = ProxyBench(.plain())
    bench.greeting = Array("220 hello\r\n".utf8)
    let client = way.client(of: bench)
    bench.run(for: .seconds(5))
    let transfer = try #require(bench.timeline.transfers.first)
    let resolved = try #require(transfer.resolved)
    let end = try #require(bench.sockets.ends[client])
    // SYN and its answer of 60 bytes, an ACK of 52 and a segment of 63: 8 us a byte up at 1 Mbit/s, 1 us down at 8 Mbit/s.
    let sending: Duration = .microseconds(480 + 60 + 416 + 63)
    #expect(end.lastWrite == resolved.advanced(by: Duration.milliseconds(200) + sending))
  }

  @Test(arguments: Way.allCases)
  func `a connection that fails before the server's first bytes delivers only the refusal`(way: Way) {
    let bench = ProxyBench(.plain())
    bench.greeting = Array("220 hello\r\n".utf8)
    let client = way.client(of: bench)
    bench.core.network.setOutage(.refuse)
    bench.core.settle()
    let said = bench.sockets.ends[client]?.outgoing ?? []
    switch way {
    case .connect: #expect(String(decoding: said, as: UTF8.self).hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
    case .socks: #expect(said == [5, 0] + SOCKS5.Reply.failure.bytes)
    case .forward: #expect(said.isEmpty)
    }
  }

  @Test(arguments: Way.allCases)
  func `a server that sends and closes at once is forwarded to its last byte`(way: Way) {
    let bench = ProxyBench(.plain())
    bench.greeting = Array("421 busy\r\n".utf8)
    bench.leaves = true
    let client = way.client(of: bench)
    bench.run(for: .seconds(5))
    #expect(bench.sockets.ends[client]?.outgoing == way.reply + bench.greeting)
    #expect(bench.sockets.ends[client]?.saidEnd == true)
  }
}
