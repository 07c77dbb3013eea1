import Testing

@testable import LinkSimulator

/// A limit of 8 kbit/s: a byte takes a millisecond, and a burst of 1,500 bytes may pass.
struct PolicerTests {
  /// Whether each packet passes; packets have a size in bytes and a time in milliseconds.
  private func passed(_ packets: (bytes: Int64, time: Int64)..., rate: Bandwidth = .kilobitsPerSecond(8)) -> [Bool] {
    var policer = Policer()
    return packets.map { policer.admits($0.bytes, at: $0.time * 1_000_000, rate: rate) }
  }

  @Test func `a policer lets a burst pass and then only its rate`() {
    #expect(passed((1500, 0), (1, 0), (100, 99), (100, 100), (1, 100)) == [true, false, false, true, false])
  }

  @Test func `a policer saves unused allowance up to one burst`() {
    #expect(passed((1500, 3_600_000), (1, 3_600_000)) == [true, false])
  }

  @Test func `a policer with rate zero lets nothing pass`() {
    #expect(passed((1, 0), rate: .zero) == [false])
  }
}
