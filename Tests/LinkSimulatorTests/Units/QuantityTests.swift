import LinkSimulator
import Testing

struct QuantityTests {
  @Test func `a percentage outside 0 to 100 becomes the nearest probability`() {
    #expect(Probability.percent(150) == .one && Probability.percent(-1) == .zero)
    #expect(Probability.percent(12.5).value == 0.125)
  }

  @Test func `a rate is rounded to the nearest bit per second`() {
    #expect(Bandwidth.kilobitsPerSecond(0.0006).bitsPerSecond == 1)
    #expect(Bandwidth.kilobitsPerSecond(0.0004).bitsPerSecond == 0)
    #expect(Bandwidth.megabitsPerSecond(1e12) == .maximum && Bandwidth.kilobitsPerSecond(-1) == .zero)
  }
}
