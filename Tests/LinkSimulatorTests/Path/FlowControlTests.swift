import Testing

@testable import LinkSimulator

/// QUIC stream limits; each way takes exactly 50 ms unless stated otherwise.
struct FlowControlTests {
  private static let delay = Duration.milliseconds(50)

  private func harness(
    _ conditions: PathConditions = .symmetric(delay: delay), streams: Int = 100
  ) -> Harness {
    var configuration = PathConfiguration()
    configuration.streamsPerConnection = streams
    configuration.racesQuic = false
    return Harness(conditions, configuration: configuration)
  }

  private func get(
    _ harness: inout Harness, _ bytes: Int64 = 1_000, request: Int64 = 100, key: UInt64, answers: Bool = true
  ) -> StreamID {
    harness.get(bytes, request: request, key: key, isSecure: true, version: .http3, answers: answers)
  }

  /// RFC 9000, section 4.6: a server raises the limit of streams once it has finished some.
  @Test func `a request above the QUIC stream limit waits a round trip longer than in HTTP/2`() throws {
    for (version, trips) in [(StreamRequest.HTTPVersion.http2, 2), (.http3, 4)] {
      var harness = harness(streams: 2)
      let streams = (1...3 as ClosedRange<UInt64>).map { key in
        harness.get(1_000, key: key, isSecure: true, version: version)
      }
      harness.run(until: .seconds(5))
      let ends = try streams.map { try #require(harness.time(of: .responseReceived, $0)) }
      #expect(ends[2] - ends[0] == Self.delay * trips, "\(version)")
    }
  }

  @Test func `a request that waits for room on a connection outlives the connection`() throws {
    let usual = PathConditions.symmetric(delay: Self.delay)
    let schedule = ConditionSchedule(phases: [
      .init(for: .seconds(1), conditions: usual), .init(for: .seconds(40), conditions: PathConditions(outage: .drop)),
      .init(conditions: usual),
    ])
    var configuration = PathConfiguration()
    configuration.streamsPerConnection = 1
    configuration.racesQuic = false
    var harness = Harness(try #require(schedule), configuration: configuration)
    let first = get(&harness, key: 1, answers: false)
    let second = get(&harness, key: 2)
    harness.run(until: .seconds(100))
    #expect(harness.failure(of: first) == .retransmissionsExhausted && harness.received(by: second) == 1_000)
  }

  @Test func `a stream limit that is never reached changes nothing`() {
    var (few, many) = (harness(streams: 60), harness(streams: 10_000))
    for key in 1...50 as ClosedRange<UInt64> {
      _ = get(&few, 20_000, key: key)
      _ = get(&many, 20_000, key: key)
    }
    few.run(until: .seconds(20))
    many.run(until: .seconds(20))
    #expect(few.events == many.events)
  }

  @Test func `forty requests over three QUIC streams all complete under loss`() throws {
    let lossy = PathConditions.symmetric(
      .megabitsPerSecond(5), delay: .milliseconds(20), loss: .independent(try #require(Probability(0.05))))
    var harness = harness(lossy, streams: 3)
    let streams = (1...40 as ClosedRange<UInt64>).map { get(&harness, 5_000, key: $0) }
    harness.run(until: .seconds(200))
    #expect(streams.allSatisfy { harness.received(by: $0) == 5_000 && harness.endings(of: $0) == 1 })
  }

  @Test func `a cancelled request frees its QUIC stream for another request`() {
    var harness = harness(streams: 1)
    let first = get(&harness, key: 1, answers: false)
    harness.run(until: .seconds(1))
    let second = get(&harness, key: 2)
    harness.run(until: .seconds(2))
    #expect(harness.endings(of: second) == 0)
    harness.path.cancel(first)
    harness.run(until: .seconds(3))
    // The cancellation, MAX_STREAMS, the request and its answer: two round trips.
    #expect(harness.time(of: .responseReceived, second) == .milliseconds(2_200))
  }

  /// On slow links curl's request leaves before the client offers 10 MiB; until then a response may send 32 KiB.
  @Test func `each response may send 32 KiB before the client raises its stream window`() {
    let slow = PathConditions.symmetric(.kilobitsPerSecond(1_600), delay: .milliseconds(150))
    /// The longest time between two deliveries of response bytes.
    func silence(_ sizes: [Int64]) -> Duration {
      var harness = harness(slow)
      for (place, size) in sizes.enumerated() { _ = get(&harness, size, key: UInt64(place)) }
      harness.run(until: .seconds(10))
      let times = harness.events.compactMap { event in
        if case .received = event.kind { event.time } else { nil }
      }
      return zip(times, times.dropFirst()).map { $0.duration(to: $1) }.max() ?? .zero
    }
    // Both sizes fit into the server's first congestion window.
    #expect(silence([36_000]) > .milliseconds(100))
    #expect(silence([18_000, 18_000]) < .milliseconds(20))
  }

  /// quic-go accepts 512 KiB of each request at first; an earlier upload has enlarged the congestion window.
  @Test func `one upload waits longer for its stream window than two uploads of half the size`() throws {
    let far = PathConditions.symmetric(.megabitsPerSecond(100), delay: .milliseconds(400), queue: 10_000)
    func end(_ sizes: [Int64]) throws -> Duration {
      var harness = harness(far)
      _ = get(&harness, request: 6_000_000, key: 10)
      harness.run(until: .seconds(30))
      let streams = sizes.enumerated().map { get(&harness, request: $1, key: UInt64($0)) }
      harness.run(until: .seconds(60))
      return try #require(streams.compactMap { harness.time(of: .responseReceived, $0) }.max())
    }
    #expect(try end([1_400_000]) > end([700_000, 700_000]))
  }
}
