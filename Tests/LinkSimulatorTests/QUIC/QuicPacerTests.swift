import Testing

@testable import LinkSimulator

struct QuicPacerTests {
  /// The times at which a pacer lets packets of 1,000 bytes leave, with a window of 80 and a round trip of 100 ms.
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

  @Test func `a pacer sends ten packets at once and then 5/4 of a window per round trip`() {
    // 1,000,000 bytes a second: a packet in each millisecond.
    #expect(departures(14, after: 1_000_000_000) == [Int64](repeating: 0, count: 10) + (1...4).map { $0 * 1_000_000 })
  }

  @Test func `a pacer waits at least a millisecond and then sends all packets due within it`() {
    // 10,000,000 bytes a second: twenty packets for the first 2 ms, and ten in each further one.
    let waits = departures(45, after: 1_000_000_000, smoothed: 10_000_000).map { $0 / 1_000_000 }
    #expect(waits == [0, 0, 1, 2].flatMap { [Int64](repeating: $0, count: 10) } + [Int64](repeating: 3, count: 5))
  }

  @Test func `an idle pacer saves allowance for packets that leave together later`() {
    #expect(departures(6, after: 13_000_000).filter { $0 == 0 }.count == 6)
  }

  @Test func `a pacer does not delay packets when the round trip is unknown or below a millisecond`() {
    #expect(departures(30, after: 0, smoothed: 0).allSatisfy { $0 == 0 })
    #expect(departures(30, after: 0, smoothed: 900_000).allSatisfy { $0 == 0 })
  }

  @Test func `packets that leave without the pacer's permission, such as probes, do not delay later ones`() {
    var pacer = QuicPacer()
    for size in [0] + [Int64](repeating: 1_000, count: 15) {
      pacer.sent(size, window: 80, datagram: 1_000, smoothed: 100_000_000, at: 1_000_000_000)
    }
    let next = pacer.departure(window: 80, datagram: 1_000, smoothed: 100_000_000, at: 1_000_000_000)
    #expect(next == 1_001_000_000)
  }

  // MARK: Bursts

  /// How many packets of 1,000 bytes leave at once, and the length of the pause after them.
  private func burst(window: Int, then last: Int64? = nil, count: Int = 200) -> (packets: Int, pause: Int64) {
    var pacer = QuicPacer(.bursts)
    let smoothed: Int64 = 100_000_000
    for number in 0..<count {
      let next = pacer.departure(window: window, datagram: 1_000, smoothed: smoothed, at: 0)
      if next > 0 { return (number, next) }
      let size = number == 3 ? last ?? 1_000 : 1_000
      pacer.sent(size, window: window, datagram: 1_000, smoothed: smoothed, at: 0)
    }
    return (count, 0)
  }

  @Test func `a paced burst is ten packets or a millisecond's bytes, followed by a pause`() {
    // 10,000 bytes at 5/4 of 80,000 in 100 ms.
    #expect(burst(window: 80) == (10, 10_000_000))
    #expect(burst(window: 8_000) == (66, 660_000))
  }

  @Test(arguments: [(999_999, 0), (1_000_000, 1_000_000)] as [(Int64, Int64)])
  func `a pause follows a burst only if the round trip is at least 1 ms`(smoothed: Int64, pause: Int64) {
    var pacer = QuicPacer(.bursts)
    for _ in 0..<100 { pacer.sent(1_000, window: 80, datagram: 1_000, smoothed: smoothed, at: 0) }
    let next = (0..<2).map { _ in pacer.departure(window: 80, datagram: 1_000, smoothed: smoothed, at: 0) }
    #expect(next == [pause, pause])
  }

  @Test func `a shorter packet ends a paced burst`() {
    // 3,500 bytes.
    #expect(burst(window: 80, then: 500) == (4, 3_500_000))
  }

  @Test func `a burst that contains a longer packet does not end where sending pauses`() {
    var pacer = QuicPacer(.bursts)
    let smoothed: Int64 = 100_000_000
    func next() -> Int64 { pacer.departure(window: 80, datagram: 1_000, smoothed: smoothed, at: 0) }
    for size: Int64 in [1_000, 1_400] { pacer.sent(size, window: 80, datagram: 1_000, smoothed: smoothed, at: 0) }
    pacer.rests(window: 80, datagram: 1_000, smoothed: smoothed, at: 0)
    #expect(next() == 0)
    pacer.sent(1_000, window: 80, datagram: 1_000, smoothed: smoothed, at: 0)
    pacer.rests(window: 80, datagram: 1_000, smoothed: smoothed, at: 0)
    // 3,400 bytes at 5/4 of 80,000 in 100 ms.
    #expect(next() == 3_400_000)
  }
}
