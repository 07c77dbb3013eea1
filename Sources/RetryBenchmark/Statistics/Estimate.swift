/// A figure of many trials, with the interval that holds the true one.
///
/// The seed is the unit: all requests of one trial share one network and one server, and are not independent of each other.
/// So spread is measured between trials, never between requests ("ultimate clusters": Hansen, Hurwitz and Madow, "Sample
/// survey methods and theory", 1953).
public struct Estimate: Hashable, Sendable {
  /// The figure; infinite for a time that is never.
  public let value: Double
  /// What holds the true figure with the confidence that was asked for; all there is where one trial knows nothing of others.
  public let interval: ClosedRange<Double>
  /// How many trials it is of.
  public let seeds: Int
}

/// One figure of each trial as a part of a ratio, such as successes of requests.
struct RatioSample {
  /// What each trial adds to the upper number and to the lower one.
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

  /// The ratio as a mean of anything, from `least` on: Student's interval with a correction for lopsided samples.
  ///
  /// The correction is Johnson's ("Modified t tests and confidence intervals for asymmetrical populations", 1978): what a few
  /// trials decide may well be more than was seen.
  func mean(confidence: Double, least: Double = -.infinity) -> Estimate {
    guard let error = standardError else {
      return Estimate(value: ratio, interval: least...(.infinity), seeds: parts.count)
    }
    let count = Double(parts.count)
    let width = StudentDistribution.deviations(confidence: confidence, freedom: Self.freedom(influences)) * error
    let cubes = influences.reduce(0) { $0 + $1 * $1 * $1 } / count
    let shift = error > 0 ? cubes / (6 * error * error * count * count) * (1 + 2 * width * width / (error * error)) : 0
    let low = max(least, min(ratio, ratio + shift - width))
    return Estimate(value: ratio, interval: low...max(ratio, low, ratio + shift + width), seeds: parts.count)
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
  /// The effective number and its correction for few trials are those of Korn and Graubard, "Confidence intervals for
  /// proportions with small expected number of positive counts estimated from survey data", 1998. Where all trials agree in
  /// full, or in nothing, each counts once.
  func share(confidence: Double) -> Estimate {
    let count = Double(parts.count)
    guard let error = standardError else { return Estimate(value: ratio, interval: 0...1, seeds: parts.count) }
    let spread = ratio * (1 - ratio)
    let worth = spread <= 0 ? count : error > 0 ? spread / (error * error) : lower
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = StudentDistribution.deviations(confidence: confidence, freedom: count - 1)
    return Estimate(
      value: ratio, interval: Self.wilson(ratio, of: worth * (normal / student) * (normal / student), normal),
      seeds: parts.count)
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
    (self.trials, self.totals) = (trials, totals)
    all = trials.merged(into: CountHistogram())
  }

  /// The time that at least this share of all do not pass, in seconds, with an interval by inverting that of the share
  /// (Woodruff, "Confidence intervals for medians and other position measures", 1952).
  func quantile(_ share: Double, confidence: Double) -> Estimate {
    let bin = bin(share)
    let value = Self.seconds(bin)
    let limit = bin ?? .max
    let parts = zip(trials, totals).map { (upper: Double($0.count(upTo: limit)), lower: Double($1)) }
    guard parts.count > 1, let sample = RatioSample(parts), var error = sample.standardError else {
      return Estimate(value: value, interval: 0...(.infinity), seeds: parts.count)
    }
    // Where nothing is slower there is no spread to be seen, and each trial counts once.
    if sample.ratio >= 1 || error <= 0 { error = (share * (1 - share) / Double(parts.count)).squareRoot() }
    let freedom = Double(parts.count - 1)
    let width = StudentDistribution.deviations(confidence: confidence, freedom: freedom) * error
    // Where there is nothing above to be seen, all of the doubt is below.
    if share + width >= 1 {
      let below = StudentDistribution.deviations(confidence: 2 * confidence - 1, freedom: freedom) * error
      return Estimate(value: value, interval: min(value, low(share - below))...(.infinity), seeds: parts.count)
    }
    return Estimate(
      value: value, interval: min(value, low(share - width))...max(value, Self.seconds(self.bin(share + width))),
      seeds: parts.count)
  }

  private func low(_ share: Double) -> Double { share > 0 ? Self.seconds(bin(share)) : 0 }

  /// The share that came within a time, with its interval.
  func within(_ time: Duration, confidence: Double) -> Estimate? {
    let limit = QuantileSketch.bin(of: time)
    return RatioSample(zip(trials, totals).map { (upper: Double($0.count(upTo: limit)), lower: Double($1)) })?
      .share(confidence: confidence)
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
