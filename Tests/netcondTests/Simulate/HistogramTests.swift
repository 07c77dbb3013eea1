import Internals
import Testing

@testable import netcond

struct HistogramTests {
  static func distribution(_ milliseconds: [Int]) -> Distribution {
    Distribution(milliseconds.map { .milliseconds($0) })
  }

  @Test func `histogram bins start at round times and contain every sample`() throws {
    let histogram = try #require(Histogram(Self.distribution([1_003, 1_004, 1_011, 1_017, 1_026, 1_034]), most: 60))
    // Six samples get at most eight bins; 31 ms / 8 is above 2 ms, and the next round step is 5 ms.
    #expect(histogram.step == 5_000_000)
    #expect(histogram.start == 1_000_000_000)
    #expect(histogram.counts == [2, 0, 1, 1, 0, 1, 1])
    #expect(histogram.end == 1_035_000_000)
    #expect(histogram.beyond == 0)
  }

  @Test func `a sample on the edge of two histogram bins belongs to the later one`() throws {
    let histogram = try #require(Histogram(Self.distribution([0, 10, 20, 30, 40, 50, 60, 70]), most: 60))
    #expect(histogram.counts == [1, 1, 1, 1, 1, 1, 1, 1])
    // Few samples get at most eight bins: 80 ms would take nine of 10 ms.
    for (last, step) in [(79, 10_000_000), (80, 20_000_000)] as [(Int, Int64)] {
      #expect(Histogram(Self.distribution([0, last]), most: 60)?.step == step)
    }
  }

  @Test func `a few much later samples are counted outside of the histogram`() throws {
    let histogram = try #require(Histogram(Self.distribution((0..<200).map { $0 } + [90_000]), most: 60))
    #expect(histogram.beyond == 1)
    #expect(histogram.counts.reduce(0, +) == 200)
    #expect(histogram.end == 200_000_000)
    // Without the late sample all others are equal, so it stays.
    let equal = Self.distribution(Array(repeating: 5, count: 199) + [90_000])
    #expect(try #require(Histogram(equal, most: 60)).beyond == 0)
  }

  @Test func `a histogram never has more bins than the given maximum`() throws {
    for most in [1, 2, 7, 16, 100] {
      let histogram = try #require(Histogram(Self.distribution((0..<5_000).map { 999 + $0 * 3 }), most: most))
      #expect(histogram.counts.count <= most)
      #expect(histogram.counts.reduce(0, +) == 5_000)
    }
  }

  @Test func `equal samples or no samples give no histogram`() {
    #expect(Histogram(Self.distribution([5, 5, 5]), most: 60) == nil)
    #expect(Histogram(Distribution([nil]), most: 60) == nil)
  }

  @Test func `a histogram is drawn with round labels below its columns`() {
    let samples = Self.distribution((0..<160).map { 1_000 + $0 % 8 * $0 % 80 } + [9_000])
    #expect(
      HistogramDrawing(distribution: samples).lines(width: 60, style: .none) == [
        "     38 ┤███",
        "        │███",
        "        │███                                    ▆▆▆",
        "        │███            ▄▄▄                     ███",
        "        │███      ▅▅▅▂▂▂███▅▅▅▂▂▂   ▅▅▅▂▂▂      ███",
        "   runs │██████   ███████████████████████████▅▅▅██████",
        "        └┬──────────────┬──────────────┬──────────────→",
        "      1.000 s        1.025 s        1.050 s        1.075 s",
        "         1 more, the last after 9 s",
      ])
  }

  @Test func `a sentence replaces a histogram that would show nothing`() {
    func lines(_ distribution: Distribution) -> [String] {
      HistogramDrawing(distribution: distribution).lines(width: 80, style: .none)
    }
    #expect(lines(Self.distribution([1_500, 1_500])) == ["all 2 runs took the same 1.5 s"])
    #expect(lines(Distribution([nil, .seconds(2), .seconds(2)])) == ["all 2 runs that ended took the same 2 s"])
    #expect(lines(Self.distribution([15_001, 15_002])) == ["all 2 runs took 15 s, within 1 ms"])
    #expect(lines(Self.distribution([7])) == ["the one run took 7 ms"])
    #expect(lines(Distribution([nil, .seconds(2)])) == ["the one run that ended took 2 s"])
    #expect(lines(Distribution([nil])) == [])
  }

  @Test func `histogram labels have as many digits as their distance needs`() {
    #expect(HistogramDrawing.label(0, tick: 1_000, upTo: 5_000) == "0")
    #expect(HistogramDrawing.label(1_536_500_000, tick: 100_000, upTo: 1_537_000_000) == "1.5365 s")
    #expect(HistogramDrawing.label(1_500_000_000, tick: 500_000_000, upTo: 4_000_000_000) == "1.5 s")
    #expect(HistogramDrawing.label(750_000_000, tick: 250_000_000, upTo: 1_400_000_000) == "0.75 s")
    #expect(HistogramDrawing.label(150_000_000_000, tick: 50_000_000_000, upTo: 170_000_000_000) == "150 s")
    #expect(HistogramDrawing.label(20_000_000, tick: 5_000_000, upTo: 60_000_000) == "20 ms")
    #expect(HistogramDrawing.label(20_500, tick: 500, upTo: 30_000) == "20.5 µs")
    #expect(HistogramDrawing.label(5, tick: 5, upTo: 20) == "0.005 µs")
    // The unit is that of the greatest time, from exactly 1 of it on.
    for (power, units) in [(1_000_000_000, ["500 ms", "0.5 s"]), (1_000_000, ["500 µs", "0.5 ms"])]
      as [(Int64, [String])]
    {
      let labels = [power - 1, power].map { HistogramDrawing.label(power / 2, tick: power / 2, upTo: $0) }
      #expect(labels == units)
    }
  }

  @Test(arguments: [20, 40, 80, 120, 300])
  func `a histogram fits the terminal for any samples`(width: Int) {
    for count in [2, 3, 10, 200, 3_000] {
      for spread in [1, 17, 3_000, 170_000] {
        let samples = Self.distribution((0..<count).map { 1_000 + $0 * $0 % (spread + 1) })
        for line in HistogramDrawing(distribution: samples).lines(width: width, style: .none) {
          #expect(line.count <= max(width, 40), "\(line)")
          #expect(line.last != " ")
        }
      }
    }
  }
}
