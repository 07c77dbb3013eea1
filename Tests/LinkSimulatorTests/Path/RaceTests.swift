import Testing

@testable import LinkSimulator

/// Links without a rate: each way takes exactly 50 ms.
struct RaceTests {
  private static func conditions(_ delay: Duration = .milliseconds(50), isBlocked: Bool = false) -> PathConditions {
    var conditions = PathConditions.symmetric(delay: delay)
    conditions.udp = isBlocked ? .blocked : .open
    return conditions
  }

  private func get(_ harness: inout Harness, key: UInt64 = 1, answers: Bool = true) -> StreamID {
    harness.get(key: key, isSecure: true, version: .http3, answers: answers)
  }

  private func fallbacks(_ harness: Harness, _ stream: StreamID) -> Int {
    harness.events(of: stream).count { $0.kind == .fellBack }
  }

  @Test func `with UDP blocked a request uses TCP after a head start of 250 ms for QUIC`() {
    var harness = Harness(Self.conditions(isBlocked: true))
    let streams = (1...3 as ClosedRange<UInt64>).map { get(&harness, key: $0) }
    harness.run(until: .seconds(10))
    for stream in streams {
      #expect(fallbacks(harness, stream) == 1 && harness.endings(of: stream) == 1 && harness.failure(of: stream) == nil)
    }
    // The head start, and one round trip each for TCP and TLS.
    #expect(harness.time(of: .secured, streams[0]) == .milliseconds(250 + 100 + 100))
    #expect(harness.time(of: .responseReceived, streams[0]) == .milliseconds(550))
    #expect(harness.time(of: .packetLost(.up, .blocked), streams[0]) != nil)
    // The next request does not try QUIC.
    let next = get(&harness, key: 4)
    harness.run(until: .seconds(20))
    #expect(harness.time(of: .responseReceived, next) == .milliseconds(10_100) && fallbacks(harness, next) == 1)
  }

  @Test func `a forgetting fault follows its request from QUIC to the TCP connection`() {
    var harness = Harness(Self.conditions(isBlocked: true))
    harness.get(isSecure: true, version: .http3, faults: [.idleForget(after: .seconds(2))])
    harness.run(until: .seconds(5))
    let second = get(&harness, key: 2)
    harness.run(until: .seconds(20))
    #expect(harness.time(of: .connected(reused: true), second) != nil)
    #expect(harness.time(of: .packetLost(.up, .forgotten), second) != nil)
    #expect(harness.time(of: .requestReceived, second) == nil)
  }

  @Test func `QUIC is tried again five minutes after UDP failed`() throws {
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .seconds(60), conditions: Self.conditions(isBlocked: true)), .init(conditions: Self.conditions()),
      ]))
    var harness = Harness(schedule)
    _ = get(&harness)
    harness.run(until: .seconds(290))
    let before = get(&harness, key: 2)
    harness.run(until: .seconds(301))
    let after = get(&harness, key: 3)
    harness.run(until: .seconds(310))
    #expect(fallbacks(harness, before) == 1 && fallbacks(harness, after) == 0)
    #expect(harness.time(of: .responseReceived, after) == .milliseconds(301_200))
  }

  @Test func `QUIC races against a new TCP connection if the old one was idle for too long`() {
    var harness = Harness(Self.conditions(isBlocked: true))
    _ = get(&harness)
    harness.run(until: .seconds(400))
    let next = get(&harness, key: 2)
    harness.run(until: .seconds(410))
    #expect(fallbacks(harness, next) == 1 && harness.time(of: .responseReceived, next) == .milliseconds(400_550))
  }

  @Test func `no TCP connection is opened when QUIC connects within its head start`() {
    for delay in [50, 120] {
      var harness = Harness(Self.conditions(.milliseconds(delay)))
      let stream = get(&harness)
      harness.run(until: .seconds(10))
      #expect(
        fallbacks(harness, stream) == 0 && harness.time(of: .responseReceived, stream) == .milliseconds(4 * delay))
      #expect(harness.path.connections.indices.count == 1)
    }
  }

  @Test func `on a slow path QUIC wins against TCP, and the TCP connection is closed`() {
    var harness = Harness(Self.conditions(.milliseconds(300)))
    let stream = get(&harness)
    harness.run(until: .seconds(20))
    #expect(fallbacks(harness, stream) == 0 && harness.time(of: .responseReceived, stream) == .milliseconds(1_200))
    #expect(harness.path.connections.indices.count == 2)
    #expect(harness.path.connections.indices.filter { harness.path.connections[$0].isClosed }.count == 1)
  }

  @Test func `an HTTP/2 request that waited for the losing TCP connection still completes`() {
    var harness = Harness(Self.conditions(.milliseconds(300)))
    let first = get(&harness)
    harness.run(until: .milliseconds(400))
    let second = harness.get(key: 2, isSecure: true, version: .http2)
    harness.run(until: .seconds(30))
    #expect(harness.failure(of: first) == nil && harness.endings(of: first) == 1)
    #expect(harness.failure(of: second) == nil && harness.endings(of: second) == 1)
  }

  @Test func `a request uses an open TCP connection as soon as QUIC's head start is over`() {
    var harness = Harness(Self.conditions(isBlocked: true))
    _ = get(&harness)
    harness.run(until: .seconds(299))
    let open = get(&harness, key: 2, answers: false)
    harness.run(until: .seconds(301))
    let next = get(&harness, key: 3)
    harness.run(until: .seconds(302))
    #expect(harness.time(of: .connected(reused: true), next) == .milliseconds(301_250))
    #expect(harness.time(of: .responseReceived, next) == .milliseconds(301_350) && harness.endings(of: open) == 0)
    #expect(harness.path.statistics(of: next).connection == harness.path.statistics(of: open).connection)
  }

  @Test func `a request that waited for QUIC opens its own TCP connection when the first one is reset`() {
    var configuration = PathConfiguration()
    configuration.streamsPerConnection = 1
    var harness = Harness(Self.conditions(isBlocked: true), configuration: configuration)
    let first = harness.get(isSecure: true, version: .http3, faults: [.reset(direction: .up, afterBytes: 100)])
    let next = get(&harness, key: 2)
    harness.run(until: .seconds(10))
    // The head start, both handshakes, and one round trip for the request.
    #expect(harness.time(of: .failed(.reset), first) == .milliseconds(250 + 100 + 100 + 100))
    #expect(harness.time(of: .responseReceived, next) == .milliseconds(550 + 300) && fallbacks(harness, next) == 1)
  }

  @Test func `a request whose QUIC and TCP connections both fail ends once with TCP's error`() throws {
    var conditions = Self.conditions()
    conditions.outage = .drop
    var harness = Harness(conditions)
    let stream = get(&harness)
    harness.run(until: .seconds(1_000))
    #expect(harness.endings(of: stream) == 1)
    let failed = try #require(harness.time(of: .failed(.connectTimedOut), stream))
    #expect((131...146).contains(failed.components.seconds))
    #expect(harness.time(of: .connected(reused: false), stream) == nil)
  }

  @Test func `a request cancelled during the race gets no event, and the next one completes`() {
    for milliseconds in [100, 249, 250, 251, 320, 400] {
      var harness = Harness(Self.conditions(isBlocked: true))
      let stream = get(&harness)
      harness.run(until: .milliseconds(milliseconds))
      harness.path.cancel(stream)
      harness.run(until: .seconds(100))
      #expect(harness.endings(of: stream) == 0)
      let next = get(&harness, key: 2)
      harness.run(until: .seconds(200))
      #expect(harness.endings(of: next) == 1 && harness.failure(of: next) == nil)
    }
  }

  @Test func `when UDP is blocked later an open request fails and the next one uses TCP`() throws {
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .seconds(5), conditions: Self.conditions()), .init(conditions: Self.conditions(isBlocked: true)),
      ]))
    var harness = Harness(schedule)
    let first = get(&harness, answers: false)
    harness.run(until: .seconds(60))
    let failed = try #require(harness.time(of: .failed(.retransmissionsExhausted), first))
    // 30 s after the first packet without an answer.
    #expect((45...46).contains(failed.components.seconds))
    let next = get(&harness, key: 2)
    harness.run(until: .seconds(120))
    #expect(harness.failure(of: next) == nil && fallbacks(harness, next) == 1)
  }

  @Test(arguments: [14, 15, 16, 20, 40])
  func `a request completes exactly once when QUIC connects too late`(delay: Int) {
    var harness = Harness(Self.conditions(.seconds(delay)))
    let stream = get(&harness)
    harness.run(until: .seconds(1_000))
    #expect(harness.endings(of: stream) == 1 && harness.failure(of: stream) == nil)
  }
}
