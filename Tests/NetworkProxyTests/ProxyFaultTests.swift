import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkProxy

/// Compares the time at which a fault takes effect, to the nanosecond, with a run without the fault.
struct ProxyFaultTests {
  private static let get = "GET http://192.0.2.1/file HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n"
  private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
  /// One way over the link of ``NetworkProfile/plain(_:loss:)``.
  private static let oneWay = Duration.milliseconds(50)

  private static func bench(_ faults: [RequestFault], says: [UInt8] = answer) -> ProxyBench {
    let bench = ProxyBench(.plain(faults.map { FaultRule($0) }))
    bench.server = { _ in says }
    return bench
  }

  /// Runs the network until the client's connection has ended, and returns that time.
  private static func end(of client: Int32, _ bench: ProxyBench) -> SimulatedInstant? {
    while let next = bench.core.nextTime, next < SimulatedInstant.zero.advanced(by: .seconds(600)) {
      bench.run(for: bench.time.duration(to: next))
      if bench.sockets.ends[client]?.saidEnd == true || bench.sockets.ends[client]?.wasClosed == true {
        return bench.time
      }
    }
    return nil
  }

  @Test func `a delay fault makes a request later by exactly the delay`() {
    func elapsed(_ faults: [RequestFault]) -> Duration {
      let bench = Self.bench(faults)
      let client = bench.client(Self.get)
      bench.run(for: .seconds(20))
      #expect(bench.sockets.ends[client]?.outgoing == Self.answer)
      return bench.timeline.transfers[0].elapsed
    }
    #expect(elapsed([.delay(.seconds(2))]) == elapsed([]) + .seconds(2))
  }

  @Test(arguments: [false, true], ProxyBench.greetings)
  func `a slow close delays only the end of the connection`(isTunnel: Bool, greeting: String) throws {
    func times(_ faults: [RequestFault]) throws -> (last: SimulatedInstant, end: SimulatedInstant) {
      // Without Content-Length the body ends with the connection.
      let bench = Self.bench(faults, says: Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8))
      if isTunnel { bench.greeting = Array(greeting.utf8) }
      let client = bench.client(isTunnel ? "CONNECT 192.0.2.1:80 HTTP/1.1\r\n\r\n" : Self.get)
      if isTunnel {
        bench.run(for: .seconds(1))
        bench.say("hello?", client)
      }
      bench.run(for: .seconds(1))
      bench.end(bench.servers[0])
      bench.end(client)
      let last = try #require(bench.sockets.ends[client]).lastWrite
      return (last, try #require(Self.end(of: client, bench)))
    }
    let (slow, plain) = (try times([.slowClose(delay: .seconds(3))]), try times([]))
    #expect(slow.last == plain.last)
    #expect(slow.end == plain.end.advanced(by: .seconds(3)))
  }

  @Test func `an idle close reaches the client after its delay and one way over the link`() throws {
    let bench = Self.bench([.idleClose(after: .seconds(5))])
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    let answered = try #require(bench.timeline.transfers[0].ended)
    let end = try #require(Self.end(of: client, bench))
    // A FIN of 53 bytes takes 53 us at 8 Mbit/s.
    #expect(answered.duration(to: end) == .seconds(5) + Self.oneWay + .microseconds(53))
    #expect(bench.sockets.ends[bench.servers[0]]?.wasClosed == true)
  }

  @Test func `a request that is still on the link when the server closes is lost`()
    throws
  {
    func next(after pause: Duration) -> (bench: ProxyBench, client: Int32) {
      let bench = Self.bench([.idleClose(after: .seconds(5))])
      let client = bench.client(Self.get)
      bench.run(for: .seconds(1))
      let answered = bench.timeline.transfers[0].ended ?? .zero
      bench.run(for: bench.time.duration(to: answered.advanced(by: pause)))
      bench.say(Self.get, client)
      bench.run(for: .seconds(2))
      return (bench, client)
    }
    // Just before the server closes, and just after, when the client cannot know it yet.
    for pause in [Duration.milliseconds(4_970), .milliseconds(5_030)] {
      let (bench, client) = next(after: pause)
      #expect(bench.sockets.ends[client]?.outgoing == Self.answer)
      #expect(bench.sockets.ends[client]?.saidEnd == true)
      #expect(bench.timeline.transfers.map(\.outcome) == [.finished, .failed(.networkConnectionLost)])
      #expect(bench.servers.count == 1)
    }
    let (bench, client) = next(after: .milliseconds(4_900))
    #expect(bench.sockets.ends[client]?.outgoing == Self.answer + Self.answer)
    #expect(bench.timeline.transfers.map(\.outcome) == [.finished, .finished])
  }

  @Test func `a server that closes during its response fails the transfer as a lost connection`() {
    let bench = Self.bench([], says: Array("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello".utf8))
    let client = bench.client(Self.get)
    bench.run(for: .seconds(1))
    bench.end(bench.servers[0])
    bench.run(for: .seconds(1))
    #expect(bench.text(client).hasSuffix("\r\n\r\nhello"))
    #expect(bench.sockets.ends[client]?.saidEnd == true)
    #expect(bench.timeline.transfers.map(\.outcome) == [.failed(.networkConnectionLost)])
  }

  @Test func `an unanswered connection attempt fails in each client's protocol when TCP gives up`() throws {
    /// A simulated path gives the time at which TCP gives up an unanswered connection attempt.
    var path = PathSimulator(seed: 0, schedule: NetworkProfile.plain().schedule)
    _ = path.open(StreamRequest(key: 0, host: "192.0.2.1", port: 80, use: .own, faults: [.unreachable]))
    path.advance(to: .distantFuture)
    let due = path.now

    let bench = Self.bench([.connectTimeout])
    let clients = [
      bench.client(Self.get), bench.client("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n"), bench.client(),
      bench.client("", .forward(ProxyRequest.Target(host: "192.0.2.1", port: 80), link: nil)),
    ]
    bench.say([5, 1, 0, 5, 1, 0, 1, 192, 0, 2, 1, 0, 80], clients[2])
    bench.run(for: SimulatedInstant.zero.duration(to: due) - .nanoseconds(1))
    for client in clients { #expect(bench.sockets.ends[client]?.wasClosed == false) }
    #expect(bench.text(clients[0]) == "")
    bench.run(for: .nanoseconds(1))
    for client in clients[..<2] {
      #expect(bench.text(client).hasPrefix("HTTP/1.1 504 Gateway Timeout\r\n"))
      #expect(bench.text(client).contains("Proxy-Status: network-conditions; error=connection_timeout\r\n"))
    }
    #expect(bench.sockets.ends[clients[2]]?.outgoing.suffix(10).prefix(2) == [5, SOCKS5.Reply.expired.rawValue])
    #expect(bench.sockets.ends[clients[3]]?.wasReset == true)
    #expect(bench.servers.isEmpty && bench.sockets.asked.isEmpty)
  }

  @Test(arguments: [RequestFault.status(code: 503), .redirect(to: "https://192.0.2.1/"), .goAway], [true, false])
  func `a tunnel records no fault that the proxy cannot apply to it`(fault: RequestFault, isSOCKS: Bool) {
    let bench = Self.bench([fault])
    let forward = ProxyConnection.Entrance.forward(ProxyRequest.Target(host: "192.0.2.1", port: 443), link: nil)
    let client = isSOCKS ? bench.client() : bench.client("", forward)
    if isSOCKS { bench.say([5, 1, 0, 5, 1, 0, 1, 192, 0, 2, 1, 1, 187], client) }
    bench.run(for: .seconds(1))
    bench.say("hello?", client)
    bench.run(for: .seconds(1))
    #expect(bench.text(client).hasSuffix("hello"))
    #expect(bench.timeline.events.allSatisfy { if case .fault = $0.kind { false } else { true } })
  }

  @Test func `a CONNECT that the profile answers gets the answer over the link and finishes`() throws {
    let bench = Self.bench([.delay(.seconds(1)), .status(code: 503, retryAfter: .seconds(7), page: "<p>No.</p>")])
    let client = bench.client("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n")
    bench.run(for: .seconds(2))
    #expect(
      bench.text(client) == """
        HTTP/1.1 503 Service Unavailable\r\nContent-Length: 10\r\nContent-Type: text/html; charset=utf-8\r
        Retry-After: 7\r\nConnection: close\r\n\r\n<p>No.</p>
        """)
    let transfer = bench.timeline.transfers[0]
    #expect(transfer.outcome == .finished && transfer.status == 503)
    // A delay of 1 s, and at least two round trips of the link.
    #expect(transfer.elapsed > .seconds(1) + Self.oneWay * 4)
    #expect(bench.servers.isEmpty && bench.sockets.ends[client]?.saidEnd == true)
  }

  @Test func `a byte of a tunnel is flipped once`() {
    let bench = Self.bench([.corrupt(at: .bytes(4))], says: [])
    let client = bench.client("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n")
    bench.run(for: .seconds(1))
    for part in ["abc", "def", "ghi"] {
      bench.say(part, bench.servers[0])
      bench.run(for: .seconds(1))
    }
    var wanted = Array("abcdefghi".utf8)
    wanted[4] ^= 0xFF
    #expect(bench.sockets.ends[client]?.outgoing.suffix(9) == wanted[...])
  }

  @Test func `a byte after an upgrade is flipped once`() {
    let bench = Self.bench(
      [.corrupt(at: .bytes(1))],
      says: Array("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nabc".utf8))
    let client = bench.client(
      "GET http://192.0.2.1/ HTTP/1.1\r\nHost: 192.0.2.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
    bench.run(for: .seconds(1))
    bench.server = nil
    bench.say("def", bench.servers[0])
    bench.run(for: .seconds(1))
    var wanted = Array("abcdef".utf8)
    wanted[1] ^= 0xFF
    #expect(bench.sockets.ends[client]?.outgoing.suffix(6) == wanted[...])
  }
}
