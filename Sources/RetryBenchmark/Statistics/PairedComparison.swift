import Foundation

/// By how much one policy differs from another on the same seeds, and whether that is more than chance.
///
/// Both met the same networks, so that each seed is a pair, and what made a seed hard cancels out. The same pairs give
/// the same answer, in whichever order they come.
public struct PairedComparison: Hashable, Sendable {
  /// How many seeds both have.
  public let count: Int
  /// The difference: the first less the second.
  public let difference: Double
  /// The interval that holds the true difference with the confidence that was asked for.
  public let interval: ClosedRange<Double>
  /// How many seeds an interval takes, where these are too few for one: ``interval`` is then all there is.
  public let seedsNeeded: Int?
  /// The probability of a difference at least as far from 0 by chance: of shares the score test of pairs, and otherwise a
  /// paired t test that minds lopsided samples.
  public let probability: Double
  /// How many times as many requests of the first fail as of the second, with the interval that holds the true ratio.
  ///
  /// `nil` where other figures than successes are compared, and where neither fails.
  public let failureRatio: Estimate?
  /// The standard deviation of one seed's difference.
  public let deviation: Double

  /// Whether two shares are the same in every seed, so that nothing is known of how far seeds differ: each counts once.
  private let isUnanimous: Bool

  /// Fewer pairs than these say nothing: five fair coins show one side in one of sixteen cases.
  public static let leastSeeds = 6

  /// Whether it is more than chance at the interval's confidence.
  public var isBeyondNoise: Bool {
    count >= Self.leastSeeds && (interval.lowerBound > 0 || interval.upperBound < 0)
  }

  /// Whether it is certain to be less than matters.
  public func isWithin(_ margin: Double) -> Bool {
    count >= Self.leastSeeds && -margin <= interval.lowerBound && interval.upperBound <= margin
  }

  /// How many seeds would tell in nine of ten runs, with the same deviation: whether there is a difference, or else that it is
  /// less than matters (Lehr, "Sixteen s-squared over d-squared", 1992, with 0.9 for his 0.8).
  ///
  /// - Parameters:
  ///   - margin: the least difference that matters.
  ///   - confidence: how sure the decision is to be.
  public func seedsToDecide(margin: Double, confidence: Double = 0.95) -> Int {
    if isUnanimous {
      let normal = NormalDistribution.deviations(confidence: confidence)
      return max(Self.leastSeeds, Int(clamping: Int64(min(1e12, normal * normal * (1 / margin - 1)).rounded(.up))))
    }
    let size = abs(difference)
    let gap = size >= margin ? size : max(margin - size, margin / 4)
    let factor = NormalDistribution.deviations(confidence: confidence) + NormalDistribution.quantile(0.9)
    let count = (factor * deviation / gap)
    return max(Self.leastSeeds, Int(clamping: Int64(min(1e12, count * count).rounded(.up))))
  }

  /// Compares the ratios of two policies, part by part of the same seeds.
  ///
  /// - Parameter unit: what one request more or less changes in a seed where that is a share; `nil` is no share.
  /// - Parameter ofSuccesses: whether the shares are of successes.
  /// - Parameter seedsNeeded: how many seeds an interval takes, where these are too few for one.
  init?(
    _ first: [(upper: Double, lower: Double)], _ second: [(upper: Double, lower: Double)], unit: Double?,
    confidence: Double, ofSuccesses: Bool = false, seedsNeeded: Int? = nil
  ) {
    guard first.count == second.count, let one = RatioSample(first), let other = RatioSample(second) else { return nil }
    count = first.count
    difference = one.ratio - other.ratio
    self.seedsNeeded = seedsNeeded
    let moves = zip(one.influences, other.influences).map { $0 - $1 }
    guard count > 1 else {
      isUnanimous = false
      failureRatio = nil
      (interval, probability, deviation) = (-Double.infinity...Double.infinity, 1, 0)
      return
    }
    var values = moves.map { $0 + one.ratio - other.ratio }
    let pairs = unit.map { PairedShares(values, unit: $0) }
    isUnanimous = pairs?.isUnanimous ?? false
    let failures = (one: 1 - one.ratio, other: 1 - other.ratio)
    failureRatio =
      ofSuccesses && max(failures.one, failures.other) > 0
      ? pairs.map {
        Estimate(
          value: failures.one / failures.other,
          interval: $0.lossRatio(both: max(0, failures.one - $0.lost), confidence: confidence), seeds: first.count)
      } : nil
    // A few equal seeds are no certainty for those that will follow: half a request is added that either side won (Agresti
    // and Min, "Simple improved confidence intervals for comparing matched proportions", 2005).
    if let unit { values += [unit / 2.0.squareRoot(), -unit / 2.0.squareRoot()] }
    let size = Double(values.count)
    let centre = values.reduce(0, +) / size
    let squares = values.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    deviation = (squares / (size - 1)).squareRoot()
    guard seedsNeeded == nil else {
      (interval, probability) = (-Double.infinity...Double.infinity, 1)
      return
    }
    if let pairs {
      (interval, probability) = (pairs.interval(confidence: confidence), pairs.probability)
      return
    }
    let cubes = values.reduce(0) { $0 + ($1 - centre) * ($1 - centre) * ($1 - centre) }
    let error = deviation / size.squareRoot()
    let freedom = Double(count - 1)
    // The transformation needs a sample that shows how lopsided it is.
    let shape = Lopsided(squares > 0 && count >= 30 ? cubes / (squares * squares.squareRoot()) : 0)
    let limit = StudentDistribution.deviations(confidence: confidence, freedom: freedom)
    interval =
      min(
        difference, centre - shape.statistic(limit) * error)...max(difference, centre - shape.statistic(-limit) * error)
    probability =
      error > 0
      ? StudentDistribution.bothTails(shape.evened(centre / error), freedom: freedom) : centre == 0 ? 1 : 0
  }

  /// The transformation that makes the statistic of a lopsided sample even, so that Student's distribution holds for it: a
  /// cubic that only rises (Hall, "On the removal of skewness by transformation", 1992).
  private struct Lopsided {
    /// The sample's skewness by the root of its size.
    let skew: Double

    init(_ skew: Double) { self.skew = skew }

    func evened(_ statistic: Double) -> Double {
      statistic + skew * statistic * statistic / 3 + skew * skew * statistic * statistic * statistic / 27 + skew / 6
    }

    /// The statistic that is evened to this.
    func statistic(_ evened: Double) -> Double {
      abs(skew) < 1e-6 ? evened : 3 / skew * (cbrt(1 + skew * (evened - skew / 6)) - 1)
    }
  }
}
