import Testing

@testable import LinkSimulator

struct NumberRangesTests {
  @Test func `ranges that touch or overlap are merged`() {
    var ranges = NumberRanges()
    ranges.insert(10..<20)
    ranges.insert(0..<5)
    ranges.insert(30..<40)
    #expect(ranges.stretches == [0..<5, 10..<20, 30..<40])
    ranges.insert(5..<10)
    #expect(ranges.stretches == [0..<20, 30..<40])
    ranges.insert(15..<35)
    #expect(ranges.stretches == [0..<40])
  }

  @Test func `merged ranges contain the same numbers as a set, in any order of insertion`() {
    for seed in 0..<50 as Range<UInt64> {
      var random = TestRandom(seed)
      var ranges = NumberRanges()
      var set = Set<Int64>()
      for _ in 0..<60 {
        let start = random.next(0..<100)
        let new = start..<start + random.next(0..<12)
        let isNew = !set.isSuperset(of: new)
        #expect(ranges.insert(new) == isNew)
        set.formUnion(new)
        #expect(ranges.stretches.flatMap(Array.init) == set.sorted())
        let place = random.next(0..<110)
        var end = place
        while set.contains(end) { end += 1 }
        #expect(ranges.end(from: place) == end)
      }
    }
  }

  @Test func `keeping the last ranges drops the earlier ones`() {
    var ranges = NumberRanges()
    for start in 0..<10 as Range<Int64> { ranges.insert(2 * start..<2 * start + 1) }
    ranges.keep(last: 3)
    #expect(ranges.stretches == [14..<15, 16..<17, 18..<19])
  }
}
