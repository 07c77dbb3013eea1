import Testing

@testable import NetworkConditions

struct RangeExpressionSeedsTests {
  @Test func `half-open and closed ranges of integers are ranges of seeds`() {
    #expect((0..<200).seeds == 0..<200)
    #expect((1...200).seeds == 1..<201)
    #expect((UInt64(7)..<7).seeds == 7..<7)
    #expect((Int8(3)...Int8.max).seeds == 3..<128)
  }

  @Test func `an unbounded range or one outside the seeds gives no range of seeds`() {
    #expect((0...).seeds == nil && (..<200).seeds == nil)
    #expect((-1..<5).seeds == nil && (0...UInt64.max).seeds == nil)
  }
}
