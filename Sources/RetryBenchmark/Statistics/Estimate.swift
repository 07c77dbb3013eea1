import Foundation

/// A figure estimated from many trials, with its confidence interval.
///
/// The seed is the unit. All requests of one trial share one network and one server, so they are not independent.
/// Spread is therefore measured between trials ("ultimate clusters": Hansen, Hurwitz and Madow, "Sample survey methods
/// and theory", 1953).
public struct Estimate: Hashable, Sendable {
  /// The estimated figure; infinite for the time of an event that never happens.
  public let value: Double
  /// The confidence interval of the true figure; all possible values if a single trial gives none.
  public let interval: ClosedRange<Double>
  /// The number of trials in the estimate.
  public let seeds: Int
  /// How many trials an interval needs, if these are too few; ``interval`` then has all possible values.
  public internal(set) var seedsNeeded: Int?
}

/// Two sums over trials as a ratio, such as successes per request, with its uncertainty.
struct RatioSample {
  /// The amounts that each trial adds to the numerator and to the denominator.
  let parts: [(upper: Double, lower: Double)]
  let ratio: Double
  private let lower: Double

  /// Returns `nil` if the denominators add up to zero.
  init?(_ parts: [(upper: Double, lower: Double)]) {
    let (upper, lower) = parts.reduce((0.0, 0.0)) { ($0.0 + $1.upper, $0.1 + $1.lower) }
    guard lower > 0 else { return nil }
    (self.parts, self.lower, ratio) = (parts, lower, upper / lower)
  }

  /// The influence of each trial on the ratio; the spread of these gives the standard error.
  ///
  /// Linearisation (Woodruff, "A simple method for approximating the variance of a complicated estimate", 1971).
  var influences: [Double] {
    let scale = Double(parts.count) / lower
    return parts.map { ($0.upper - ratio * $0.lower) * scale }
  }

  /// The standard error of the ratio; `nil` for a single trial.
  var standardError: Double? {
    guard parts.count > 1 else { return nil }
    let count = Double(parts.count)
    return (influences.reduce(0) { $0 + $1 * $1 } / count / (count - 1)).squareRoot()
  }

  /// The ratio as a mean that is never negative, with Student's interval on a logarithmic scale.
  ///
  /// A few further trials may raise such a mean far, but hardly lower it.
  func mean(confidence: Double) -> Estimate {
    guard let error = standardError else {
      return Estimate(value: ratio, interval: 0...(.infinity), seeds: parts.count)
    }
    guard ratio > 0, error > 0 else { return Estimate(value: ratio, interval: ratio...ratio, seeds: parts.count) }
    let width = StudentDistribution.deviations(confidence: confidence, freedom: Self.freedom(influences)) * error
    let factor = exp(width / ratio)
    return Estimate(value: ratio, interval: ratio / factor...ratio * factor, seeds: parts.count)
  }

  /// The effective degrees of freedom of a sample's spread.
  ///
  /// They are fewer than its size if a few trials make most of the spread (Satterthwaite, "An approximate distribution
  /// of estimates of variance components", 1946, by the sample's kurtosis).
  static func freedom(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let squares = values.reduce(0) { $0 + $1 * $1 } / count
    let kurtosis = values.reduce(0) { $0 + $1 * $1 * $1 * $1 } / count / (squares * squares)
    return kurtosis > 1 ? max(1, min(count - 1, 2 * count / (kurtosis - 1))) : count - 1
  }

  /// The ratio as a share, with Wilson's interval for the effective number of independent requests.
  ///
  /// If at most three requests differ from all others, the interval also extends to the exact one-sided limit. Wilson's
  /// own would hold only 85 of 100 true shares there (Brown, Cai and DasGupta, "Interval estimation for a binomial
  /// proportion", 2001, section 4.1.1).
  func share(confidence: Double) -> Estimate {
    guard let worth = worth(confidence) else { return Estimate(value: ratio, interval: 0...1, seeds: parts.count) }
    let normal = NormalDistribution.deviations(confidence: confidence)
    let usual = Self.wilson(ratio, of: worth, normal)
    let least = Self.exactLimit(ratio, of: worth, doubt: 1 - confidence)
    let most = 1 - Self.exactLimit(1 - ratio, of: worth, doubt: 1 - confidence)
    let interval = min(usual.lowerBound, least)...max(usual.upperBound, most)
    return Estimate(value: ratio, interval: interval, seeds: parts.count)
  }

  /// The exact lower limit of a rate with at most three occurrences; 1, which sets no limit, for others.
  private static func exactLimit(_ rate: Double, of count: Double, doubt: Double) -> Double {
    let few = rate * count
    guard few > 0, few <= 3 else { return 1 }
    return bisected(from: 0, to: rate) { StudentDistribution.incompleteBeta($0, few, count - few + 1) < doubt }.inside
  }

  /// Whether the true share may be `share` or more; `doubt` is the probability of error.
  ///
  /// It is the exact limit of Clopper and Pearson ("The use of confidence or fiducial limits", 1934), which also holds
  /// near 1.
  func mayReach(_ share: Double, doubt: Double) -> Bool {
    guard ratio < share, let worth = worth(1 - 2 * doubt) else { return true }
    let missing = worth * (1 - ratio)
    return StudentDistribution.incompleteBeta(1 - share, missing, worth - missing + 1) >= doubt
  }

  /// The effective number of independent requests of the trials; `nil` for a single trial.
  ///
  /// The number and its correction for few trials are those of Korn and Graubard, "Confidence intervals for proportions
  /// with small expected number of positive counts estimated from survey data", 1998. If all requests succeed, or all
  /// fail, each trial counts once.
  private func worth(_ confidence: Double) -> Double? {
    guard let error = standardError else { return nil }
    let count = Double(parts.count)
    let spread = ratio * (1 - ratio)
    let worth = spread <= 0 ? count : error > 0 ? spread / (error * error) : lower
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = StudentDistribution.deviations(confidence: confidence, freedom: count - 1)
    return worth * (normal / student) * (normal / student)
  }

  /// Wilson's score interval, which also holds for rates near 0 and 1.
  ///
  /// Source: "Probable inference, the law of succession, and statistical inference", 1927.
  static func wilson(_ rate: Double, of count: Double, _ deviations: Double) -> ClosedRange<Double> {
    let square = deviations * deviations / count
    let centre = rate + square / 2
    let width = deviations * (rate * (1 - rate) / count + square / count / 4).squareRoot()
    let (low, high) = ((centre - width) / (1 + square), (centre + width) / (1 + square))
    return min(rate, max(0, low))...max(rate, min(1, high))
  }
}

/// The answer times of all requests of a policy, by trial, and how many had no answer.
struct TimeSample {
  private let trials: [CountHistogram]
  private let totals: [Int]
  private let all: CountHistogram
  private let count: Int

  /// `trials` holds the bins of a ``QuantileSketch`` for each trial; requests without a time had no answer.
  init?(_ trials: [CountHistogram], of totals: [Int]) {
    count = totals.reduce(0, +)
    guard count > 0 else { return nil }
    // Trials without requests give no information.
    let known = totals.indices.filter { totals[$0] > 0 }
    (self.trials, self.totals) = (known.map { trials[$0] }, known.map { totals[$0] })
    all = trials.merged(into: CountHistogram())
  }

  /// The time in seconds within which at least this share of all requests were answered, with its interval.
  ///
  /// The interval has all times at which the answered share may be `share` (Woodruff, "Confidence intervals for medians
  /// and other position measures", 1952).
  func quantile(_ share: Double, confidence: Double) -> Estimate {
    let value = Self.seconds(bin(share))
    let agreed = RatioSample(trials.map { _ in (upper: 1, lower: 1) })?.share(confidence: confidence).interval
      .lowerBound
    guard let agreed, trials.count > 1 else {
      return Estimate(value: value, interval: 0...(.infinity), seeds: trials.count)
    }
    // Too few trials cannot bound the time from above, even if all agree; then the interval is one-sided.
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

  /// The first bin for which a condition holds, if it then holds for all later ones; `nil` if for none.
  private func first(_ holds: (Int) -> Bool) -> Int? {
    let bins = all.entries.map(\.value)
    var (low, high) = (0, bins.count)
    while low < high {
      let middle = (low + high) / 2
      (low, high) = holds(bins[middle]) ? (low, middle) : (middle + 1, high)
    }
    return low < bins.count ? bins[low] : nil
  }

  /// The share of requests that were answered within a time, with its interval.
  func within(_ time: Duration, confidence: Double) -> Estimate? {
    within(QuantileSketch.bin(of: time), confidence)
  }

  private func within(_ limit: Int, _ confidence: Double) -> Estimate? {
    sample(upTo: limit)?.share(confidence: confidence)
  }

  private func sample(upTo limit: Int) -> RatioSample? {
    RatioSample(zip(trials, totals).map { (upper: Double($0.count(upTo: limit)), lower: Double($1)) })
  }

  /// The share of requests that were answered by each time at which one was.
  var curve: [(seconds: Double, share: Double)] {
    var passed = 0
    return all.entries.map { value, number in
      passed += number
      return (Self.seconds(value), Double(passed) / Double(count))
    }
  }

  /// The bin of a quantile; `nil` if fewer requests were answered.
  private func bin(_ share: Double) -> Int? {
    let rank = Rank.nearest(min(1, max(0, share)), of: count)
    return rank > all.total ? nil : all.quantile(rank: rank)
  }

  private static func seconds(_ bin: Int?) -> Double {
    bin.map { Double(QuantileSketch.middle(ofBin: $0)) / 1e9 } ?? .infinity
  }
}
