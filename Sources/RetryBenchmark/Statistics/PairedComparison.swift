import Foundation

/// The difference between two policies on the same seeds, and whether it is more than chance.
///
/// Both policies met the same networks. So each seed is a pair, and the difficulty of a seed cancels out. The order of
/// the pairs does not matter.
public struct PairedComparison: Hashable, Sendable {
  /// How many seeds both have.
  public let count: Int
  /// The first policy's figure minus the second's.
  public let difference: Double
  /// The confidence interval of the true difference.
  public let interval: ClosedRange<Double>
  /// How many seeds an interval needs, if these are too few; ``interval`` is then unbounded.
  public let seedsNeeded: Int?
  /// The probability that chance alone gives a difference at least as far from 0.
  ///
  /// It is the score test of pairs for shares, else a paired t test that corrects for skewed samples.
  public let probability: Double
  /// The first policy's failures divided by the second's, with an interval.
  ///
  /// `nil` if the figures are not successes, or if neither policy fails.
  public let failureRatio: Estimate?
  /// The standard deviation of one seed's difference.
  public let deviation: Double

  /// Whether two shares agree in every seed; the spread between seeds is then unknown, and each counts once.
  private let isUnanimous: Bool

  /// The fewest pairs that can show a difference: five fair coins show one side in one of sixteen cases.
  public static let leastSeeds = 6

  /// Whether the difference is more than chance, at the interval's confidence.
  public var isBeyondNoise: Bool {
    count >= Self.leastSeeds && (interval.lowerBound > 0 || interval.upperBound < 0)
  }

  /// Whether the whole interval of the difference lies within the margin.
  public func isWithin(_ margin: Double) -> Bool {
    count >= Self.leastSeeds && -margin <= interval.lowerBound && interval.upperBound <= margin
  }

  /// How many seeds would decide in nine of ten runs, with the same deviation between seeds.
  ///
  /// The run then shows a difference, or that the difference is less than the margin (Lehr, "Sixteen s-squared over
  /// d-squared", 1992, with 0.9 for his 0.8).
  ///
  /// - Parameters:
  ///   - margin: the least difference that matters.
  ///   - confidence: the confidence that the decision needs.
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

  /// Compares the ratios of two policies; both arrays have the same seeds in the same order.
  ///
  /// - Parameter unit: for shares, how much one request changes a seed's share; `nil` for other figures.
  /// - Parameter ofSuccesses: whether the shares are of successes.
  /// - Parameter seedsNeeded: how many seeds an interval needs, if these are too few.
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
    // Equal seeds do not prove that later ones are equal, so half a request won by either side is added (Agresti and
    // Min, "Simple improved confidence intervals for comparing matched proportions", 2005).
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
    // The transformation needs a sample large enough to show its skewness.
    let shape = Lopsided(squares > 0 && count >= 30 ? cubes / (squares * squares.squareRoot()) : 0)
    let limit = StudentDistribution.deviations(confidence: confidence, freedom: freedom)
    interval =
      min(
        difference, centre - shape.statistic(limit) * error)...max(difference, centre - shape.statistic(-limit) * error)
    probability =
      error > 0
      ? StudentDistribution.bothTails(shape.evened(centre / error), freedom: freedom) : centre == 0 ? 1 : 0
  }

  /// A transformation that removes the skewness of a statistic, so that Student's distribution holds for it.
  ///
  /// It is a cubic that only rises (Hall, "On the removal of skewness by transformation", 1992).
  private struct Lopsided {
    /// The sample's skewness divided by the root of its size.
    let skew: Double

    init(_ skew: Double) { self.skew = skew }

    func evened(_ statistic: Double) -> Double {
      statistic + skew * statistic * statistic / 3 + skew * skew * statistic * statistic * statistic / 27 + skew / 6
    }

    func statistic(_ evened: Double) -> Double {
      abs(skew) < 1e-6 ? evened : 3 / skew * (cbrt(1 + skew * (evened - skew / 6)) - 1)
    }
  }
}
