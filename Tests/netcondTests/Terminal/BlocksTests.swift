import Internals
import Testing

@testable import netcond

struct BlocksTests {
  @Test func `an axis has each given tick, and leaves out labels without room`() {
    let lines = Blocks.axis(
      [(0, "0", 3), (4, "4 s", 6), (9, "10 s", 13)], columns: 10, margin: 3, room: 2, end: ">", .none)
    // There is one column too few for the last label.
    #expect(lines == ["  └┬───┬────┬>", "   0  4 s"])
    #expect(Blocks.axis([(2, "2", -1), (3, "3", 5)], columns: 3, margin: 3, room: 0, end: "", .none)[0] == "  └──┬")
    #expect(Blocks.axis([(9, "10 s", 11)], columns: 10, margin: 3, room: 2, end: "", .none)[1].hasSuffix("10 s"))
  }

  @Test(arguments: [
    (1, 1), (2, 2), (3, 5), (5, 5), (6, 10), (11, 20), (51, 100), (200, 200), (.max, 1_000_000_000_000_000_000),
  ])
  func `a step is rounded up to 1, 2 or 5 times a power of ten`(least: Int64, rounded: Int64) {
    #expect(Blocks.round(atLeast: least) == rounded)
  }

  @Test func `neighbouring columns with equal content are one range`() {
    func stretches(_ values: [Int]) -> [Range<Int>] { Blocks.stretches(values.count) { values[$0] == values[$1] } }
    #expect(stretches([7, 7, 3, 7]) == [0..<2, 2..<3, 3..<4])
    #expect(stretches([1, 1]) == [0..<2] && stretches([]) == [])
  }

  @Test func `a column of several values shows their mean, weighted by their shares`() {
    #expect(Blocks.resampled([3, 6, 9], to: 2) == [4, 8])
  }
}
