import LinkSimulator
import Testing

/// The time that a connection takes to open, and the requests that wait for it.
struct ConnectionCostTests {
  private static let path = PathConditions.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20))

  private static func time(_ configure: (inout PathConfiguration) -> Void) -> Duration {
    var configuration = PathConfiguration()
    configure(&configuration)
    var harness = Harness(path, configuration: configuration)
    let stream = harness.get(isSecure: true)
    harness.run()
    return harness.time(of: .responseReceived, stream) ?? .zero
  }

  @Test func `large certificates delay the handshake by the time of their bytes`() {
    let extra = Self.time { $0.certificates = 10_000 } - Self.time { $0.certificates = 0 }
    // 80 ms at 1 Mbit/s, and the headers of seven packets.
    #expect(extra >= .milliseconds(80) && extra < .milliseconds(84))
  }

  @Test func `computing during the handshake delays a response by the computing time`() {
    let extra =
      Self.time { $0.handshakeComputing = .milliseconds(50) } - Self.time { $0.handshakeComputing = .zero }
    // 0.416 ms less for three acknowledgements that left meanwhile: of the server's SYN, and of each end's part.
    #expect(extra == .milliseconds(50) - .microseconds(3 * 416))
  }

  @Test func `client and server compute before they send their parts of the TLS handshake`() throws {
    var configuration = PathConfiguration()
    configuration.handshakeComputing = .milliseconds(100)
    configuration.certificates = 0
    var harness = Harness(.symmetric(delay: .milliseconds(20)), configuration: configuration)
    harness.path.recordPackets()
    let stream = harness.get(isSecure: true)
    harness.run()
    let sent = try #require(harness.path.packetLog).records.filter { $0.kind == .sent && $0.length > 0 }
    func time(_ direction: Direction, _ length: Int32) -> Int64? {
      sent.first { $0.direction == direction && $0.length == length }.map { $0.time.nanoseconds / 1_000_000 }
    }
    // Computing takes 16, 28, 41 and 15 % of the time. 20 ms of delay precede each part, and 40 ms the first one.
    #expect(time(.up, 517) == 56 && time(.down, 386) == 104 && time(.up, 80) == 165 && time(.down, 271) == 200)
    // The server computes first, and then reads the request that came with the client's Finished.
    #expect(harness.time(of: .requestReceived, stream) == .milliseconds(200))
  }

  @Test func `an HTTP/2 server that computes longer sends its settings and acknowledgement together`() throws {
    func lengths(computing: Duration) throws -> [Int32] {
      var configuration = PathConfiguration()
      configuration.handshakeComputing = computing
      var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)), configuration: configuration)
      harness.path.recordPackets()
      harness.get(isSecure: true, version: .http2)
      harness.run()
      let sent = try #require(harness.path.packetLog).records.filter { $0.direction == .down && $0.length > 0 }
      return sent.filter { $0.kind == .sent && $0.length < 200 }.map(\.length)
    }
    // 40 bytes of settings and 9 of their acknowledgement; each record adds 22 bytes.
    #expect(try lengths(computing: .zero) == [62, 31])
    #expect(try lengths(computing: .milliseconds(100)) == [71])
  }

  @Test func `requests that wait for the same connection fail at the same time`() throws {
    var harness = Harness(.symmetric(delay: .milliseconds(20), outage: .drop))
    let streams = (0..<2).map { harness.get(key: $0, version: .http2) }
    harness.run(until: .seconds(1_000))
    let times = streams.map { harness.time(of: .failed(.connectTimedOut), $0) }
    let first = try #require(times[0])
    #expect(first == times[1])
  }

  @Test func `a name that was not found is looked up again by the next request`() {
    var harness = Harness(.symmetric(dnsDelay: .milliseconds(40)))
    harness.get(needsResolution: true, faults: [.resolutionFailure])
    harness.run(until: .seconds(1))
    let second = harness.get(key: 2, needsResolution: true)
    harness.run()
    #expect(harness.time(of: .responseReceived, second) == .milliseconds(1_040))
  }

  @Test func `a stall fault pauses a response after exactly the given number of bytes`() {
    var harness = Harness(Self.path)
    let stream = harness.get(10_000, faults: [.stall(afterBytes: 1_448, duration: .seconds(1))])
    harness.run()
    let times = harness.events(of: stream).compactMap { event in
      if case .received = event.kind { SimulatedInstant.zero.duration(to: event.time) } else { Duration?.none }
    }
    #expect(times.count > 1 && times[1] - times[0] == .seconds(1))
  }
}
