import Testing

@testable import FailureSearch

@Suite struct TextPlaceTests {
  @Test func `a block ends at each multiple of 1024 bytes, and blocks of more than 64 KiB are alike`() {
    let ends = [0, 1, 512, 1_024, 1_536, 2_048, 3_072, 65_536, 131_072].map { TextPlace(endOfBlocksAt: $0) }
    #expect(ends.map { $0 == nil } == [true, true, true, false, true, false, false, false, false])
    #expect(ends[3] == ends[6] && ends[3] != ends[5])
    #expect(ends[7] == ends[8])
  }
}
