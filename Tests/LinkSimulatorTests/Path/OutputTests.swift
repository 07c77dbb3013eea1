import Testing

@testable import LinkSimulator

/// Responses that share an HTTP/2 connection.
struct OutputTests {
  /// The end of each of two simultaneous responses, in milliseconds.
  private static func ends(_ bytes: [Int64], isSecure: Bool = true, _ scheduling: PathConfiguration.Scheduling)
    -> [Int64]
  {
    var configuration = PathConfiguration()
    configuration.scheduling = scheduling
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)), configuration: configuration)
    let streams = bytes.enumerated().map { place, count in
      harness.get(count, key: UInt64(place), isSecure: isSecure, version: .http2)
    }
    harness.run()
    #expect(zip(streams, bytes).allSatisfy { harness.received(by: $0) == $1 })
    return streams.map {
      (harness.time(of: .responseReceived, $0) ?? .zero).components.attoseconds / 1_000_000_000_000_000
        + (harness.time(of: .responseReceived, $0) ?? .zero).components.seconds * 1_000
    }
  }

  @Test(arguments: [true, false])
  func `a small response waits for a large one's buffered bytes unless scheduling is fair`(
    isSecure: Bool
  ) {
    let buffered = Self.ends([400_000, 1_000], isSecure: isSecure, .buffered)
    let fair = Self.ends([400_000, 1_000], isSecure: isSecure, .fair)
    // 46 kB fill the kernel's send buffer, and up to 64 KiB of frames wait before it: 0.9 s at 1 Mbit/s.
    #expect(buffered[1] > 600 && buffered[1] < 1_200)
    #expect(fair[1] < 400)
    // All bytes together take the same time, except for framing.
    #expect(abs(buffered[0] - fair[0]) < 30)
  }

  /// The ends of responses that are requested at the same time, each with a priority.
  private static func ends(
    _ priorities: [String?], _ scheduling: PathConfiguration.Scheduling = .fair,
    _ version: StreamRequest.HTTPVersion = .http2
  ) -> [Duration] {
    var configuration = PathConfiguration()
    configuration.scheduling = scheduling
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)), configuration: configuration)
    let streams = priorities.enumerated().map { place, priority in
      harness.get(100_000, key: UInt64(place), isSecure: true, version: version, priority: priority)
    }
    harness.run()
    return streams.map { harness.time(of: .responseReceived, $0) ?? .zero }
  }

  @Test func `fair scheduling sends the most urgent response first`() {
    let ends = Self.ends(["u=5", "u=1", nil])
    #expect(ends[1] < ends[2] && ends[2] < ends[0])
    // Each alone takes 0.83 s. The first starts before the others and fills the initial window of 14 kB: 0.12 s.
    #expect(ends[2] - ends[1] > .milliseconds(700) && ends[0] - ends[2] > .milliseconds(600))
  }

  @Test func `incremental responses of equal urgency share the link, and others take turns`() {
    let shared = Self.ends(["i", "i"])
    #expect(shared[1] - shared[0] < .milliseconds(200))
    let ordered = Self.ends(["u=3", "u=3"])
    #expect(ordered[1] - ordered[0] > .milliseconds(700))
    #expect(Self.ends(["u=3, i", "u=3;x, i=?1"]) == shared && Self.ends(["u=9", "u=x, i=7"]) == ordered)
    #expect(Self.ends([nil, nil]) == shared)
  }

  @Test func `buffered scheduling ignores priorities in HTTP/2 and HTTP/3`() {
    for version in [StreamRequest.HTTPVersion.http2, .http3] {
      #expect(Self.ends(["u=5", "u=1"], .buffered, version) == Self.ends([nil, nil], .buffered, version))
    }
  }

  /// RFC 9218, section 10.
  @Test func `fair scheduling in HTTP/3 follows priorities too`() {
    let ends = Self.ends(["u=5", "u=1", nil], .fair, .http3)
    #expect(ends[1] < ends[2] && ends[2] < ends[0])
    // The first response starts before the other and fills the initial window of 40 kB: 0.33 s.
    let shared = Self.ends(["i", "i"], .fair, .http3)
    #expect(shared[1] - shared[0] < .milliseconds(400))
    let ordered = Self.ends(["u=3", "u=3"], .fair, .http3)
    #expect(ordered[1] - ordered[0] > .milliseconds(700))
  }

  @Test func `two equally large responses share the link and end at about the same time`() {
    let ends = Self.ends([300_000, 300_000], .buffered)
    #expect(ends[1] - ends[0] > 0 && ends[1] - ends[0] < 600)
  }

  @Test func `bytes of one TLS record are received together`() {
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)))
    let stream = harness.get(40_000, isSecure: true, version: .http2)
    harness.run()
    let counts = harness.events(of: stream).compactMap { event in
      if case .received(let count) = event.kind { count } else { nil }
    }
    // A buffer of 32 KiB holds four frames: two full records and a short one at a segment's end. Then the rest follows.
    #expect(counts == [16_366, 16_366 + 36, 7_232])
  }

  @Test func `a cancelled response does not affect another on its connection`() {
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)))
    let first = harness.get(400_000, isSecure: true, version: .http2)
    let second = harness.get(100_000, key: 2, isSecure: true, version: .http2)
    harness.run(until: .milliseconds(500))
    harness.path.cancel(first)
    harness.run()
    #expect(harness.received(by: second) == 100_000 && harness.endings(of: second) == 1)
    #expect(harness.endings(of: first) == 0 && harness.received(by: first) < 400_000)
  }

  @Test func `a truncated HTTP/2 response fails when its last byte before the cut has arrived`() {
    var harness = Harness(.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20)))
    let cut = harness.get(
      100_000, isSecure: true, version: .http2, faults: [.truncation(afterBytes: 50_000)])
    harness.run()
    #expect(harness.received(by: cut) == 50_000 && harness.failure(of: cut) == .truncated)
  }

  @Test func `bytes that arrive at different times are different events, also if nobody takes them meanwhile`() {
    let conditions = PathConditions.symmetric(.megabitsPerSecond(1), delay: .milliseconds(20))
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(conditions))
    let stream = path.open(StreamRequest(key: 1, host: "a.example", port: 80, headBytes: 100))
    path.write(100, .up, on: stream, finishing: true)
    path.advance(to: SimulatedInstant(nanoseconds: 1_000_000_000))
    path.write(4_000, .down, on: stream, finishing: true)
    path.advance(to: SimulatedInstant(nanoseconds: 2_000_000_000))
    var counts: [Int64] = []
    path.drainEvents { if case .received(let count) = $0.kind { counts.append(count) } }
    #expect(counts == [1_448, 1_448, 1_104])
  }
}
