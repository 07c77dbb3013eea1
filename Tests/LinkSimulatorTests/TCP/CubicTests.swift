import Testing

@testable import LinkSimulator

@Suite struct CubicTests {
  @Test func `the cube root is rounded down`() {
    for root in [1, 2, 3, 10, 1_000, 65_535, 2_000_000] {
      #expect(Cubic.cubeRoot(root * root * root) == root)
      #expect(Cubic.cubeRoot(root * root * root - 1) == root - 1)
      #expect(Cubic.cubeRoot(root * root * root + 1) == root)
    }
    #expect(Cubic.cubeRoot(0) == 0)
  }

  @Test func `a loss leaves seven tenths, and less is remembered when the last loss came at more`() {
    var window = CongestionWindow(.cubic)
    window.size = 100
    #expect(window.reducedThreshold() == 70)
    window.size = 1
    #expect(window.reducedThreshold() == 2)
    var reno = CongestionWindow(.reno)
    reno.size = 101
    #expect(reno.reducedThreshold() == 50)
  }

  @Test func `the window returns to where the loss was after K and then grows faster and faster`() {
    var window = CongestionWindow(.cubic)
    window.size = 100
    window.threshold = window.reducedThreshold()
    window.size = window.threshold
    // K = cube root of (30 / 0.4) = 4.2 s; at a round trip of 100 ms, 42 rounds of acknowledgements.
    var sizes: [Int] = []
    for round in 0..<80 {
      for _ in 0..<window.size { window.grow(acknowledged: 1, tick: Int64(round) * 25 + 1) }
      sizes.append(window.size)
    }
    #expect((97...103).contains(sizes[42]))
    #expect(sizes[79] - sizes[70] > sizes[45] - sizes[36])
    #expect(sizes == sizes.sorted())
  }

  @Test func `slow start doubles the window in a round trip`() {
    var window = CongestionWindow(.reno)
    window.grow(acknowledged: 10, tick: 0)
    #expect(window.size == 20)
    window.threshold = 25
    window.grow(acknowledged: 10, tick: 0)
    #expect(window.size == 25)
  }
}
