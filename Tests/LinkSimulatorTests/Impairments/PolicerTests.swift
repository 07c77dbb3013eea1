import Testing

@testable import LinkSimulator

/// A limit of 8 kbit/s: a byte takes a millisecond, and 1,500 bytes may pass in one burst.
@Suite struct PolicerTests {
  /// Which of these packets pass, each with its bytes and its time in milliseconds.
  private func passed(_ packets: (bytes: Int64, time: Int64)..., rate: Bandwidth = .kilobitsPerSecond(8)) -> [Bool] {
    var policer = Policer()
    return packets.map { policer.admits($0.bytes, at: $0.time * 1_000_000, rate: rate) }
  }

  @Test func `a burst passes, and then no more than the rate`() {
    #expect(passed((1500, 0), (1, 0), (100, 99), (100, 100), (1, 100)) == [true, false, false, true, false])
  }

  @Test func `what was not used is kept up to a burst`() {
    #expect(passed((1500, 3_600_000), (1, 3_600_000)) == [true, false])
  }

  @Test func `at no rate nothing passes`() {
    #expect(passed((1, 0), rate: .zero) == [false])
  }
}
