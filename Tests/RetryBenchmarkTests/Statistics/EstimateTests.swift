import Foundation
import RetryPolicies
import Testing

@testable import RetryBenchmark

extension RetryStatisticsTests {
  struct EstimateTests {
    private func isNear(_ value: Double?, _ expected: Double, within tolerance: Double) -> Bool {
      value.map { abs($0 - expected) <= tolerance } ?? false
    }

    @Test func `the normal distribution matches published tables`() {
      #expect(isNear(NormalDistribution.quantile(0.975), 1.959963984540054, within: 1e-12))
      #expect(isNear(NormalDistribution.quantile(0.995), 2.5758293035489004, within: 1e-12))
      #expect(isNear(NormalDistribution.quantile(0.5), 0, within: 1e-12))
      #expect(isNear(NormalDistribution.quantile(1e-9), -5.9978070150076865, within: 1e-9))
      #expect(isNear(NormalDistribution.cumulative(1), 0.8413447460685429, within: 1e-14))
    }

    /// The two-sided 5 % points of the tables.
    @Test(arguments: [(1, 12.7062), (2, 4.3027), (9, 2.2622), (30, 2.0423), (120, 1.9799)])
    func `Student's t distribution matches published tables`(freedom: Double, deviations: Double) {
      #expect(isNear(StudentDistribution.deviations(confidence: 0.95, freedom: freedom), deviations, within: 5e-5))
      #expect(isNear(StudentDistribution.bothTails(deviations, freedom: freedom), 0.05, within: 1e-5))
    }

    @Test func `a sample has fewer degrees of freedom if a few values make most of its spread`() {
      func freedom(_ heavy: Int, of count: Int) -> Double {
        RatioSample.freedom((0..<count).map { $0 < heavy ? ($0 % 2 == 0 ? 3 : -3) : 0 })
      }
      // If a share of the values deviates equally and the rest not at all, the kurtosis is the inverse of that share.
      #expect(freedom(100, of: 100) == 99)
      #expect(isNear(freedom(2, of: 100), 200.0 / 49, within: 1e-12))
      #expect(isNear(freedom(20, of: 100), 50, within: 1e-12))
      #expect(freedom(50, of: 100) == 99)
    }

    @Test func `a mean that is never negative has Student's interval on a logarithmic scale`() throws {
      // The two trials have 4 and 6 per request: the standard error is 1, with one degree of freedom.
      let mean = try #require(RatioSample([(upper: 4, lower: 1), (upper: 6, lower: 1)])).mean(confidence: 0.95)
      #expect(mean.value == 5 && mean.seeds == 2)
      #expect(isNear(log(mean.interval.upperBound / 5), 12.7062 / 5, within: 1e-5))
      #expect(isNear(log(5 / mean.interval.lowerBound), 12.7062 / 5, within: 1e-5))
      let single = try #require(RatioSample([(upper: 4, lower: 1)])).mean(confidence: 0.95)
      #expect(single.interval == 0...(.infinity) && single.seeds == 1)
      let alike = try #require(RatioSample([(upper: 4, lower: 1), (upper: 4, lower: 1)])).mean(confidence: 0.95)
      #expect(alike.interval == 4...4)
    }

    /// Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I: score method.
    @Test(arguments: [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
      (29, 29, 0.8830, 1),
    ])
    func `Wilson's confidence interval matches Newcombe's table`(
      successes: Double, total: Double, low: Double, high: Double
    ) {
      let interval = RatioSample.wilson(successes / total, of: total, 1.959963984540054)
      #expect(isNear(interval.lowerBound, low, within: 0.00005))
      #expect(isNear(interval.upperBound, high, within: 0.00005))
    }

    @Test func `a share's confidence interval depends on the spread between trials`() throws {
      // All fifty requests of a trial have the same result: forty trials count as forty requests, not as two thousand.
      let alike = try #require(RatioSample((0..<40).map { (upper: $0 % 2 == 0 ? 50 : 0, lower: 50) }))
      let single = try #require(RatioSample((0..<40).map { (upper: $0 % 2 == 0 ? 1 : 0, lower: 1) }))
      #expect(alike.share(confidence: 0.95) == single.share(confidence: 0.95))
      #expect(isNear(alike.share(confidence: 0.95).interval.lowerBound, 0.3457, within: 0.001))
      // If all trials have the same share, each request counts.
      let even = try #require(RatioSample((0..<40).map { _ in (upper: 1, lower: 2) }))
      #expect(even.share(confidence: 0.95).interval.lowerBound < 0.41)
      // If all succeed, each trial counts once; a single trial gives no interval.
      let sure = try #require(RatioSample((0..<20).map { _ in (upper: 50, lower: 50) }))
      #expect(isNear(sure.share(confidence: 0.95).interval.lowerBound, 0.821, within: 0.01))
      #expect(RatioSample([(upper: 3, lower: 50)])?.share(confidence: 0.95).interval == 0...1)
      #expect(RatioSample([(upper: 0, lower: 0)]) == nil)
    }

    @Test func `figures that a few requests can dominate need more seeds, and seedsNeeded says how many`() {
      #expect(TrialSummary.Measure.bytesPerAnswer.seedsNeeded(of: 500, requests: 500) == 3_000)
      #expect(TrialSummary.Measure.bytesPerAnswer.seedsNeeded(of: 299, requests: 2_990) == 300)
      #expect(TrialSummary.Measure.bytesPerAnswer.seedsNeeded(of: 300, requests: 3_000) == nil)
      #expect(TrialSummary.Measure.bytesPerAnswer.seedsNeeded(of: 250, requests: 2_999) == 251)
      // Many requests of few seeds are correlated.
      #expect(TrialSummary.Measure.wastedBytes.seedsNeeded(of: 100, requests: 5_000) == 200)
      #expect(TrialSummary.Measure.wait.seedsNeeded(of: 500, requests: 500) == nil)
      #expect(TrialSummary.Measure.wait.seedsNeeded(of: 500, requests: 500, isPaired: true) == 5_000)
      #expect(TrialSummary.Measure.amplification.seedsNeeded(of: 29, requests: 2_900) == 30)
      #expect(TrialSummary.Measure.successRate.seedsNeeded(of: 6, requests: 6) == nil)
    }

    @Test func `the confidence interval of a skewed difference is longer on the side of the tail`() throws {
      let even = try #require(
        PairedComparison(parts(100) { Double($0 % 2) }, parts(100) { _ in 0 }, unit: nil, confidence: 0.95))
      #expect(isNear(even.interval.lowerBound + even.interval.upperBound, 1, within: 1e-9))
      let rare = try #require(
        PairedComparison(parts(100) { $0 < 4 ? 1 : 0 }, parts(100) { _ in 0 }, unit: nil, confidence: 0.95))
      // Student's interval is -0.001 to 0.079. A share of four in a hundred appears at least once in 98 of 100 samples.
      #expect(rare.interval.lowerBound > 0.005 && rare.interval.upperBound > 0.09 && rare.isBeyondNoise)
      #expect(rare.probability < 0.05)
      let unsure = try #require(
        PairedComparison(
          parts(100) { Double($0) }, parts(100) { _ in 0 }, unit: nil, confidence: 0.95, seedsNeeded: 5_000))
      #expect(!unsure.isBeyondNoise && unsure.probability == 1 && unsure.seedsNeeded == 5_000)
    }

    /// Clopper and Pearson, "The use of confidence or fiducial limits", 1934.
    @Test func `the upper limit of a share near 1 agrees with Clopper and Pearson's exact limit`() throws {
      let sample = try #require(RatioSample((0..<1_000).map { (upper: $0 % 25 == 0 ? 0 : 1, lower: 1) }))
      // 40 of 1000 fail: the lower limit is 2.8716 %, without a correction for the estimated spread.
      #expect(sample.mayReach(0.9708, doubt: 0.025) && !sample.mayReach(0.9724, doubt: 0.025))
      #expect(sample.mayReach(0.5, doubt: 0.025))
    }

    @Test func `a quantile has a confidence interval, without an upper end when trials are too few`() throws {
      func sample(_ trials: Int) -> TimeSample? {
        TimeSample(
          (0..<trials).map { trial in
            var counts = CountHistogram()
            counts.add(QuantileSketch.bin(of: .seconds(trial + 1)))
            return counts
          }, of: Array(repeating: 1, count: trials))
      }
      let median = try #require(sample(101)).quantile(0.5, confidence: 0.95)
      #expect(isNear(median.value, 51, within: 0.3) && isNear(median.interval.lowerBound, 41, within: 1))
      #expect(isNear(median.interval.upperBound, 61, within: 1))
      let slow = try #require(sample(20)).quantile(0.99, confidence: 0.95)
      #expect(slow.interval.upperBound == .infinity)
      // Requests without an answer count as slower than all others.
      var counts = CountHistogram()
      counts.add(QuantileSketch.bin(of: .seconds(1)), count: 6)
      let half = try #require(TimeSample([counts, counts], of: [10, 10]))
      #expect(isNear(half.quantile(0.6, confidence: 0.95).value, 1, within: 0.004))
      #expect(half.quantile(0.61, confidence: 0.95).value == .infinity)
      #expect(half.within(.seconds(2), confidence: 0.95)?.value == 0.6)
      #expect(half.within(.milliseconds(500), confidence: 0.95)?.value == 0)
    }

    @Test(arguments: [0.1, 0.25, 0.4, 0.5, 0.75, 0.9, 0.98])
    func `a quantile's upper limit agrees with the lower limit of the share answered by that time`(share: Double) throws
    {
      let sample = try #require(
        TimeSample(
          (0..<200).map { trial in
            var counts = CountHistogram()
            counts.add(QuantileSketch.bin(of: .seconds(trial + 1)))
            return counts
          }, of: Array(repeating: 1, count: 200)))
      let expected = try #require(
        (1...200).first { second in
          sample.within(.seconds(second), confidence: 0.95).map { $0.interval.lowerBound >= share } ?? false
        })
      let most = sample.quantile(share, confidence: 0.95).interval.upperBound
      #expect(isNear(most, Double(expected), within: Double(expected) * 0.004), "\(most), \(expected)")
    }

    @Test func `a histogram computes its quantiles and greatest value`() {
      var counts = CountHistogram()
      for (value, count) in [(1, 90), (2, 9), (5, 1), (7, 0)] { counts.add(value, count: count) }
      #expect(counts.entries.map(\.value) == [1, 2, 5])
      #expect(counts.quantile(0.9) == 1 && counts.quantile(0.91) == 2 && counts.quantile(0.99) == 2)
      #expect(counts.quantile(1) == 5 && counts.greatest == 5)
    }

    // MARK: Comparisons

    private func parts(_ count: Int, _ value: (Int) -> Double) -> [(upper: Double, lower: Double)] {
      (0..<count).map { (upper: value($0), lower: 1) }
    }

    /// "Student", "The probable error of a mean", 1908: the sleep of ten patients, t = 4.0621 with 9 degrees of freedom.
    @Test func `a paired comparison reproduces the results of Student's sleep data of 1908`() throws {
      let first = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
      let second = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
      let pair = try #require(
        PairedComparison(parts(10) { first[$0] }, parts(10) { second[$0] }, unit: nil, confidence: 0.95))
      #expect(isNear(pair.difference, 1.58, within: 1e-12) && isNear(pair.deviation, 1.23, within: 0.001))
      #expect(isNear(pair.probability, 0.002833, within: 1e-6))
      #expect(isNear(pair.interval.lowerBound, 0.7001, within: 1e-4))
      #expect(isNear(pair.interval.upperBound, 2.4599, within: 1e-4))
      #expect(pair.isBeyondNoise)
    }

    /// The probability of each number of successes among 100.
    private func binomial(_ share: Double) -> [Double] {
      var weights = [exp(100 * log(1 - share))]
      for count in 1...100 {
        weights.append(weights[count - 1] * Double(101 - count) / Double(count) * share / (1 - share))
      }
      return weights
    }

    @Test func `a share's 95 % interval contains the true share in over 93 % of samples, even near 0`() throws {
      let intervals = try (0...100).map { successes in
        try #require(RatioSample(parts(100) { $0 < successes ? 1 : 0 })).share(confidence: 0.95).interval
      }
      for expected in stride(from: 0.02, to: 50, by: 0.02) {
        let held = zip(binomial(expected / 100), intervals).reduce(0.0) {
          $1.1.contains(expected / 100) ? $0 + $1.0 : $0
        }
        // Wilson's original interval holds in 85 of 100 samples if 0.16 successes are expected.
        #expect(held > 0.93, "\(expected) of 100")
      }
      #expect(isNear(intervals[7].lowerBound + intervals[93].upperBound, 1, within: 1e-12))
    }

    /// Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
    /// 1998.
    @Test func `Tango's interval for a difference of shares contains the true value in 93 to 97 % of samples`() throws {
      func pair(_ won: Int, _ lost: Int) throws -> PairedComparison {
        try #require(
          PairedComparison(
            parts(100) { $0 < won ? 1 : 0 }, parts(100) { $0 >= 100 - lost ? 1 : 0 }, unit: 1, confidence: 0.95))
      }
      // If no pair differs, d squared divided by d (1 - d) is 1.96 squared divided by a hundred.
      let none = try pair(0, 0)
      #expect(isNear(none.interval.upperBound, 0.036993, within: 1e-6) && none.probability == 1)
      #expect(none.interval.lowerBound == -none.interval.upperBound)
      // 381 such pairs narrow the interval to just within a point; with fifty clients per seed, as many seeds do.
      #expect(none.seedsToDecide(margin: 0.01) == 381 && !none.isWithin(0.01))
      let many = try #require(
        PairedComparison(parts(381) { _ in 1 }, parts(381) { _ in 1 }, unit: 0.02, confidence: 0.95))
      #expect(many.isWithin(0.01) && many.seedsToDecide(margin: 0.01) == 381)
      let (one, other) = (try pair(8, 3), try pair(3, 8))
      #expect(isNear(one.interval.lowerBound + other.interval.upperBound, 0, within: 1e-12))
      #expect(one.probability == other.probability && !one.isBeyondNoise)
      // The interval and the probability agree.
      for lost in 0...4 {
        for won in 0...20 {
          let pair = try pair(won, lost)
          #expect(pair.isBeyondNoise == (pair.probability < 0.05), "\(won), \(lost)")
        }
      }
      let intervals = try (0...100).map { try pair($0, 0).interval }
      for expected in [5.0, 6, 6.7, 8, 10, 15, 20, 30] {
        let held = zip(binomial(expected / 100), intervals).reduce(0.0) {
          $1.1.contains(expected / 100) ? $0 + $1.0 : $0
        }
        #expect((0.93...0.97).contains(held), "\(held) of \(expected) in 100")
      }
    }

    @Test func `a failure ratio's interval is the score interval and agrees with the difference's interval`() throws {
      /// Compares two policies over 100 seeds: the number of seeds that both, only the first, or only the other fails.
      func pair(_ both: Int, _ first: Int, _ other: Int) throws -> PairedComparison {
        try #require(
          PairedComparison(
            parts(100) { $0 < both + first ? 0 : 1 },
            parts(100) { $0 < both || (both + first..<both + first + other).contains($0) ? 0 : 1 }, unit: 1,
            confidence: 0.95, ofSuccesses: true))
      }
      let one = try #require(try pair(5, 8, 2).failureRatio)
      #expect(isNear(one.value, 13.0 / 7, within: 1e-12))
      // At the ends of the interval the score has the deviations of the confidence (Nam and Blackwelder, 2002).
      for ratio in [one.interval.lowerBound, one.interval.upperBound] {
        let (p1, p2, p11, s) = (0.13, 0.07, 0.05, 0.15)
        // Searched numerically: the most likely share that only the other policy loses, given this ratio.
        func likelihood(_ x: Double) -> Double {
          let first = (x + (ratio - 1) * s) / ratio
          let both = s - x - first
          return first > 0 && both > 0 ? 0.08 * log(first) + 0.02 * log(x) + p11 * log(both) : -.infinity
        }
        let x = (1..<150_000).map { Double($0) / 1e6 }.max { likelihood($0) < likelihood($1) } ?? 0
        let spread = ratio * (x + (x + (ratio - 1) * s) / ratio)
        // The effective number of pairs, from the spread between seeds with 99 degrees of freedom.
        let worth = (p1 + p2 - 2 * p11 - 0.06 * 0.06) / ((p1 + p2 - 2 * p11 - 0.06 * 0.06) / 99)
        let deviations = abs(p1 - ratio * p2) * (worth / spread).squareRoot()
        #expect(isNear(deviations, StudentDistribution.deviations(confidence: 0.95, freedom: 99), within: 1e-3))
      }
      let turned = try #require(try pair(5, 2, 8).failureRatio)
      #expect(isNear(turned.interval.lowerBound * one.interval.upperBound, 1, within: 1e-9))
      for first in 0...15 {
        for other in 0...15 where first + other > 0 {
          let pair = try pair(3, first, other)
          let ratio = try #require(pair.failureRatio)
          #expect(ratio.interval.contains(1) == pair.interval.contains(0), "\(first), \(other)")
          #expect(ratio.interval.contains(ratio.value))
        }
      }
      #expect(try pair(0, 0, 0).failureRatio == nil)
      let none = try #require(try pair(0, 9, 0).failureRatio)
      #expect(none.value == .infinity && none.interval.upperBound == .infinity && none.interval.lowerBound > 1)
    }

    @Test(arguments: [(0.02, 0.02, 0.02), (0.01, 0.04, 0.01), (0, 0.03, 0.01)])
    func `the interval of a failure ratio contains the true ratio in about 95 % of runs`(
      both: Double, first: Double, other: Double
    )
      throws
    {
      var random = RetryRandom(seed: 7)
      let truth = (both + first) / (both + other)
      var held = 0
      for _ in 0..<400 {
        let draws = (0..<400).map { _ in Double.random(in: 0..<1, using: &random) }
        let firsts = draws.map { (upper: $0 < both + first ? 0.0 : 1, lower: 1.0) }
        let others = draws.map { draw in
          let fails = draw < both || (both + first..<both + first + other).contains(draw)
          return (upper: fails ? 0.0 : 1, lower: 1.0)
        }
        let pair = try #require(PairedComparison(firsts, others, unit: 1, confidence: 0.95, ofSuccesses: true))
        if pair.failureRatio?.interval.contains(truth) ?? true { held += 1 }
      }
      // Of 400 runs 380 ± 4.4 are expected, and almost certainly 370 to 392.
      #expect((370...392).contains(held), "\(held)")
    }

    @Test(
      arguments: [
        (nil, 0.5, 0.01), (nil, 0.01, 0.005), (nil, 0, 0.001), (.points(thousandths: 500), 0.01, 0.005),
        (.failures(thousandths: 2_000), 0.01, 0.01), (.failures(thousandths: 1_500), 0, 0.0001),
      ] as [(SuccessMargin?, Double, Double)])
    func `the smallest success difference that matters depends on the failure rate, unless given in points`(
      margin: SuccessMargin?, failing: Double, least: Double
    ) {
      #expect(isNear(SuccessMargin.least(margin, failing: failing), least, within: 1e-12))
    }

    @Test func `a margin is parsed from points or times the failures, and other text is refused`() {
      for text in ["0.5 points", "1 point", "1.5 times", "2 times", "12.25 points", "100 points"] {
        #expect(SuccessMargin(text)?.text == text)
      }
      for text in ["1", "0 points", "1 times", "0.5 times", "101 points", "x1.5", "1.5 apples", "nan points"] {
        #expect(SuccessMargin(text) == nil)
      }
    }

    @Test func `a difference from fewer than six seeds is noise, and ten agreeing seeds give a wide interval`() throws {
      func pair(_ count: Int) throws -> PairedComparison {
        try #require(PairedComparison(parts(count) { _ in 1 }, parts(count) { _ in 0 }, unit: 1, confidence: 0.95))
      }
      let (five, six, ten) = (try pair(5), try pair(6), try pair(10))
      #expect(!five.isBeyondNoise && six.isBeyondNoise)
      #expect(ten.interval.lowerBound < 0.8 && ten.interval.upperBound > 0.9)
      #expect(PairedComparison([], [], unit: 1, confidence: 0.95) == nil)
      // Twice the seeds detect differences smaller by a factor of √2; differences below the margin do not matter.
      let few = try #require(
        PairedComparison(parts(100) { Double($0 % 2) }, parts(100) { _ in 0.4 }, unit: 1, confidence: 0.95))
      #expect((260...275).contains(few.seedsToDecide(margin: 0.01)))
      let none = try #require(
        PairedComparison(parts(100) { Double($0 % 2) }, parts(100) { Double(($0 + 1) % 2) }, unit: 1, confidence: 0.95))
      #expect(!none.isBeyondNoise && !none.isWithin(0.01) && none.isWithin(0.3))
      #expect((94_000...120_000).contains(none.seedsToDecide(margin: 0.01)))
    }

    /// Equal policies with correlated trials, compared after 100, 200 and 300 seeds.
    @Test func `a sequential design calls equal policies different in at most 7 % of runs`() throws {
      let design = SequentialDesign(limit: 300, comparisons: 1)
      #expect(design.looks == [100, 200, 300] && isNear(design.confidence, 1 - 0.05 / 3, within: 1e-12))
      var (wrong, naive) = (0, 0)
      for run in 0..<400 as Range<UInt64> {
        var random = RetryRandom(seed: run)
        let pairs = (0..<300).map { _ -> (Double, Double) in
          let hardness = random.next() >> 63
          return hardness == 0 ? (1, 1) : (Double(random.next() >> 63), Double(random.next() >> 63))
        }
        func isCalled(_ confidence: Double) throws -> Bool {
          try design.looks.contains { look in
            try #require(
              PairedComparison(
                pairs[..<look].map { (upper: $0.0, lower: 1) }, pairs[..<look].map { (upper: $0.1, lower: 1) }, unit: 1,
                confidence: confidence)
            ).isBeyondNoise
          }
        }
        if try isCalled(design.confidence) { wrong += 1 }
        if try isCalled(0.95) { naive += 1 }
      }
      // 5 % of 400 are 20 ± 4.4; without planned looks the error is about twice as frequent.
      #expect(wrong <= 28 && naive > 28, "\(wrong), \(naive)")
    }

    @Test func `a difference of exactly the margin is decided by as many seeds as one beyond it`() throws {
      func parts(_ value: @escaping (Int) -> Double) -> [(upper: Double, lower: Double)] {
        (0..<40).map { (value($0), 1) }
      }
      let pair = try #require(
        PairedComparison(parts { Double($0 % 2) }, parts { _ in 0.25 }, unit: nil, confidence: 0.95))
      #expect(pair.difference == 0.25)
      let seeds = [0.125, 0.25, 0.26].map { pair.seedsToDecide(margin: $0) }
      #expect(seeds[0] == seeds[1] && seeds[2] > 10 * seeds[1], "\(seeds)")
    }

    @Test(arguments: [(29, true), (30, false)])
    func `the interval of a lopsided difference is lopsided from 30 seeds on`(count: Int, isEven: Bool) throws {
      let first = (0..<count).map { (upper: $0 == 0 ? 9.0 : 1.0, lower: 1.0) }
      let second = (0..<count).map { _ in (upper: 0.5, lower: 1.0) }
      let pair = try #require(PairedComparison(first, second, unit: nil, confidence: 0.95))
      let sides = [pair.difference - pair.interval.lowerBound, pair.interval.upperBound - pair.difference]
      #expect((abs(sides[0] - sides[1]) < 1e-9) == isEven, "\(sides)")
    }
  }
}
