import Testing

@testable import LinkSimulator

/// The throttling model of Chrome's DevTools (``PathConditions/Model/devTools``).
///
/// A tick is 10 ms: 1500 bytes at 1.2 Mbit/s. Ticks count from the beginning.
struct ThrottleTests {
  static func conditions(
    rate: Bandwidth? = .kilobitsPerSecond(1_200), delay: Duration = .milliseconds(50)
  ) -> PathConditions {
    var conditions = PathConditions.symmetric(rate, delay: delay)
    conditions.model = .devTools
    return conditions
  }

  private static func ends(_ streams: [StreamID], _ harness: Harness) -> [Duration?] {
    streams.map { harness.time(of: .responseReceived, $0) }
  }

  @Test(arguments: [(false, StreamRequest.HTTPVersion.http1), (true, .http1), (true, .http2)])
  func `a throttled response takes its latency and a tick per 1500 bytes`(
    isSecure: Bool, version: StreamRequest.HTTPVersion
  ) {
    var harness = Harness(Self.conditions())
    let stream = harness.get(2_900, isSecure: isSecure, version: version)
    harness.run()
    #expect(harness.time(of: .connected(reused: false), stream) == .zero)
    #expect(harness.time(of: .requestReceived, stream) == .zero)
    #expect(harness.time(of: .received(count: 1_500), stream) == .milliseconds(110))
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(120))
    #expect(harness.received(by: stream) == 2_900)
  }

  @Test func `throttled requests take turns of 1500 bytes`() {
    var harness = Harness(Self.conditions())
    let streams = [harness.get(3_000, key: 1), harness.get(3_000, key: 2), harness.get(1_000, key: 3)]
    harness.run()
    #expect(Self.ends(streams, harness) == [.milliseconds(140), .milliseconds(150), .milliseconds(130)])
  }

  @Test func `a seventh request to a host waits for a connection and then for its own latency`() {
    var harness = Harness(Self.conditions())
    let streams = (1...7).map { harness.get(key: UInt64($0)) }
    harness.run()
    #expect(Self.ends(streams, harness) == [110, 120, 130, 140, 150, 160, 220].map { Duration.milliseconds($0) })
  }

  @Test func `throttling delays a request's body but not its head, and latency starts after the body`() {
    var harness = Harness(Self.conditions())
    let stream = harness.get(request: 3_000, head: 100)
    harness.run()
    #expect(harness.time(of: .uploaded(total: 100), stream) == .zero)
    #expect(harness.time(of: .uploaded(total: 1_600), stream) == .milliseconds(10))
    #expect(harness.time(of: .requestReceived, stream) == .milliseconds(20))
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(130))
  }

  @Test func `a server that responds within the throttled latency adds no delay`() {
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(Self.conditions()))
    let stream = path.open(StreamRequest(key: 1, host: "a", port: 80, headBytes: 100))
    path.write(100, .up, on: stream, finishing: true)
    path.advance(to: SimulatedInstant(nanoseconds: 90_000_000))
    path.write(1_000, .down, on: stream, finishing: true)
    path.advance(to: .distantFuture)
    var end: SimulatedInstant?
    path.drainEvents { if $0.kind == .responseReceived { end = $0.time } }
    #expect(end == SimulatedInstant(nanoseconds: 110_000_000))
  }

  @Test func `an unused part of a tick serves bytes that arrive later`() {
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(Self.conditions()))
    let stream = path.open(StreamRequest(key: 1, host: "a", port: 80, headBytes: 100))
    path.write(100, .up, on: stream, finishing: true)
    path.advance(to: .zero)
    path.write(100, .down, on: stream, finishing: false)
    path.advance(to: SimulatedInstant(nanoseconds: 115_000_000))
    path.drainEvents { _ in }
    path.write(1_400, .down, on: stream, finishing: true)
    path.advance(to: SimulatedInstant(nanoseconds: 115_000_000))
    var kinds: [PathEvent.Kind] = []
    path.drainEvents { kinds.append($0.kind) }
    #expect(kinds == [.received(count: 1_400), .responseReceived])
  }

  @Test(arguments: [(nil, .milliseconds(100)), (.zero, nil)] as [(Bandwidth?, Duration?)])
  func `throttling without a rate adds only latency, and rate 0 passes nothing`(rate: Bandwidth?, end: Duration?) {
    var harness = Harness(Self.conditions(rate: rate))
    let stream = harness.get(50_000)
    harness.run()
    #expect(harness.time(of: .responseReceived, stream) == end)
  }

  @Test func `a throttled rate however high takes a nanosecond per 1500 bytes`() {
    var harness = Harness(Self.conditions(rate: .megabitsPerSecond(1_000_000_000)))
    let stream = harness.get(2_900)
    harness.run()
    #expect(harness.time(of: .responseReceived, stream) == .nanoseconds(100_000_002))
  }

  @Test func `bytes that throttling holds back arrive at once when unlimited conditions begin`() throws {
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .milliseconds(115), conditions: Self.conditions()), .init(conditions: .unlimited),
      ]))
    var harness = Harness(schedule)
    let stream = harness.get(50_000)
    harness.run()
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(115))
  }

  @Test func `a new throttled rate counts its ticks from the time of the change`() throws {
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .milliseconds(117), conditions: Self.conditions()),
        .init(conditions: Self.conditions(rate: .kilobitsPerSecond(2_400))),
      ]))
    var harness = Harness(schedule)
    let stream = harness.get(4_500)
    harness.run()
    // Ticks at 110 ms, 122 ms and 127 ms: the new rate begins at 117 ms, with a tick of 5 ms.
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(127))
  }

  @Test func `a reset fault ends a throttled response after the given number of bytes`() {
    var harness = Harness(Self.conditions())
    let reset = harness.get(5_000, key: 1, host: "a", faults: [.reset(direction: .down, afterBytes: 2_000)])
    harness.run()
    #expect(harness.failure(of: reset) == .reset)
    #expect(harness.received(by: reset) == 2_000)
    #expect(harness.events.last?.time == SimulatedInstant(nanoseconds: 120_000_000))
  }

  @Test func `a cancelled throttled request leaves its turns to the others`() {
    var harness = Harness(Self.conditions())
    let streams = [harness.get(30_000, key: 1), harness.get(3_000, key: 2)]
    harness.run(until: .milliseconds(105))
    harness.path.cancel(streams[0])
    harness.run()
    #expect(harness.time(of: .responseReceived, streams[1]) == .milliseconds(120))
  }

  @Test func `each response on a request's own connection waits for the latency again`() {
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(Self.conditions(rate: nil)))
    let stream = path.open(StreamRequest(key: 1, host: "a", port: 80, use: .own))
    var answers: [Int64] = []
    for _ in 0..<2 {
      path.write(100, .up, on: stream, finishing: false)
      path.advance(to: path.now)
      path.write(100, .down, on: stream, finishing: false)
      path.advance(to: path.now.advanced(by: .milliseconds(300)))
      path.drainEvents { if case .received = $0.kind { answers.append($0.time.nanoseconds) } }
    }
    #expect(answers == [100_000_000, 400_000_000])
  }

  @Test func `bytes that throttling holds back count as unsent and fill the send buffer`() {
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(Self.conditions()))
    let stream = path.open(StreamRequest(key: 1, host: "a", port: 80, use: .own))
    // The request has no connection yet.
    #expect(path.unsent(.down, on: stream) == 0)
    path.advance(to: .zero)
    let room = path.room(.down, on: stream)
    path.write(10_000, .down, on: stream, finishing: false)
    path.advance(to: .zero)
    #expect(path.unsent(.down, on: stream) == 10_000)
    #expect(path.room(.down, on: stream) == room - 10_000)
  }
}
