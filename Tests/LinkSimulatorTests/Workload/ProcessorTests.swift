import Testing

@testable import LinkSimulator

struct ProcessorTests {
  @Test func `work without cost is done at once`() {
    var processor = Processor(waking: .zero, KeyedRandom(seed: 1))
    #expect(processor.wake(at: 70) == 70)
    processor.work(from: 70, for: .zero)
    #expect(processor.wake(at: 70) == 70 && processor.freeAt == 70)
  }

  @Test func `a busy processor does its tasks one after another without waking up`() {
    var processor = Processor(waking: .microseconds(50), KeyedRandom(seed: 1))
    let start = processor.wake(at: 1_000)
    processor.work(from: start, for: .microseconds(20))
    #expect(processor.freeAt == start + 20_000)
    #expect(processor.wake(at: start + 5_000) == start + 20_000)
    processor.work(from: start, for: .microseconds(30))
    #expect(processor.freeAt == start + 50_000)
  }

  @Test func `the time to wake a processor varies up to twice its mean, repeatably for a seed`() {
    func wakes(_ seed: UInt64) -> [Int64] {
      var processor = Processor(waking: .microseconds(50), KeyedRandom(seed: seed))
      return (1...1_000).map { processor.wake(at: $0 * 1_000_000) - $0 * 1_000_000 }
    }
    let times = wakes(1)
    #expect(times.allSatisfy { (0...100_000).contains($0) })
    // The mean of a thousand uniform draws has a standard deviation of 0.9 us.
    let mean = times.reduce(0, +) / 1_000
    #expect((45_001..<55_000).contains(mean))
    #expect(wakes(1) == times && wakes(2) != times)
  }
}
