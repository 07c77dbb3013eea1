import Testing
import Thoroughness

@testable import LinkSimulator

/// Links without a rate unless stated otherwise: each way takes exactly 50 ms.
struct QuicConnectionTests {
  private static let delay = Duration.milliseconds(50)
  private static let conditions = PathConditions.symmetric(delay: delay)

  private func get(
    _ harness: inout Harness, _ bytes: Int64 = 1_000, key: UInt64 = 1, faults: [StreamFault] = [], answers: Bool = true
  ) -> StreamID {
    harness.get(bytes, key: key, isSecure: true, version: .http3, faults: faults, answers: answers)
  }

  @Test func `a QUIC request is sent after one round trip and answered after two`() {
    var harness = Harness(Self.conditions)
    let stream = get(&harness)
    harness.run(until: .seconds(5))
    #expect(harness.time(of: .connected(reused: false), stream) == Self.delay * 2)
    #expect(harness.time(of: .secured, stream) == Self.delay * 2)
    #expect(harness.time(of: .requestReceived, stream) == Self.delay * 3)
    #expect(harness.time(of: .responseReceived, stream) == Self.delay * 4)
    // The next request reuses the connection.
    let start = harness.path.now
    let next = get(&harness, key: 2)
    harness.run(until: .seconds(10))
    #expect(harness.time(of: .connected(reused: true), next) == SimulatedInstant.zero.duration(to: start))
    #expect(harness.time(of: .responseReceived, next) == SimulatedInstant.zero.duration(to: start) + Self.delay * 2)
  }

  /// RFC 9000, section 8.1: at most three times 1,200 bytes until the client has answered.
  @Test func `certificates larger than three datagrams delay a QUIC handshake by a round trip`() {
    for (certificates, trips) in [(3_000 as Int64, 2), (4_000, 4)] {
      var configuration = PathConfiguration()
      configuration.certificates = certificates
      var harness = Harness(Self.conditions, configuration: configuration)
      let stream = get(&harness)
      harness.run(until: .seconds(5))
      #expect(harness.time(of: .secured, stream) == Self.delay * trips)
    }
  }

  @Test func `a QUIC stream is read before a lost packet of another stream arrives`() {
    let other = StreamHandle(slot: 2, tag: 0)
    var framingQueue = FramingQueue(announcesEnds: false, isOrdered: false)
    for stream in [StreamHandle(slot: 1, tag: 0), other, StreamHandle(slot: 1, tag: 0), other] {
      _ = framingQueue.append(.payload, 100, framing: 3, stream: stream, isLast: false)
    }
    var arrived = NumberRanges()
    // All but the first packet.
    arrived.insert(103..<412)
    var read: [Int32] = []
    while let portion = framingQueue.read(arrived: arrived) { read.append(portion.chunk.stream.slot) }
    #expect(read == [2, 2])
    arrived.insert(0..<103)
    while let portion = framingQueue.read(arrived: arrived) { read.append(portion.chunk.stream.slot) }
    #expect(read == [2, 2, 1, 1])
  }

  @Test func `a QUIC reset is read only after all bytes sent before it`() {
    var framingQueue = FramingQueue(announcesEnds: false, isOrdered: false)
    _ = framingQueue.append(.payload, 100, framing: 0, stream: StreamHandle(slot: 1, tag: 0), isLast: false)
    _ = framingQueue.append(.reset, 1, framing: 0, stream: .none, isLast: false)
    var arrived = NumberRanges()
    arrived.insert(100..<101)
    #expect(framingQueue.read(arrived: arrived) == nil)
    arrived.insert(0..<100)
    #expect(framingQueue.read(arrived: arrived)?.chunk.kind == .payload)
    #expect(framingQueue.read(arrived: arrived)?.chunk.kind == .reset)
  }

  @Test func `an idle QUIC connection ends after 30 s unless a request is open`() {
    var harness = Harness(Self.conditions)
    _ = get(&harness)
    harness.run(until: .seconds(40))
    let later = get(&harness, key: 2)
    harness.run(until: .seconds(45))
    #expect(harness.path.statistics(of: later).connection == 1)

    var waiting = Harness(Self.conditions)
    let open = get(&waiting, answers: false)
    waiting.run(until: .seconds(200))
    #expect(waiting.endings(of: open) == 0)
    waiting.path.write(1_000, .down, on: open, finishing: true)
    waiting.run(until: .seconds(201))
    #expect(waiting.failure(of: open) == nil && waiting.endings(of: open) == 1)
  }

  /// RFC 9000, section 10.1: the first packet sent after the last one received restarts the idle time.
  @Test func `an open QUIC request in an outage fails 30 s after its first unanswered packet`() throws {
    var out = Self.conditions
    out.outage = .drop
    let schedule = try #require(
      ConditionSchedule(phases: [
        ConditionSchedule.Phase(for: .seconds(1), conditions: Self.conditions),
        ConditionSchedule.Phase(conditions: out),
      ]))
    var harness = Harness(schedule)
    let stream = get(&harness, answers: false)
    harness.run(until: .seconds(100))
    let failed = try #require(harness.time(of: .failed(.retransmissionsExhausted), stream))
    #expect(failed > .seconds(45) && failed <= .seconds(46))
  }

  @Test func `a request shortly before the idle timeout is served on the same QUIC connection`() {
    var harness = Harness(Self.conditions)
    _ = get(&harness)
    harness.run(until: .milliseconds(30_100))
    let next = get(&harness, key: 2)
    harness.run(until: .seconds(40))
    #expect(harness.time(of: .connected(reused: true), next) != nil && harness.failure(of: next) == nil)
  }

  @Test func `a request after a large transfer and a pause completes`() {
    var harness = Harness(.symmetric(delay: .milliseconds(1)))
    _ = get(&harness, Thoroughness.isWhole ? 200_000_000 : 20_000_000)
    harness.run(until: .seconds(20))
    let next = get(&harness, 1_000, key: 2)
    harness.run(until: .seconds(21))
    #expect(harness.failure(of: next) == nil && harness.endings(of: next) == 1)
  }

  @Test func `an HTTP/3 request for a standing connection opens a new one`() {
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(Self.conditions))
    let stream = path.open(StreamRequest(key: 1, host: "a", port: 443, isSecure: true, version: .http3, use: .standing))
    path.advance(to: .zero.advanced(by: .milliseconds(100)))
    var kinds: [PathEvent.Kind] = []
    path.drainEvents { if $0.stream == stream { kinds.append($0.kind) } }
    #expect(kinds.contains(.connected(reused: false)))
  }

  /// Round trips of 8 s: the second probe would be sent after 40 s.
  @Test(.timeLimit(.minutes(10)))
  func `an open QUIC request with long round trips ends once after an outage`() throws {
    let far = PathConditions.symmetric(delay: .seconds(4))
    var out = far
    out.outage = .drop
    let schedule = try #require(
      ConditionSchedule(phases: [.init(for: .seconds(40), conditions: far), .init(conditions: out)]))
    var configuration = PathConfiguration()
    configuration.racesQuic = false
    var harness = Harness(schedule, configuration: configuration)
    let stream = get(&harness, answers: false)
    harness.run(until: .seconds(200))
    #expect(harness.endings(of: stream) == 1)
  }

  @Test func `QUIC packets become larger after path MTU discovery`() {
    // Compares the packets of equal responses before and after a long transfer.
    var harness = Harness(Self.conditions)
    let first = get(&harness, 100_000)
    harness.run(until: .seconds(3))
    _ = get(&harness, 5_000_000, key: 2)
    harness.run(until: .seconds(10))
    let last = get(&harness, 100_000, key: 3)
    harness.run(until: .seconds(20))
    #expect(harness.path.statistics(of: last).down.packets + 8 < harness.path.statistics(of: first).down.packets)
  }

  @Test func `QUIC runs with one seed are equal, and every byte arrives under loss`() throws {
    for control in PathConfiguration.CongestionControl.allCases {
      for seed in Thoroughness.cases(2, of: 0..<10 as Range<UInt64>) {
        var configuration = PathConfiguration()
        configuration.congestionControl = control
        let lossy = PathConditions.symmetric(
          .megabitsPerSecond(5), delay: .milliseconds(30), loss: .independent(try #require(Probability(0.05))),
          queue: 20)
        func run() -> Harness {
          var harness = Harness(lossy, seed: seed, configuration: configuration)
          for key in 1...4 as ClosedRange<UInt64> { _ = get(&harness, 60_000, key: key) }
          harness.run(until: .seconds(600))
          return harness
        }
        let (one, other) = (run(), run())
        #expect(one.events == other.events)
        for stream in one.exchanges.keys {
          #expect(one.received(by: stream) == 60_000 && one.failure(of: stream) == nil)
        }
      }
    }
  }

  /// curl 8 with ngtcp2 from Caddy 2.6 with quic-go, over links without loss: 25 kB to 12 MB, in Linux namespaces.
  @Test(arguments: [
    // kbit/s down and up, round trip in ms, bytes, seconds.
    (780, 330, 200, 100_000, 1.583), (780, 330, 200, 1_000_000, 11.400), (1_600, 768, 300, 100_000, 1.317),
    (5_000, 1_000, 28, 100_000, 0.263), (5_000, 1_000, 28, 4_000_000, 6.862), (9_000, 9_000, 170, 100_000, 0.626),
    (9_000, 9_000, 170, 1_000_000, 1.539), (20_000, 5_000, 40, 12_000_000, 5.192),
    (50_000, 10_000, 16, 4_000_000, 0.731),
  ])
  func `a QUIC transfer takes the measured time within 3 %`(
    down: Int, up: Int, trip: Int, bytes: Int, seconds: Double
  ) throws {
    let half = Duration.microseconds(trip * 500 + 75)
    var scenario = TransferScenario(
      .get, bytes: Int64(bytes),
      over: ConditionSchedule(
        PathConditions(
          down: LinkConditions(rate: .kilobitsPerSecond(Double(down)), delay: half),
          up: LinkConditions(rate: .kilobitsPerSecond(Double(up)), delay: half))))
    scenario.version = .http3
    scenario.configuration.certificates = 923
    scenario.configuration.handshakeComputing = .microseconds(1_500)
    let total = try #require(scenario.run(seed: 1).total)
    #expect(abs(total / .seconds(1) / seconds - 1) < 0.03)
  }
}
