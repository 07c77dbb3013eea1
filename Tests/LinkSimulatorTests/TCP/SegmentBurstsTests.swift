import Testing

@testable import LinkSimulator

struct SegmentBurstsTests {
  private let second: Int64 = 1_000_000_000

  private func bursts(window: Int, threshold: Int = .max, roundTrip: Int64) -> SegmentBursts {
    var bursts = SegmentBursts()
    bursts.update(
      window: window, threshold: threshold, packetsOut: window, smoothed: roundTrip, minimumRoundTrip: roundTrip)
    return bursts
  }

  @Test func `a burst holds a millisecond of the window and at least two segments`() {
    #expect(bursts(window: 10, roundTrip: second / 5).size == 2)
    // 400 segments in 100 ms are 4 in 2^-10 s. Slow start sends twice as many, and later phases 1.2 times as many.
    #expect(bursts(window: 400, roundTrip: second / 10).size == 7)
    #expect(bursts(window: 400, threshold: 400, roundTrip: second / 10).size == 4)
    // A burst has at most 65,215 bytes.
    #expect(bursts(window: 100_000, roundTrip: second / 10).size == 45)
  }

  @Test(
    arguments: [
      // unsent bytes, packets in flight of a window of 20, segments: at most seven make a burst of a millisecond.
      (1, 0, 1), (1_448, 0, 1), (1_449, 0, 2), (100_000, 0, 7), (100_000, 15, 5), (100_000, 20, 0),
    ] as [(Int64, Int, Int)])
  func `a burst is limited by the unsent bytes and the window`(unsent: Int64, inFlight: Int, segments: Int) {
    var bursts = bursts(window: 400, roundTrip: second / 10)
    bursts.begin(window: 20, inFlight: inFlight, unsent: unsent)
    #expect(bursts.left == segments)
  }

  @Test func `the last of several segments ends a burst, but a single segment does not`() {
    var bursts = bursts(window: 10, roundTrip: second / 5)
    bursts.begin(window: 10, inFlight: 0, unsent: 100_000)
    var ends: [Bool] = []
    for _ in 0..<3 { ends.append(bursts.advance()) }
    #expect(ends == [false, true, false])
    bursts.begin(window: 10, inFlight: 9, unsent: 100_000)
    let isEnd = bursts.advance()
    #expect(!isEnd)
  }

  @Test func `a sender waits for a full burst only when the next acknowledgement is due soon`() {
    let bursts = bursts(window: 100, roundTrip: second / 10)
    func waits(room: Int = 1, window: Int = 100, sinceSent: Int64 = 500_000, sinceHead: Int64) -> Bool {
      bursts.shouldWait(
        room: room, window: window, sinceSent: sinceSent, sinceHead: sinceHead, smoothed: second / 10)
    }
    #expect(waits(sinceHead: 99_500_000))
    #expect(!waits(sinceHead: 98_000_000))
    #expect(!waits(sinceSent: 1_000_001, sinceHead: 99_500_000))
    #expect(!waits(room: 2, sinceHead: 99_500_000))
    #expect(!waits(window: 3, sinceHead: 99_500_000))
  }

  @Test func `single segments are acknowledged together with the next one`() throws {
    // The queue is full but loses nothing. In the end each acknowledgement allows one or two segments.
    let path = PathConditions(
      down: LinkConditions(rate: .megabitsPerSecond(16), delay: .milliseconds(12)),
      up: LinkConditions(rate: .megabitsPerSecond(1), delay: .milliseconds(12), queue: 20))
    var harness = Harness(path)
    harness.path.recordPackets()
    harness.get(request: 600_000)
    harness.run()
    let log = try #require(harness.path.packetLog)
    let late = log.records.filter { $0.kind == .arrived && $0.time.nanoseconds > 3_000_000_000 }
    let segments = late.count { $0.direction == .up && $0.length > 0 }
    let acknowledgements = late.count { $0.direction == .down }
    #expect(segments > 150 && acknowledgements < segments * 8 / 10)
  }
}
