import Testing

@testable import LinkSimulator

/// A segment every five milliseconds, within Reno's window.
private struct PacedReno: CongestionAlgorithm {
  static let name = "PacedReno"
  static let paces = true
  static let gap: Int64 = 5_000_000

  private var reno = Reno()
  private(set) var departure: Int64 = 0

  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {
    reno.grow(&window, by: acknowledged, tick: tick)
  }

  mutating func threshold(after window: CongestionWindow) -> Int { reno.threshold(after: window) }

  mutating func sent(_ bytes: Int, segments: Int, at now: Int64) {
    departure = max(departure, now) + Self.gap
  }
}

struct PacingTests {
  /// Runs requests under an algorithm and gives the log of their packets.
  private static func run(
    _ algorithm: any CongestionAlgorithm.Type, loss: LossModel = .none, isSecure: Bool = false,
    requests: [(up: Int64, down: Int64)]
  ) throws -> (harness: Harness, streams: [StreamID], log: PacketLog) {
    var configuration = PathConfiguration()
    configuration.congestionControl = .init(algorithm)
    var harness = Harness(
      .symmetric(.megabitsPerSecond(100), delay: .milliseconds(20), loss: loss), seed: 3, configuration: configuration)
    harness.path.recordPackets()
    let streams = requests.enumerated().map { number, bytes in
      harness.get(
        bytes.down, request: bytes.up, key: UInt64(number), isSecure: isSecure, version: isSecure ? .http2 : .http1)
    }
    harness.run(until: .seconds(120))
    #expect(harness.path.nextEventTime == nil)
    return (harness, streams, try #require(harness.path.packetLog))
  }

  /// The times at which segments with data were sent or retransmitted in a direction.
  private static func departures(_ log: PacketLog, _ direction: Direction) -> [Int64] {
    log.records.filter {
      $0.direction == direction && $0.length > 0 && ($0.kind == .sent || $0.kind == .retransmitted)
    }.map(\.time.nanoseconds)
  }

  private static func gaps(_ times: [Int64]) -> [Int64] {
    zip(times, times.dropFirst()).map { $1 - $0 }
  }

  @Test(arguments: [Direction.up, .down])
  func `paced segments leave one by one at the algorithm's interval`(direction: Direction) throws {
    let bytes: Int64 = 60 * 1_448
    let sizes = direction == .up ? (up: bytes, down: Int64(100)) : (up: 100, down: bytes)
    let (harness, streams, log) = try Self.run(PacedReno.self, requests: [sizes])
    // A round trip is 40 ms and takes eight segments. The initial window of ten segments never limits the sender.
    let gaps = Self.gaps(Self.departures(log, direction))
    #expect(gaps == [Int64](repeating: PacedReno.gap, count: 59))
    #expect(harness.received(by: streams[0]) == sizes.down)
    // The end of the request is reported when it leaves, not when the next packet arrives.
    let sent = try #require(harness.time(of: .requestSent, streams[0]))
    #expect(sent.wholeNanoseconds == Self.departures(log, .up).last)
  }

  @Test func `without pacing the segments of the first window leave together`() throws {
    let (_, _, log) = try Self.run(Reno.self, requests: [(up: 100, down: 60 * 1_448)])
    #expect(Self.gaps(Self.departures(log, .down)).prefix(9).allSatisfy { $0 == 0 })
  }

  @Test func `two HTTP/2 responses on one connection share its pace`() throws {
    let (harness, streams, log) = try Self.run(
      PacedReno.self, isSecure: true, requests: [(up: 100, down: 40_000), (up: 100, down: 40_000)])
    #expect(Self.gaps(Self.departures(log, .down)).allSatisfy { $0 >= PacedReno.gap })
    for stream in streams { #expect(harness.received(by: stream) == 40_000) }
  }

  @Test func `retransmitted segments keep the pace too`() throws {
    let (harness, streams, log) = try Self.run(
      PacedReno.self, loss: .independent(.percent(4)), requests: [(up: 100, down: 300_000)])
    let kinds = harness.events(of: streams[0]).map(\.kind)
    // Pacing does not delay segments that a timer sends; here no timer expired.
    #expect(kinds.contains(.retransmitted(.down, .fast)))
    #expect(!kinds.contains(.retransmitted(.down, .timeout)) && !kinds.contains(.retransmitted(.down, .probe)))
    #expect(Self.gaps(Self.departures(log, .down)).allSatisfy { $0 >= PacedReno.gap })
    #expect(harness.received(by: streams[0]) == 300_000)
  }
}
