import Testing

@testable import LinkSimulator

/// QUIC handshakes in which single datagrams are lost; each way takes exactly 50 ms.
struct QuicHandshakeTests {
  private static let conditions = PathConditions.symmetric(delay: .milliseconds(50))

  /// Runs a request whose datagrams with these numbers are lost; returns when its response is complete.
  private func answer(
    down: [Int] = [], up: [Int] = [], certificates: Int64 = 923,
    _ configuration: PathConfiguration = PathConfiguration()
  ) -> Duration? {
    func losses(_ numbers: [Int], _ direction: Direction) -> [PacketFault] {
      numbers.map {
        PacketFault(PacketEffect(.loss), of: PacketName(origin: "h:443", direction: direction, number: $0))
      }
    }
    var configuration = configuration
    configuration.racesQuic = false
    configuration.certificates = certificates
    var path = PathSimulator(
      seed: 1, schedule: ConditionSchedule(Self.conditions), configuration: configuration,
      chance: .scheduled(losses(down, .down) + losses(up, .up)))
    let stream = path.open(StreamRequest(key: 1, host: "h", port: 443, isSecure: true, version: .http3))
    path.write(39, .up, on: stream, finishing: true)
    var end: Duration?
    while end == nil, let next = path.nextEventTime, next < SimulatedInstant.zero.advanced(by: .seconds(60)) {
      path.advance(to: next)
      var events: [PathEvent] = []
      path.drainEvents { events.append($0) }
      for event in events {
        if event.kind == .requestReceived { path.write(500, .down, on: stream, finishing: true) }
        if event.kind == .responseReceived { end = SimulatedInstant.zero.duration(to: event.time) }
      }
    }
    return end
  }

  @Test func `a QUIC response without loss takes two round trips`() {
    #expect(answer() == .milliseconds(200))
  }

  /// RFC 9002, section 6.2.2: 333 ms and four times half of it.
  @Test func `a lost client hello is sent again after 999 ms`() throws {
    let time = try #require(answer(up: [0]))
    #expect(time >= .milliseconds(999 + 200) && time < .milliseconds(999 + 320))
  }

  /// The server probes with its Initial packets after 200 ms, twice quic-go's first round trip.
  ///
  /// The answer gives it a round trip of 100 ms with a variation of 50 ms.
  /// Its Handshake packets follow 300 ms after they were first sent.
  @Test func `a lost certificate is sent again by the timer of the Handshake space`() {
    #expect(answer(down: [0]) == .milliseconds(50 + 300 + 50 + 100))
  }

  /// The answer to the first datagram gives the server a round trip in each space: 100 ms with a variation of 37.5 ms.
  @Test func `a lost datagram with only Handshake packets is sent again 250 ms later`() {
    #expect(answer(down: [1]) == .milliseconds(50 + 250 + 50 + 100))
  }

  /// RFC 9001, section 5.7: the server has no keys for a request that arrives before the Finished.
  ///
  /// The client probes 300 ms after its Finished: its round trip is 100 ms with a variation of 50 ms.
  @Test func `a request waits for the retransmission of the client's lost Finished`() {
    #expect(answer(up: [1]) == .milliseconds(100 + 300 + 50 + 50))
  }

  /// RFC 9002, section 6.2.1: data is probed only after the handshake is confirmed, with its own packet numbers.
  @Test func `a lost QUIC request is sent again and answered within 500 ms`() throws {
    let time = try #require(answer(up: [3]))
    #expect(time > .milliseconds(200) && time < .milliseconds(500))
  }

  @Test func `a server that validates addresses costs one more round trip`() {
    var configuration = PathConfiguration()
    configuration.validatesAddresses = true
    #expect(answer(configuration) == .milliseconds(300))
  }

  @Test func `a second connection to a validating server skips the Retry round trip`() {
    var configuration = PathConfiguration()
    configuration.validatesAddresses = true
    configuration.certificates = 4_000
    for resumes in [false, true] {
      configuration.resumesSessions = resumes
      var harness = Harness(Self.conditions, configuration: configuration)
      let first = harness.get(1_000, key: 1, isSecure: true, version: .http3)
      harness.run(until: .seconds(60))
      let start = harness.path.now
      let second = harness.get(1_000, key: 2, isSecure: true, version: .http3)
      harness.run(until: .seconds(120))
      // A token has validated the client's address, so the limit of three times the received bytes does not apply.
      #expect(harness.time(of: .responseReceived, first) == .milliseconds(300))
      #expect(
        harness.time(of: .responseReceived, second) == SimulatedInstant.zero.duration(to: start) + .milliseconds(200))
      let packets = harness.path.statistics(of: second).down.packets
      #expect(resumes ? packets < 8 : packets >= 8)
    }
  }

  /// The Initial packet and the first three datagrams are lost; they use up the server's amplification limit.
  ///
  /// The client's probe 999 ms after its hello raises the limit, and the Initial packet is sent first.
  @Test func `a server that may send again after its amplification limit sends lost packets first`() throws {
    let time = try #require(answer(down: [0], certificates: 20_000))
    #expect(time < .seconds(2), "\(time)")
  }

  // MARK: An end alone

  private func client() -> QuicEnd {
    var end = QuicEnd(isClient: true, control: .reno, clock: TickClock(KeyedRandom(seed: 0)))
    end.handshake.written[0] = QuicHandshake.clientHello
    end.begin(at: 0)
    return end
  }

  @Test func `a client accepts only the first Retry`() {
    var end = client()
    let retry = QuicPart(
      level: .initial, packet: Packet(kind: .handshake, owner: 0, flow: 0, size: 168), isRetry: true)
    for time in 1...2 as ClosedRange<Int64> {
      #expect(end.packet(written: 0, at: time) != nil)
      end.receive(retry, at: time)
      #expect(end.sender[.initial].inFlight == Int(time) - 1)
    }
  }

  @Test func `a datagram size whose probe was lost is not tried again`() {
    var end = client()
    end.establish(at: 1)
    end.sender.discard(.handshake, at: 1)
    end.sender.edge = .max
    func acknowledge(_ numbers: Range<Int>, at now: Int64) {
      var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 70)
      packet.echo = 0
      packet.blocks.append(SelectiveBlocks.Block(start: numbers.lowerBound, end: numbers.upperBound))
      end.receive(packet, at: now)
    }
    #expect(end.packet(written: 100, at: 2) != nil)
    acknowledge(0..<1, at: 100_000_000)
    let probe = end.packet(written: 100, at: 200_000_000)
    #expect(probe.map { Int64($0.size) } == 1_406 + QuicEnd.headers)
    for number in 2...4 as ClosedRange<Int64> {
      #expect(end.packet(written: number * 100, at: (number + 1) * 100_000_000) != nil)
    }
    acknowledge(2..<5, at: 600_000_000)
    #expect(end.packet(written: 400, at: 900_000_000) == nil)
  }

  @Test func `a server stops probing the datagram size when its bounds are at most 21 bytes apart`() {
    let sizes = [1_452, 1_274, 1_273, 1_272].map { QuicStack.server.probe(after: 1_252, below: $0) }
    #expect(sizes == [1_352, 1_263, nil, nil])
  }

  @Test func `a server acknowledges a hello only after it has computed`() {
    var end = QuicEnd(isClient: false, control: .reno, clock: TickClock(KeyedRandom(seed: 0)))
    end.begin(at: 0)
    end.handshake.computing = 5
    var hello = Packet(kind: .handshake, owner: 0, flow: 0, size: 1_200)
    (hello.pushes, hello.length, hello.end) = (true, 280, 280)
    end.receive(QuicPart(level: .initial, packet: hello), at: 1)
    #expect(!end.handshake.receivers[0].mustAcknowledge && end.handshake.receivers[0].deadline == 6)
    end.handshake.timerFired(at: 6)
    #expect(end.handshake.receivers[0].mustAcknowledge)
  }

  @Test func `a Handshake packet that arrives before its keys is kept unprocessed`() {
    var end = client()
    var packet = Packet(kind: .handshake, owner: 0, flow: 0, size: 300)
    (packet.pushes, packet.length, packet.end) = (true, 200, 200)
    end.receive(QuicPart(level: .handshake, packet: packet), at: 1)
    #expect(end.handshake.early.count == 1 && !end.handshake.receivers[1].hasReceived)
  }
}
