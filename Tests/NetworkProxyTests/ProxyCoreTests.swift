import FormatFuzzing
import LinkSimulator
import NetworkConditions
import Testing
import Thoroughness

@testable import NetworkProxy

/// A proxy's handling of connections, in virtual time and without sockets.
struct ProxyCoreTests {
  private static let get = "GET http://example.test/file HTTP/1.1\r\nHost: example.test\r\n\r\n"

  private static func answer(_ count: Int) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n".utf8)
      + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  private static func bench(_ profile: NetworkProfile, seed: UInt64 = 0, body: Int = 100_000) -> ProxyBench {
    let bench = ProxyBench(profile, seed: seed)
    bench.server = { _ in answer(body) }
    return bench
  }

  @Test(arguments: ProxyBench.greetings)
  func `a tunnel without limits forwards every byte at once in both directions`(greeting: String) {
    let bench = ProxyBench(.unlimited, greeting: greeting)
    let client = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    #expect(bench.text(client) == "HTTP/1.1 200 Connection established\r\n\r\n\(greeting)")
    bench.say("hello", client)
    #expect(bench.text(bench.servers[0]) == "hello")
    bench.say("world", bench.servers[0])
    #expect(bench.text(client).hasSuffix("\r\n\r\n\(greeting)world"))
    #expect(bench.time == .zero)
    bench.end(client)
    #expect(bench.sockets.ends[bench.servers[0]]?.saidEnd == true)
    bench.end(bench.servers[0])
    for socket in [client, bench.servers[0]] {
      #expect(bench.sockets.ends[socket].map { [$0.wasClosed, $0.wasReset] } == [true, false])
    }
    #expect(bench.timeline.transfers.map(\.outcome) == [.finished])
  }

  @Test
  func
    `a request takes as long over the link as the simulator says, to the nanosecond, and a second run takes the same`()
  {
    func run() -> (Timeline, [UInt8]) {
      let bench = Self.bench(.plain())
      let client = bench.client(Self.get)
      bench.run()
      return (bench.timeline, bench.sockets.ends[client]?.outgoing ?? [])
    }
    let (first, bytes) = run()
    let answer = Self.answer(100_000)
    #expect(bytes == answer)
    #expect(first.transfers == run().0.transfers)
    // The simulator alone gives the same transfer, on a new connection.
    var path = PathSimulator(seed: 0, schedule: NetworkProfile.plain().schedule)
    let head = "GET /file HTTP/1.1\r\nHost: example.test\r\n\r\n".utf8.count
    let stream = path.open(StreamRequest(key: 0, host: "example.test", port: 80, use: .own, needsResolution: true))
    var end: SimulatedInstant?
    var arrived: Int64 = 0
    var isWritten = (false, false)
    while end == nil, let next = path.nextEventTime {
      path.advance(to: next)
      var received: Int64 = 0
      path.drainEvents { event in
        switch event.kind {
        case .connected: isWritten.0 = true
        case .uploaded: isWritten.1 = true
        case .received(let count): received += count
        default: break
        }
      }
      if isWritten.0 {
        path.write(Int64(head), .up, on: stream, finishing: false)
        isWritten.0 = false
      }
      if isWritten.1 {
        path.write(Int64(answer.count), .down, on: stream, finishing: false)
        isWritten.1 = false
      }
      arrived += received
      if arrived == answer.count { end = path.now }
    }
    #expect(first.transfers[0].ended == end)
  }

  @Test func `lost packets delay a response through the proxy but lose no byte`() {
    let lossy = Self.bench(.plain(loss: .independent(.percent(5))), seed: 3, body: 300_000)
    let client = lossy.client(Self.get)
    lossy.run()
    #expect(lossy.sockets.ends[client]?.outgoing == Self.answer(300_000))
    let transfer = lossy.timeline.transfers[0]
    #expect(transfer.wire.down.lost > 0)
    let clean = Self.bench(.plain(), seed: 3, body: 300_000)
    _ = clean.client(Self.get)
    clean.run()
    #expect(transfer.elapsed > clean.timeline.transfers[0].elapsed)
  }

  @Test func `two downloads through the proxy share the link's rate`() {
    func last(_ count: Int) -> Duration {
      let bench = Self.bench(.plain(), body: 300_000)
      for _ in 0..<count { _ = bench.client(Self.get) }
      bench.run()
      return bench.timeline.transfers.map(\.elapsed).max() ?? .zero
    }
    // 300 kB with headers take 0.31 s on the wire; one transfer uses the idle time of the other's slow start.
    #expect(last(2) - last(1) > .milliseconds(200))
    #expect(last(2) - last(1) < .milliseconds(350))
  }

  @Test func `a request on a kept connection needs no handshake, but another host needs a new connection`() {
    let bench = Self.bench(.plain())
    let client = bench.client(Self.get)
    bench.run()
    bench.say(Self.get, client)
    bench.run()
    bench.say(Self.get.replacing("example.test", with: "other.test"), client)
    bench.run()
    #expect(bench.timeline.transfers.map(\.reusedConnection) == [false, true, false])
    #expect(bench.timeline.transfers.map(\.status) == [200, 200, 200])
    #expect(bench.servers.count == 2)
    #expect(bench.sockets.ends[bench.servers[0]]?.wasClosed == true)
  }

  @Test func `the server receives a proxied request in the form of a direct request`() {
    let bench = Self.bench(.unlimited)
    _ = bench.client(
      "POST http://user@example.test:8080?q=1#top HTTP/1.1\r\nHost: evil.test\r\nProxy-Connection: keep-alive\r\n"
        + "Content-Length: 5\r\nA: b\r\n\r\nhello")
    #expect(
      bench.text(bench.servers[0])
        == "POST /?q=1 HTTP/1.1\r\nHost: example.test:8080\r\nContent-Length: 5\r\nA: b\r\n\r\nhello")
  }

  @Test func `after an upgrade the proxy forwards bytes of another protocol`() {
    let bench = ProxyBench(.plain())
    bench.server = { $0.starts(with: Array("GET".utf8)) ? Array("HTTP/1.1 101 Switching\r\n\r\n".utf8) : $0 }
    let client = bench.client(
      "GET http://example.test/chat HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    bench.run(for: .seconds(2))
    bench.say("ping", client)
    bench.run(for: .seconds(2))
    #expect(bench.text(client) == "HTTP/1.1 101 Switching\r\n\r\nping")
  }

  @Test(arguments: ProxyBench.greetings)
  func `a client that does not read makes the proxy stop reading from the server`(greeting: String) {
    let bench = ProxyBench(.unlimited, greeting: greeting)
    let client = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    bench.sockets.ends[client]?.room = 1_000
    bench.say([UInt8](repeating: 7, count: 3_000_000), bench.servers[0])
    bench.run(for: .seconds(1))
    let left = bench.sockets.ends[bench.servers[0]]?.incoming.count ?? 0
    #expect(left > 2_000_000)
    bench.makeRoom(client)
    bench.run(for: .seconds(1))
    #expect(bench.sockets.ends[client]?.outgoing.filter { $0 == 7 }.count == 3_000_000)
    #expect(bench.text(client).hasPrefix("HTTP/1.1 200 Connection established\r\n\r\n\(greeting)\u{7}"))
  }

  @Test func `an answer in many pieces has one event for its head`() {
    let bench = Self.bench(.plain(), body: 300_000)
    _ = bench.client(Self.get)
    bench.run()
    let kinds = bench.timeline.events.map(\.kind)
    #expect(kinds.filter { $0 == .response(status: 200) }.count == 1)
    #expect(kinds.filter { if case .received = $0 { true } else { false } }.count > 1)
  }

  @Test func `a server that does not read makes the proxy stop reading from the client`() throws {
    let bench = ProxyBench(.unlimited)
    let client = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    let server = try #require(bench.servers.first)
    bench.sockets.ends[server]?.room = 1_000
    bench.say([UInt8](repeating: 7, count: 3_000_000), client)
    bench.run(for: .seconds(1))
    #expect(bench.sockets.ends[client]?.incoming.count ?? 0 > 2_000_000)
    bench.makeRoom(server)
    bench.run(for: .seconds(1))
    #expect(bench.sockets.ends[server]?.outgoing.count == 3_000_000)
  }

  // MARK: Failures

  @Test(arguments: ProxyBench.greetings)
  func `a server that resets its connection while bytes wait for it resets the client`(greeting: String) throws {
    let bench = ProxyBench(.unlimited, greeting: greeting)
    let client = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    let server = try #require(bench.servers.first)
    bench.sockets.ends[server]?.room = 3
    bench.say("hello", client)
    #expect(bench.text(server) == "hel" && bench.sockets.ends[client]?.wasClosed == false)
    bench.sockets.ends[server]?.wasClosed = true
    bench.makeRoom(server)
    bench.run(for: .seconds(1))
    #expect(bench.sockets.ends[client]?.wasReset == true && bench.sockets.ends[server]?.saidEnd == false)
    #expect(bench.timeline.transfers.map(\.outcome) == [.failed(.networkConnectionLost)])
  }

  @Test func `the proxy applies the profile's faults: resets, truncations, stalls and statuses`() {
    func run(_ fault: RequestFault) -> (ProxyBench, Int32) {
      let bench = Self.bench(.plain([FaultRule(fault)]))
      let client = bench.client(Self.get)
      bench.run(for: .seconds(200))
      return (bench, client)
    }
    let (reset, one) = run(.reset(after: .bytes(1_000)))
    #expect(reset.sockets.ends[one]?.outgoing.count == 1_000)
    #expect(reset.sockets.ends[one]?.wasReset == true)
    let (cut, two) = run(.truncate(after: .bytes(2_000)))
    #expect(cut.sockets.ends[two]?.outgoing.count == 2_000)
    #expect(cut.sockets.ends[two]?.saidEnd == true)
    #expect(cut.sockets.ends[two]?.wasReset == false)
    let (stalled, three) = run(.stall(after: .bytes(3_000)))
    #expect(stalled.sockets.ends[three]?.outgoing.count == 3_000)
    #expect(stalled.sockets.ends[three]?.wasClosed == false)
    let (status, four) = run(.status(code: 503, retryAfter: .seconds(7)))
    #expect(
      status.text(four) == "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 7\r\n\r\n")
    #expect(status.servers.isEmpty)
    let (dated, ten) = run(.status(code: 503, retryAfterDateIn: .seconds(7)))
    #expect(dated.text(ten).contains(/\r\nRetry-After: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\r\n\r\n/))
    let (page, eight) = run(.status(code: 200, page: "<p>No.</p>"))
    #expect(page.text(eight).hasSuffix("Content-Type: text/html; charset=utf-8\r\n\r\n<p>No.</p>"))
    #expect(page.text(eight).contains("Content-Length: 10\r\n"))
    let (whole, nine) = run(.shorten(to: .bytes(10)))
    #expect(whole.sockets.ends[nine]?.outgoing == Self.answer(100_000))
    let (corrupt, five) = run(.corrupt(at: .bytes(10)))
    let wanted = Self.answer(100_000)
    let differing = zip(corrupt.sockets.ends[five]?.outgoing ?? [], wanted).enumerated().filter { $0.1.0 != $0.1.1 }
    #expect(differing.map(\.offset) == [wanted.count - 100_000 + 10])
    let (refused, six) = run(.refused)
    #expect(refused.text(six).hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
    #expect(refused.text(six).contains("Proxy-Status: network-conditions; error=connection_refused\r\n"))
    #expect(refused.servers.isEmpty)
    let (unknown, seven) = run(.dnsFailure)
    #expect(unknown.text(seven).contains("error=dns_error"))
  }

  @Test func `a client learns of a refused connection after one round trip`() {
    let bench = ProxyBench(.plain())
    bench.refuses = true
    let client = bench.client(Self.get.replacing("example.test", with: "192.0.2.1"))
    bench.run(for: .milliseconds(99))
    #expect(bench.text(client) == "")
    bench.run(for: .milliseconds(3))
    #expect(bench.text(client).hasPrefix("HTTP/1.1 502"))
  }

  @Test(arguments: ProxyBench.greetings)
  func `going offline refuses new clients at once and resets open tunnels`(greeting: String) {
    let bench = ProxyBench(.plain(), greeting: greeting)
    let tunnel = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    bench.run(for: .seconds(1))
    bench.core.network.setOutage(.refuse)
    bench.core.settle()
    #expect(bench.sockets.ends[tunnel]?.wasReset == true)
    let other = bench.client(Self.get)
    #expect(bench.text(other).hasPrefix("HTTP/1.1 502"))
    bench.core.network.setOutage(nil)
    let third = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    bench.run(for: .seconds(1))
    #expect(bench.text(third).hasPrefix("HTTP/1.1 200"))
  }

  @Test(arguments: ProxyBench.greetings)
  func `a new profile applies to a tunnel that is already open`(greeting: String) {
    let bench = Self.bench(.unlimited, body: 10)
    bench.greeting = Array(greeting.utf8)
    let client = bench.client("CONNECT example.test:80 HTTP/1.1\r\n\r\n")
    bench.core.network.use(.plain())
    bench.say("x", client)
    #expect(bench.servers.map(bench.text) == [""])
    bench.run(for: .milliseconds(60))
    #expect(bench.servers.map(bench.text) == ["x"])
  }

  @Test func `a profile's rules send matching requests and tunnels over another profile`() {
    func phases(_ first: String, _ second: String) -> [NetworkProfile.Phase] {
      [first, second].map { NetworkProfile.Phase($0, for: .seconds(4), conditions: PathConditions()) }
    }
    let slow = NetworkProfile(name: "slow", phases: phases("early", "late"))
    let rules = [ProfileRule(match: RequestMatch(host: "example.test"), use: slow)]
    let bench = Self.bench(NetworkProfile(name: "mine", phases: phases("first", "second"), rules: rules), body: 10)
    let clients = [
      bench.client(Self.get), bench.client("CONNECT example.test:80 HTTP/1.1\r\n\r\n"),
      bench.client(Self.get.replacing("example", with: "other")),
    ]
    bench.run(for: .seconds(2))
    #expect(bench.timeline.transfers.map(\.profile) == ["slow", "slow", "mine"])
    #expect(bench.core.network.conditionName == "first")
    bench.run(for: .seconds(3))
    #expect(bench.core.network.conditionName == "second")
    bench.core.network.setOutage(.drop)
    #expect(bench.core.network.conditionName == "offline (drop)")
    for client in clients { bench.end(client) }
  }

  @Test func `phases of a rule's profile are reported only from its first use`() {
    let phases = ["a", "b", "c"].map { NetworkProfile.Phase($0, for: .seconds(2), conditions: PathConditions()) }
    let other = NetworkProfile(name: "other", phases: phases, repeats: true)
    let rules = [ProfileRule(match: RequestMatch(host: "example.test"), use: other)]
    let bench = Self.bench(NetworkProfile(name: "mine", rules: rules), body: 10)
    bench.run(for: .seconds(27))
    bench.end(bench.client(Self.get))
    bench.run(for: .seconds(2))
    let told = bench.timeline.events.compactMap { event -> String? in
      guard case .phaseEntered(let name) = event.kind else { return nil }
      return "\(name) \(SimulatedInstant.zero.duration(to: event.time) / .seconds(1))"
    }
    #expect(told == ["mine 0.0", "b 27.0", "c 28.0"])
  }

  @Test func `each response of the control API has its own request number`() {
    let bench = ProxyBench(.unlimited)
    bench.core.control = { _ in .empty }
    let client = bench.client(String(repeating: "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 2), .control)
    let numbers = bench.text(client).split(separator: "\r\n").filter { $0.hasPrefix("X-Toxiproxy-Request-Id: ") }
    #expect(numbers.count == 2 && Set(numbers).count == 2)
  }

  @Test(arguments: ProxyBench.greetings)
  func `a TLS fault answers the client's handshake with a TLS alert`(greeting: String) {
    let bench = ProxyBench(.plain([FaultRule(.tlsFailure)]), greeting: greeting)
    let client = bench.client("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
    bench.run(for: .seconds(1))
    bench.say("hello", client)
    bench.run(for: .seconds(1))
    let reply = "HTTP/1.1 200 Connection established\r\n\r\n\(greeting)"
    #expect(bench.sockets.ends[client]?.outgoing == Array(reply.utf8) + [21, 3, 3, 0, 2, 2, 40])
    #expect(bench.servers.map(bench.text) == [""])
  }

  // MARK: SOCKS

  @Test(arguments: ProxyBench.greetings)
  func `SOCKS5 connects to a host name and refuses other commands with the right code`(greeting: String) {
    let bench = ProxyBench(.unlimited, greeting: greeting)
    let client = bench.client()
    bench.say([5, 2, 2, 0], client)
    bench.say([5, 1, 0, 3, 12] + Array("example.test".utf8) + [0, 80], client)
    #expect(bench.sockets.ends[client]?.outgoing == [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + bench.greeting)
    bench.say("hello", client)
    #expect(bench.text(bench.servers[0]) == "hello")
    for (request, reply) in [([5, 3, 0, 1, 1, 1, 1, 1, 0, 80], 7), ([5, 1, 0, 9, 1, 1, 1, 1, 0, 80], 8)]
      as [([UInt8], UInt8)]
    {
      let other = bench.client()
      bench.say([5, 1, 0] + request, other)
      #expect(bench.sockets.ends[other]?.outgoing.prefix(4) == [5, 0, 5, reply])
      #expect(bench.sockets.ends[other]?.saidEnd == true)
    }
    let last = bench.client()
    bench.say([5, 1, 2], last)
    #expect(bench.sockets.ends[last]?.outgoing == [5, 0xFF])
  }

  // MARK: Hostile clients

  @Test func `malformed requests are refused without a connection to a server`() {
    let words = [
      "GET / HTTP/1.1\r\n\r\n", "\u{4}\u{1}", "GET ftp://a/ HTTP/1.1\r\n\r\n", "CONNECT a HTTP/1.1\r\n\r\n",
      "CONNECT a:0 HTTP/1.1\r\n\r\n", "GET http:///x HTTP/1.1\r\n\r\n", "G\u{0}T http://a/ HTTP/1.1\r\n\r\n",
      "GET http://a/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "GET http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "GET http://a/ HTTP/1.1\r\n a: b\r\n\r\n",
      "GET http://a/ HTTP/1.1\r\na b: c\r\n\r\n", "GET http://a/ HTTP/2.0\r\n\r\n", "\r\n\r\nGET\r\n\r\n",
      "GET http://a/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n", String(repeating: "a", count: 70_000),
    ]
    for text in words {
      let bench = ProxyBench(.unlimited)
      let client = bench.client(text)
      #expect(bench.sockets.ends[client]?.saidEnd == true, "\(text.prefix(60))")
      #expect(bench.sockets.asked.isEmpty && bench.servers.isEmpty, "\(text.prefix(60))")
    }
  }

  @Test func `a client that sends no complete request gets a 408 and is closed`() {
    let bench = ProxyBench(.unlimited)
    let client = bench.client("GET http://exa")
    bench.core.uptime = ProxyCore.patience
    bench.core.sweep()
    #expect(bench.text(client).hasPrefix("HTTP/1.1 408"))
    bench.core.uptime = ProxyCore.patience * 2
    bench.core.sweep()
    #expect(bench.sockets.ends[client]?.wasClosed == true)
  }

  @Test func `the time for a request's head counts from its first byte, however slowly the others come`() {
    let bench = ProxyBench(.unlimited)
    let client = bench.client("GET http://exa")
    bench.core.uptime = ProxyCore.patience / 2
    bench.say("mple", client)
    bench.core.uptime = ProxyCore.patience - 1
    bench.core.sweep()
    #expect(bench.text(client) == "")
    bench.core.uptime = ProxyCore.patience
    bench.core.sweep()
    #expect(bench.text(client).hasPrefix("HTTP/1.1 408"))
  }

  @Test(arguments: ProxyBench.greetings)
  func `randomly damaged requests leave no connection open`(greeting: String) {
    let bench = Self.bench(.unlimited, body: 100)
    bench.greeting = Array(greeting.utf8)
    let seeds: [[UInt8]] = [
      Array(Self.get.utf8), Array("CONNECT example.test:443 HTTP/1.1\r\n\r\nhello".utf8),
      [5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, 0, 80],
      Array("POST http://a/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8),
    ]
    for number in Thoroughness.cases(600, of: 0..<3_000) {
      let client = bench.client()
      bench.say(Mutation.of(seeds, number: number, seed: 7), client)
      bench.end(client)
      if bench.sockets.ends[client]?.wasClosed == false, let socket = bench.servers.last { bench.end(socket) }
      bench.core.uptime += 200_000_000_000
      bench.core.sweep()
    }
    for socket in bench.servers where bench.sockets.ends[socket]?.wasClosed == false { bench.end(socket) }
    bench.run(for: .seconds(1))
    bench.core.uptime += 200_000_000_000
    bench.core.sweep()
    #expect(bench.core.clients.isEmpty)
    #expect(bench.core.servers.isEmpty)
    #expect(bench.core.network.connectionCount == 0)
  }

  @Test(arguments: ProxyBench.greetings)
  func `idle tunnels, forwards and kept connections stay open`(greeting: String) {
    let bench = Self.bench(.plain())
    let kept = bench.client(Self.get)
    bench.greeting = Array(greeting.utf8)
    let forward = bench.client("", .forward(ProxyRequest.Target(host: "192.0.2.1", port: 5432), link: nil))
    let tunnel = bench.client("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n")
    bench.run(for: .seconds(2))
    bench.core.uptime += 10 * ProxyCore.connectPatience
    bench.core.sweep()
    bench.run(for: .seconds(1))
    for socket in [forward, tunnel, kept] { #expect(bench.sockets.ends[socket]?.wasClosed == false) }
  }

  @Test func `the proxy refuses requests to its own address`() {
    let bench = ProxyBench(.unlimited)
    bench.core.ownAddresses = [1: .loopback(port: 8080)]
    #expect(bench.text(bench.client("CONNECT localhost:8080 HTTP/1.1\r\n\r\n")).hasPrefix("HTTP/1.1 502"))
    #expect(bench.text(bench.client("GET http://127.0.0.1:8080/ HTTP/1.1\r\n\r\n")).hasPrefix("HTTP/1.1 508"))
    #expect(bench.servers.isEmpty)
  }

  @Test func `a new seed keeps the redaction, the recording of packets and the connections of the control API`() {
    let bench = ProxyBench(.plain())
    bench.core.network.redaction = .none
    bench.core.network.recordsPackets = true
    let (client, control) = (bench.client(Self.get), bench.client("", .control))
    bench.core.restart(seed: 7)
    #expect(bench.core.network.redaction == .none && bench.core.network.recordsPackets && bench.core.network.seed == 7)
    #expect(bench.sockets.ends[client]?.wasClosed == true && bench.sockets.ends[control]?.wasClosed == false)
  }

  @Test func `a client that begins TLS gets a 400 at once`() {
    let bench = ProxyBench(.unlimited)
    #expect(bench.text(bench.client("\u{16}\u{3}\u{1}")).hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `a silent client is closed at the time limit, and one that began a request gets a 408`() {
    let bench = ProxyBench(.unlimited)
    let (silent, slow) = (bench.client(), bench.client("GET http://exam"))
    bench.core.uptime = ProxyCore.patience
    bench.core.sweep()
    bench.core.settle()
    #expect(bench.text(silent).isEmpty && bench.sockets.ends[silent]?.wasClosed == true)
    #expect(bench.text(slow).hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `bytes and end of stream that a client sends during a delay fault on a forward reach the server`() {
    let bench = ProxyBench(NetworkProfile(name: "late", faults: [FaultRule(.delay(.seconds(1)))]))
    let client = bench.client("hello", .forward(ProxyRequest.Target(host: "example.test", port: 5_432), link: nil))
    bench.end(client)
    bench.run()
    #expect(bench.servers.first.map(bench.text) == "hello")
    #expect(bench.servers.first.flatMap { bench.sockets.ends[$0]?.saidEnd } == true)
  }
}
