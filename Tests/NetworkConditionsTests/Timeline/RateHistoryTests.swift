import LinkSimulator
import Testing

@testable import NetworkConditions

struct RateHistoryTests {
  /// A history of bytes by the millisecond at which they arrived.
  private func history(_ arrivals: (milliseconds: Int64, bytes: Int64)...) -> RateHistory {
    var history = RateHistory(start: SimulatedInstant(nanoseconds: 7_000_000))
    for (milliseconds, bytes) in arrivals {
      history.add(bytes, at: history.start.advanced(by: .milliseconds(milliseconds)))
    }
    return history
  }

  @Test func `received bytes count in slices of 10 ms with rates in bits per second`() {
    let history = history((0, 100), (9, 25), (10, 50), (31, 1))
    #expect(history.bytes == [125, 50, 0, 1])
    #expect(history.bitsPerSecond == [100_000, 40_000, 0, 800])
  }

  @Test func `a full rate history merges pairs of slices without losing bytes`() {
    #expect(history((0, 1), (1_279, 2)).bytes.count == 128)
    let longer = history((0, 1), (10, 2), (20, 4), (1_280, 8))
    #expect(longer.sliceNanoseconds == 20_000_000)
    #expect(longer.bytes.count == 65 && longer.bytes.prefix(2) == [3, 4] && longer.bytes.last == 8)
    let day = history((0, 1), (10, 2), (20, 4), (86_400_000, 8))
    #expect(day.bytes.reduce(0, +) == 15 && day.bytes.count <= RateHistory.capacity)
  }
}
