import Testing

@testable import LinkSimulator

struct CubicTests {
  @Test func `CUBIC's cube root is rounded down`() {
    for root: Int64 in [1, 2, 3, 10, 1_000, 65_535, 2_000_000] {
      #expect(Cubic.cubeRoot(root * root * root) == root)
      #expect(Cubic.cubeRoot(root * root * root - 1) == root - 1)
      #expect(Cubic.cubeRoot(root * root * root + 1) == root)
    }
    #expect(Cubic.cubeRoot(0) == 0)
  }

  @Test func `a loss reduces CUBIC's window to seven tenths, at least two segments`() {
    var cubic = Cubic()
    #expect(cubic.threshold(after: CongestionWindow(size: 100)) == 70)
    #expect(cubic.threshold(after: CongestionWindow(size: 1)) == 2)
  }

  @Test func `CUBIC's window regains its size after a loss at time K and then grows faster`() {
    var (cubic, window) = (Cubic(), CongestionWindow(size: 100))
    window.threshold = cubic.threshold(after: window)
    window.size = window.threshold
    // K = cube root of (30 / 0.4) = 4.2 s; at a round trip of 100 ms, 42 rounds of acknowledgements.
    var sizes: [Int] = []
    for round in 0..<80 {
      for _ in 0..<window.size { cubic.grow(&window, by: 1, tick: Int64(round) * 25 + 1) }
      sizes.append(window.size)
    }
    #expect((97...103).contains(sizes[42]))
    #expect(sizes[79] - sizes[70] > sizes[45] - sizes[36])
    #expect(sizes == sizes.sorted())
  }

  @Test func `before its first loss CUBIC's window grows by at least 5 % per round trip`() {
    var (cubic, window) = (Cubic(), CongestionWindow(size: 100, threshold: 100))
    cubic.grow(&window, by: 1, tick: 0)
    // After 475 ticks (1.9 s) the cubic curve has risen by 2 segments (0.4 * 1.9^3), each for 50 acknowledgements.
    cubic.grow(&window, by: 99, tick: 475)
    #expect(window.size == 105)
  }

  @Test func `an idle pause does not count as growth time for CUBIC`() {
    func size(pausing: Int64) -> Int {
      var (cubic, window) = (Cubic(), CongestionWindow(size: 100))
      window.threshold = cubic.threshold(after: window)
      window.size = window.threshold
      cubic.grow(&window, by: 1, tick: 1)
      cubic.resume(Restart(now: 0, tick: 1 + pausing, idleTicks: pausing, isLimited: false))
      cubic.grow(&window, by: 70, tick: 26 + pausing)
      return window.size
    }
    #expect(size(pausing: 10_000) == size(pausing: 0))
  }
}
