import Foundation

/// A figure of many trials, with the interval that holds the true one.
///
/// The seed is the unit: all requests of one trial share one network and one server, and are not independent of each other.
/// So spread is measured between trials, never between requests ("ultimate clusters": Hansen, Hurwitz and Madow, "Sample
/// survey methods and theory", 1953).
public struct Estimate: Hashable, Sendable {
  /// The figure; infinite for a time that is never.
  public let value: Double
  /// The interval that has the true figure in it with the confidence that was asked for; all there is where one trial
  /// knows nothing of others.
  public let interval: ClosedRange<Double>
  /// How many trials it is of.
  public let seeds: Int
  /// How many trials an interval takes, where these are too few for one: ``interval`` is then all there is.
  public let seedsNeeded: Int?

  init(value: Double, interval: ClosedRange<Double>, seeds: Int, seedsNeeded: Int? = nil) {
    (self.value, self.interval, self.seeds, self.seedsNeeded) = (value, interval, seeds, seedsNeeded)
  }
}

/// One figure of each trial as a part of a ratio, such as successes of requests.
struct RatioSample {
  /// The amounts that each trial adds to the upper number and to the lower one.
  let parts: [(upper: Double, lower: Double)]
  let ratio: Double
  private let lower: Double

  /// `nil` where nothing is divided by.
  init?(_ parts: [(upper: Double, lower: Double)]) {
    let (upper, lower) = parts.reduce((0.0, 0.0)) { ($0.0 + $1.upper, $0.1 + $1.lower) }
    guard lower > 0 else { return nil }
    (self.parts, self.lower, ratio) = (parts, lower, upper / lower)
  }

  /// By how much each trial moves the ratio, in units whose mean is that of the whole (linearisation; Woodruff, "A simple
  /// method for approximating the variance of a complicated estimate", 1971).
  var influences: [Double] {
    let scale = Double(parts.count) / lower
    return parts.map { ($0.upper - ratio * $0.lower) * scale }
  }

  /// The standard error of the ratio; `nil` of a single trial.
  var standardError: Double? {
    guard parts.count > 1 else { return nil }
    let count = Double(parts.count)
    return (influences.reduce(0) { $0 + $1 * $1 } / count / (count - 1)).squareRoot()
  }

  /// The ratio as a mean of what is never below 0: Student's interval on a scale of logarithms, since what a few trials decide
  /// may well be far more than was seen, and hardly less.
  func mean(confidence: Double) -> Estimate {
    guard let error = standardError else {
      return Estimate(value: ratio, interval: 0...(.infinity), seeds: parts.count)
    }
    guard ratio > 0, error > 0 else { return Estimate(value: ratio, interval: ratio...ratio, seeds: parts.count) }
    let width = StudentDistribution.deviations(confidence: confidence, freedom: Self.freedom(influences)) * error
    let factor = exp(width / ratio)
    return Estimate(value: ratio, interval: ratio / factor...ratio * factor, seeds: parts.count)
  }

  /// How many degrees of freedom the spread of a sample has: fewer than its size where a few trials make most of it
  /// (Satterthwaite, "An approximate distribution of estimates of variance components", 1946, by the sample's kurtosis).
  static func freedom(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let squares = values.reduce(0) { $0 + $1 * $1 } / count
    let kurtosis = values.reduce(0) { $0 + $1 * $1 * $1 * $1 } / count / (squares * squares)
    return kurtosis > 1 ? max(1, min(count - 1, 2 * count / (kurtosis - 1))) : count - 1
  }

  /// The ratio as a share: Wilson's interval for as many independent requests as the trials are worth.
  ///
  /// Where three of them at most did it, or did not, it reaches as far towards none as the exact limit with all of the doubt
  /// on that side: Wilson's own would hold 85 of 100 truths there (Brown, Cai and DasGupta, "Interval estimation for a
  /// binomial proportion", 2001, section 4.1.1).
  func share(confidence: Double) -> Estimate {
    guard let worth = worth(confidence) else { return Estimate(value: ratio, interval: 0...1, seeds: parts.count) }
    let normal = NormalDistribution.deviations(confidence: confidence)
    let usual = Self.wilson(ratio, of: worth, normal)
    let least = Self.exactLimit(ratio, of: worth, doubt: 1 - confidence)
    let most = 1 - Self.exactLimit(1 - ratio, of: worth, doubt: 1 - confidence)
    let interval = min(usual.lowerBound, least)...max(usual.upperBound, most)
    return Estimate(value: ratio, interval: interval, seeds: parts.count)
  }

  /// The least that a rate of few may be; 1 of none, and where they are more than three.
  private static func exactLimit(_ rate: Double, of count: Double, doubt: Double) -> Double {
    let few = rate * count
    guard few > 0, few <= 3 else { return 1 }
    return bisected(from: 0, to: rate) { StudentDistribution.incompleteBeta($0, few, count - few + 1) < doubt }.inside
  }

  /// Whether the true share may be as great as another one: no more than `doubt` of all samples have so few (the exact limit of
  /// Clopper and Pearson, "The use of confidence or fiducial limits", 1934, which holds also for shares near 1).
  func mayReach(_ share: Double, doubt: Double) -> Bool {
    guard ratio < share, let worth = worth(1 - 2 * doubt) else { return true }
    let missing = worth * (1 - ratio)
    return StudentDistribution.incompleteBeta(1 - share, missing, worth - missing + 1) >= doubt
  }

  /// How many independent requests the trials are worth; `nil` of a single trial.
  ///
  /// The effective number and its correction for few trials are those of Korn and Graubard, "Confidence intervals for
  /// proportions with small expected number of positive counts estimated from survey data", 1998. Where all trials agree in
  /// full, or in nothing, each counts once.
  private func worth(_ confidence: Double) -> Double? {
    guard let error = standardError else { return nil }
    let count = Double(parts.count)
    let spread = ratio * (1 - ratio)
    let worth = spread <= 0 ? count : error > 0 ? spread / (error * error) : lower
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = StudentDistribution.deviations(confidence: confidence, freedom: count - 1)
    return worth * (normal / student) * (normal / student)
  }

  /// Wilson's score interval ("Probable inference, the law of succession, and statistical inference", 1927), which is good
  /// also for rates near 0 and 1.
  static func wilson(_ rate: Double, of count: Double, _ deviations: Double) -> ClosedRange<Double> {
    let square = deviations * deviations / count
    let centre = rate + square / 2
    let width = deviations * (rate * (1 - rate) / count + square / count / 4).squareRoot()
    let (low, high) = ((centre - width) / (1 + square), (centre + width) / (1 + square))
    return min(rate, max(0, low))...max(rate, min(1, high))
  }
}

/// The times of all requests of a policy, trial by trial, with those that never came.
struct TimeSample {
  private let trials: [CountHistogram]
  private let totals: [Int]
  private let all: CountHistogram
  private let count: Int

  /// - Parameters:
  ///   - trials: the bins of a ``QuantileSketch`` for each trial.
  ///   - totals: how many requests each had; those without a time never came.
  init?(_ trials: [CountHistogram], of totals: [Int]) {
    count = totals.reduce(0, +)
    guard count > 0 else { return nil }
    // Trials of which nothing is counted know nothing of it.
    let known = totals.indices.filter { totals[$0] > 0 }
    (self.trials, self.totals) = (known.map { trials[$0] }, known.map { totals[$0] })
    all = trials.merged(into: CountHistogram())
  }

  /// The time that at least this share of all do not pass, in seconds, with all times of which this may be the share by the
  /// interval of a share (Woodruff, "Confidence intervals for medians and other position measures", 1952).
  func quantile(_ share: Double, confidence: Double) -> Estimate {
    let value = Self.seconds(bin(share))
    let agreed = RatioSample(trials.map { _ in (upper: 1, lower: 1) })?.share(confidence: confidence).interval
      .lowerBound
    guard let agreed, trials.count > 1 else {
      return Estimate(value: value, interval: 0...(.infinity), seeds: trials.count)
    }
    // Where so few trials cannot show what is above, even if all agree, all of the doubt is below.
    let isBounded = agreed >= share
    func mayReach(_ limit: Int) -> Bool {
      guard isBounded else { return sample(upTo: limit)?.mayReach(share, doubt: 1 - confidence) ?? true }
      return within(limit, confidence).map { $0.interval.upperBound >= share } ?? true
    }
    func mustReach(_ limit: Int) -> Bool { within(limit, confidence).map { $0.interval.lowerBound >= share } ?? false }
    let least = mayReach(-1) ? 0 : Self.seconds(first(mayReach))
    let most = isBounded ? Self.seconds(first(mustReach)) : .infinity
    return Estimate(value: value, interval: min(value, least)...max(value, most), seeds: trials.count)
  }

  /// The first bin from which on something holds; `nil` where it never does.
  private func first(_ holds: (Int) -> Bool) -> Int? {
    let bins = all.entries.map(\.value)
    var (low, high) = (0, bins.count)
    while low < high {
      let middle = (low + high) / 2
      (low, high) = holds(bins[middle]) ? (low, middle) : (middle + 1, high)
    }
    return low < bins.count ? bins[low] : nil
  }

  /// The share that came within a time, with its interval.
  func within(_ time: Duration, confidence: Double) -> Estimate? {
    within(QuantileSketch.bin(of: time), confidence)
  }

  private func within(_ limit: Int, _ confidence: Double) -> Estimate? {
    sample(upTo: limit)?.share(confidence: confidence)
  }

  private func sample(upTo limit: Int) -> RatioSample? {
    RatioSample(zip(trials, totals).map { (upper: Double($0.count(upTo: limit)), lower: Double($1)) })
  }

  /// How many of all came by each of the times at which any did.
  var curve: [(seconds: Double, share: Double)] {
    var passed = 0
    return all.entries.map { value, number in
      passed += number
      return (Self.seconds(value), Double(passed) / Double(count))
    }
  }

  /// The bin of a quantile; `nil` where it never came.
  private func bin(_ share: Double) -> Int? {
    let rank = Rank.nearest(min(1, max(0, share)), of: count)
    return rank > all.total ? nil : all.quantile(rank: rank)
  }

  private static func seconds(_ bin: Int?) -> Double {
    bin.map { Double(QuantileSketch.middle(ofBin: $0)) / 1e9 } ?? .infinity
  }
}
