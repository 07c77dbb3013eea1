import Testing

@testable import LinkSimulator

/// Clients whose address changes; each way takes exactly 50 ms.
struct QuicMigrationTests {
  private static func conditions(_ interface: DeviceConditions.Interface) -> PathConditions {
    var conditions = PathConditions.symmetric(delay: .milliseconds(50))
    conditions.device.interface = interface
    return conditions
  }

  /// A device that changes its interface after a second.
  private func handOver(_ migration: PathConfiguration.Migration) throws -> Harness {
    var configuration = PathConfiguration()
    configuration.migration = migration
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .seconds(1), conditions: Self.conditions(.wifi)), .init(conditions: Self.conditions(.cellular)),
      ]))
    return Harness(schedule, configuration: configuration)
  }

  @Test func `a client without connection migration loses its QUIC requests in a handover`() throws {
    for migration in [PathConfiguration.Migration.none, .server] {
      var harness = try handOver(migration)
      let stream = harness.get(1_000, key: 1, isSecure: true, version: .http3, answers: false)
      harness.run(until: .seconds(5))
      #expect(harness.time(of: .failed(.connectionLost), stream) == .seconds(1))
    }
  }

  @Test func `a migrating client keeps its QUIC requests and loses its TCP requests in a handover`() throws {
    var harness = try handOver(.both)
    let stream = harness.get(1_000, key: 1, isSecure: true, version: .http3, answers: false)
    let other = harness.get(1_000, key: 2, isSecure: true, version: .http2, answers: false)
    harness.run(until: .seconds(2))
    #expect(harness.endings(of: stream) == 0 && harness.failure(of: other) == .connectionLost)
    harness.path.write(1_000, .down, on: stream, finishing: true)
    harness.run(until: .seconds(3))
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(2_050))
  }

  @Test func `a client repeats its first packet on a new path until one arrives`() throws {
    var configuration = PathConfiguration()
    configuration.migration = .both
    var lossy = Self.conditions(.cellular)
    lossy.up.loss = .independent(.percent(100))
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .seconds(1), conditions: Self.conditions(.wifi)), .init(for: .milliseconds(500), conditions: lossy),
        .init(conditions: Self.conditions(.cellular)),
      ]))
    var harness = Harness(schedule, configuration: configuration)
    let stream = harness.get(1_000, key: 1, isSecure: true, version: .http3, answers: false)
    harness.run(until: .seconds(3))
    harness.path.write(1_000, .down, on: stream, finishing: true)
    harness.run(until: .seconds(4))
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(3_050))
  }

  /// RFC 9000, section 9.4: the window starts again, and packets in flight on the old path are lost.
  @Test func `a response continues in slow start after a migration`() throws {
    var moved = try handOver(.both)
    var still = Harness(Self.conditions(.wifi))
    // Bodies that take more than a second to transfer.
    let streams = (
      moved.get(16_000_000, key: 1, isSecure: true, version: .http3),
      still.get(16_000_000, key: 1, isSecure: true, version: .http3)
    )
    moved.run(until: .seconds(60))
    still.run(until: .seconds(60))
    #expect(moved.received(by: streams.0) == 16_000_000 && moved.failure(of: streams.0) == nil)
    let end = try #require(moved.time(of: .responseReceived, streams.0))
    let without = try #require(still.time(of: .responseReceived, streams.1))
    #expect(without > .seconds(1) && end > without + .milliseconds(200))
    #expect(moved.path.statistics(of: streams.0).down.lost > 0)
  }

  /// A request after 10 s through an address translator that forgets the connection after 5 s.
  private func rebind(_ migration: PathConfiguration.Migration) -> (harness: Harness, stream: StreamID) {
    var configuration = PathConfiguration()
    configuration.migration = migration
    configuration.natTimeout = .seconds(5)
    configuration.racesQuic = false
    var harness = Harness(Self.conditions(.wifi), configuration: configuration)
    _ = harness.get(1_000, key: 1, isSecure: true, version: .http3)
    harness.run(until: .seconds(10))
    let stream = harness.get(1_000, key: 2, isSecure: true, version: .http3)
    harness.run(until: .seconds(60))
    return (harness, stream)
  }

  @Test func `a request fails when the server keeps sending to the client's old address`() {
    let (harness, stream) = rebind(.none)
    #expect(harness.failure(of: stream) == .retransmissionsExhausted)
  }

  /// RFC 9000, section 9.3: the response exceeds three times the request's bytes.
  ///
  /// It waits until the client's new address is validated.
  @Test func `a server that follows a changed client address responds one round trip later`() {
    for migration in [PathConfiguration.Migration.server, .both] {
      let (harness, stream) = rebind(migration)
      #expect(harness.time(of: .responseReceived, stream) == .milliseconds(10_200))
    }
  }

  /// RFC 9000, section 8.2.1: path challenges are not sent more often than Initial packets would be.
  @Test func `a NAT timeout below the round trip causes fewer than 100 packets and no endless events`() throws {
    for (limit, unanswered) in [(60, false), (99, false), (99, true), (1, true)] {
      var configuration = PathConfiguration()
      configuration.migration = .server
      configuration.natTimeout = .milliseconds(limit)
      configuration.racesQuic = false
      var harness = Harness(Self.conditions(.wifi), configuration: configuration)
      let stream = harness.get(20_000, key: 1, isSecure: true, version: .http3, answers: !unanswered)
      harness.run(until: .seconds(100))
      let counters = harness.path.statistics(of: stream)
      #expect(unanswered || harness.received(by: stream) == 20_000)
      #expect(counters.up.packets + counters.down.packets < 100)
      harness.path.cancel(stream)
      harness.run(until: .seconds(300))
      #expect(harness.path.nextEventTime == nil)
    }
  }

  /// RFC 9000, section 9.3: at most three times the bytes received from the new address until it is validated.
  @Test func `a server sends only one small challenge to a new client address before validation`() {
    var end = QuicEnd(isClient: false, control: .reno, clock: TickClock(KeyedRandom(seed: 1)))
    end.begin(at: 0)
    end.establish(at: 0)
    end.sender.discard(.handshake, at: 0)
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 128)
    packet.pushes = true
    end.noteArrival(packet, at: 1_000)
    end.follows(isNewPath: false, at: 1_000)
    end.noteArrival(packet, at: 1_000)
    end.receive(packet, at: 1_000)
    var sizes: [Int32] = []
    while let next = end.packet(written: 100_000, at: 2_000) { sizes.append(next.size) }
    // Only the challenge, in the largest datagram allowed.
    #expect(sizes == [328])
    #expect(!end.isValidated)
    packet.segment = 1
    packet.acknowledged = 1
    packet.echo = 0
    end.noteArrival(packet, at: 3_000)
    end.receive(packet, at: 3_000)
    #expect(end.isValidated)
    #expect(end.packet(written: 100_000, at: 3_000) != nil)
  }
}

extension QuicEnd {
  /// The next packet of this end, without a peer.
  mutating func packet(written: Int64, at now: Int64) -> Packet? {
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 0)
    if case .nothing = nextPacket(&packet, written: written, at: now) { return nil }
    return packet
  }
}
