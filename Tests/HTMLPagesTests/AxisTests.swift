import HTMLPages
import Testing

struct AxisTests {
  @Test func `an axis has round ticks within its range`() {
    #expect(Axis(0...10, from: 0, to: 100).ticks(5) == [0, 2, 4, 6, 8, 10])
    #expect(Axis(0.3...1.1, from: 0, to: 1).ticks(4).map { ($0 * 10).rounded() } == [4, 6, 8, 10])
    #expect(Axis(1...100, isLogarithmic: true, from: 0, to: 100).ticks(3) == [1, 10, 100])
    #expect(Axis(1...1000, isLogarithmic: true, from: 0, to: 1).ticks(4) == [1, 10, 100, 1000])
    #expect(Axis(1...10, isLogarithmic: true, from: 0, to: 1).ticks(4) == [1, 2, 5, 10])
    // Three times 0.1 is a little more than 0.3.
    #expect(Axis(0...0.3, from: 0, to: 1).ticks(3) == [0, 0.1, 0.2, 0.1 * 3])
    #expect(Axis(3...3, from: 0, to: 1).ticks(4) == [3])
    // Here neighbouring numbers are 4 apart, and the ticks would be closer.
    #expect(Axis(3e16...3e16 + 4, from: 0, to: 1).ticks(8) == [3e16])
  }

  @Test func `an axis draws values beyond its range at its ends`() {
    let axis = Axis(0...10, from: 100, to: 0)
    #expect([0, 0.5, 10, 1000].map { Axis(1...100, isLogarithmic: true, from: 0, to: 100)($0) } == [0, 0, 50, 100])
    #expect(Axis(3...3, from: 0, to: 10)(3) == 5)
    #expect([-1, 0, 5, 10, 11].map { axis($0) } == [100, 100, 50, 0, 0])
  }

  @Test func `a logarithmic axis has the round ticks from its lower end to its upper end`() {
    func ticks(_ range: ClosedRange<Double>, _ count: Int) -> [Double] {
      Axis(range, isLogarithmic: true, from: 0, to: 1).ticks(count).map { ($0 * 1000).rounded() / 1000 }
    }
    #expect(ticks(2...100, 6) == [2, 5, 10, 20, 50, 100])
    #expect(ticks(2...100, 5) == [3, 10, 30, 100])
    #expect(ticks(0.2...4, 9) == [0.2, 0.5, 1, 2])
  }
}
