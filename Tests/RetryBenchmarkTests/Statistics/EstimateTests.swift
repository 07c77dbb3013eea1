import Foundation
import RetryPolicies
import Testing

@testable import RetryBenchmark

extension RetryStatisticsTests {
  @Suite struct EstimateTests {
    private func isNear(_ value: Double?, _ expected: Double, within tolerance: Double) -> Bool {
      value.map { abs($0 - expected) <= tolerance } ?? false
    }

    @Test func `the normal distribution is that of the tables`() {
      #expect(isNear(NormalDistribution.quantile(0.975), 1.959963984540054, within: 1e-12))
      #expect(isNear(NormalDistribution.quantile(0.995), 2.5758293035489004, within: 1e-12))
      #expect(isNear(NormalDistribution.quantile(0.5), 0, within: 1e-12))
      #expect(isNear(NormalDistribution.quantile(1e-9), -5.9978070150076865, within: 1e-9))
      #expect(isNear(NormalDistribution.cumulative(1), 0.8413447460685429, within: 1e-14))
    }

    /// Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I: score method.
    @Test(arguments: [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
      (29, 29, 0.8830, 1),
    ])
    func `Wilson's interval is that of Newcombe's table`(successes: Int, total: Int, low: Double, high: Double) {
      let interval = Proportion(successes: successes, of: total).interval()
      #expect(isNear(interval?.lowerBound, low, within: 0.00005))
      #expect(isNear(interval?.upperBound, high, within: 0.00005))
      #expect(Proportion().interval() == nil)
    }

    @Test func `a mean comes from exact sums`() {
      var mean = SampleMean()
      for value in [2, 4, 4, 4, 5, 5, 7, 9] { mean.add(value) }
      #expect(mean.mean == 5)
      #expect(isNear(mean.standardDeviation, (32.0 / 7).squareRoot(), within: 1e-15))
      let width = 1.959963984540054 * (32.0 / 7).squareRoot() / 8.0.squareRoot()
      #expect(isNear(mean.interval()?.lowerBound, 5 - width, within: 1e-12))
      // Large numbers that are close together: a naive sum of squares would lose all of the spread.
      var far = SampleMean()
      for value in [1_000_000_000_000_001, 1_000_000_000_000_002, 1_000_000_000_000_003] { far.add(value) }
      #expect(far.standardDeviation == 1)
    }

    @Test func `the greatest ratio is exact and in lowest terms`() {
      var one = GreatestRatio()
      one.add(4, per: 2)
      one.add(2, per: 1)
      #expect(one.numerator == 2 && one.denominator == 1)
      var other = GreatestRatio()
      other.add(Int.max - 1, per: Int.max)
      one.merge(other)
      #expect(one.value == 2)
      other.add(Int.max, per: Int.max - 1)
      #expect(other.numerator == Int.max)
    }

    @Test func `a histogram has its ranks`() {
      var counts = CountHistogram()
      for (value, count) in [(1, 90), (2, 9), (5, 1)] { counts.add(value, count: count) }
      #expect(counts.mean == 1.13)
      #expect(counts.quantile(0.9) == 1 && counts.quantile(0.91) == 2 && counts.quantile(0.99) == 2)
      #expect(counts.quantile(1) == 5 && counts.greatest == 5)
    }

    // MARK: Comparisons

    /// Hollander and Wolfe, "Nonparametric statistical methods", 1973, page 29: V = 40, one-sided p = 0.01953.
    @Test func `the signed-rank test is that of the textbook`() {
      let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
      let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
      let test = WilcoxonTest(zip(before, after).map { $0 - $1 })
      #expect(test.positiveRanks == 40)
      #expect(test.probability == 0.0390625)
      #expect(WilcoxonTest([]).probability == 1)
      #expect(WilcoxonTest([0, 0]).probability == 1)
    }

    /// Ranks 1.5, 1.5, 3.5, 3.5, 5.5, 5.5 of which those below 0 have 1.5: mean 10.5, variance 22.75 - 18 / 48, and
    /// z = (19.5 - 10.5 - 0.5) / 4.7302 = 1.7970, of which the normal distribution leaves 0.0723 on both sides.
    @Test func `ties share their ranks`() {
      let test = WilcoxonTest([1, -1, 2, 2, 3, 3])
      #expect(test.positiveRanks == 19.5)
      #expect(isNear(test.probability, 0.0723, within: 0.0001))
    }

    @Test func `a comparison is the same in whichever order the seeds come`() throws {
      var random = RetryRandom(seed: 2)
      var one: [UInt64: Double] = [:]
      var other: [UInt64: Double] = [:]
      for seed in 0..<200 as Range<UInt64> {
        let hardness = Double(random.next() >> 11) * 0x1p-53 * 10
        one[seed] = hardness + 0.2 + Double(random.next() >> 11) * 0x1p-53 - 0.5
        other[seed] = hardness + Double(random.next() >> 11) * 0x1p-53 - 0.5
      }
      let first = try #require(PairedComparison(one, other, resamples: 500))
      let reversed = Dictionary(uniqueKeysWithValues: one.map { ($0, $1) }.reversed())
      #expect(PairedComparison(reversed, other, resamples: 500) == first)
      // 0.2 apart, where the seeds themselves are 2.9 apart: only pairing shows it.
      #expect(first.interval.contains(0.2) && !first.interval.contains(0))
      #expect(first.probability < 0.001)
      let same = try #require(PairedComparison(one, one, resamples: 100))
      #expect(same.meanDifference == 0 && same.interval == 0...0 && same.probability == 1)
      #expect(PairedComparison([1: 1], [2: 1]) == nil)
    }

    @Test func `the interval of many pairs is that of resampling, without it`() throws {
      var random = RetryRandom(seed: 3)
      var values: [UInt64: Double] = [:]
      for seed in 0...UInt64(PairedComparison.mostResampled) { values[seed] = Double(random.next() % 1_000) - 300 }
      let zeros = values.mapValues { _ in 0.0 }
      let many = try #require(PairedComparison(values, zeros))
      values[0] = nil
      let fewer = try #require(PairedComparison(values, zeros))
      // One pair of 2001 is left out, and 2000 resamples place the ends of an interval to some hundredths of its width.
      let width = many.interval.upperBound - many.interval.lowerBound
      #expect(abs(many.interval.lowerBound - fewer.interval.lowerBound) < 0.1 * width)
      #expect(abs(many.interval.upperBound - fewer.interval.upperBound) < 0.1 * width)
    }
  }
}
