import Testing

@testable import LinkSimulator

@Suite struct QuicPacerTests {
  /// When packets of 1,000 bytes leave that wait for nothing else: a window of 80 in a round trip of 100 ms.
  private func departures(_ count: Int, after idle: Int64, smoothed: Int64 = 100_000_000) -> [Int64] {
    var pacer = QuicPacer()
    var now: Int64 = 0
    pacer.sent(0, window: 80, datagram: 1_000, smoothed: smoothed, at: now)
    now += idle
    let start = now
    return (0..<count).map { _ in
      now = pacer.departure(window: 80, datagram: 1_000, smoothed: smoothed, at: now)
      pacer.sent(1_000, window: 80, datagram: 1_000, smoothed: smoothed, at: now)
      return now - start
    }
  }

  @Test func `ten packets leave at once, and the others at five quarters of the window in a round trip`() {
    // 1,000,000 bytes a second: a packet in each millisecond.
    #expect(departures(14, after: 1_000_000_000) == [Int64](repeating: 0, count: 10) + (1...4).map { $0 * 1_000_000 })
  }

  @Test func `what was not sent may be sent later`() {
    #expect(departures(6, after: 13_000_000).filter { $0 == 0 }.count == 6)
  }

  @Test func `without a round trip, or with one below a millisecond, nothing is held back`() {
    #expect(departures(30, after: 0, smoothed: 0).allSatisfy { $0 == 0 })
    #expect(departures(30, after: 0, smoothed: 900_000).allSatisfy { $0 == 0 })
  }
}
