import Foundation

/// By how much two shares differ that are of the same requests, seed by seed.
///
/// Its interval is that of Tango's score ("Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design", 1998), for as many independent pairs as the seeds are worth, as a single share is Wilson's
/// (``RatioSample/share(confidence:)``). It knows how uncertain a few pairs are that differ, or none, which an interval that
/// goes by their spread does not.
struct PairedShares {
  /// The shares of all requests that the first won, and that the other did.
  let (won, lost): (Double, Double)
  /// How many independent pairs the seeds are worth.
  private let worth: Double
  /// The degrees of freedom of what they are worth; `nil` where all seeds agree, and nothing is estimated.
  private let freedom: Double?

  /// - Parameters:
  ///   - values: the difference in each of at least two seeds.
  ///   - unit: what one request is in them.
  init(_ values: [Double], unit: Double) {
    let count = Double(values.count)
    won = values.reduce(0) { $0 + max(0, $1) } / count
    lost = values.reduce(0) { $0 + max(0, -$1) } / count
    let difference = won - lost
    let spread = won + lost - difference * difference
    let error = values.reduce(0) { $0 + ($1 - difference) * ($1 - difference) } / count / (count - 1)
    freedom = spread > 1e-12 && error > 0 ? count - 1 : nil
    worth = spread <= 1e-12 ? count : error > 0 ? spread / error : count / unit
  }

  /// The interval that holds the true difference.
  func interval(confidence: Double) -> ClosedRange<Double> {
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = freedom.map { StudentDistribution.deviations(confidence: confidence, freedom: $0) } ?? normal
    // The statistic falls as the difference rises.
    func limit(_ end: Double) -> Double {
      bisected(from: won - lost, to: end) { abs(statistic($0)) < student }.outside
    }
    return limit(-1)...limit(1)
  }

  /// The interval that holds the true ratio of what the first lost to what the other lost; infinite where it has no end.
  ///
  /// It is that of the score of Nam and Blackwelder ("Analysis of the ratio of marginal probabilities in a matched-pair
  /// setting", Statistics in Medicine, 2002).
  ///
  /// - Parameters:
  ///   - both: the share of all requests that both lost.
  ///   - confidence: the share of such intervals that hold the true ratio.
  func lossRatio(both: Double, confidence: Double) -> ClosedRange<Double> {
    guard both + won + lost > 0 else { return 0...(.infinity) }
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = freedom.map { StudentDistribution.deviations(confidence: confidence, freedom: $0) } ?? normal
    // By the share of the first in both losses, which is 0 to 1 where the ratio is 0 to infinity.
    let seen = (both + lost) / (both + lost + both + won)
    func limit(_ end: Double) -> Double {
      let share = bisected(from: seen, to: end) { share in
        let ratio = share / (1 - share)
        return ratio < 1
          ? abs(lossStatistic(1 / ratio, both: both, first: won, other: lost)) < student
          : abs(lossStatistic(ratio, both: both, first: lost, other: won)) < student
      }.outside
      return share > 1 - 1e-9 ? .infinity : share < 1e-9 ? 0 : share / (1 - share)
    }
    return limit(0)...limit(1)
  }

  /// How many standard deviations of a true ratio, of 1 or more, lie between it and what was seen.
  private func lossStatistic(_ ratio: Double, both: Double, first: Double, other: Double) -> Double {
    let all = both + first + other
    // The likeliest shares of what one alone lost, if this is the ratio, solve a quadratic equation.
    let linear = first + other - (both + other) * (ratio * ratio - 1)
    let root = (linear * linear + 4 * (1 + ratio) * other * (ratio - 1) * all).squareRoot()
    let others = (linear + root) / (2 * (1 + ratio))
    let firsts = (others + (ratio - 1) * all) / ratio
    let distance = both + first - ratio * (both + other)
    let spread = ratio * (firsts + others)
    return spread > 0 ? distance * (worth / spread).squareRoot() : distance == 0 ? 0 : distance * .infinity
  }

  /// Whether no pair differs.
  var isUnanimous: Bool { won + lost == 0 }

  /// The probability of a difference at least as far from 0 by chance.
  var probability: Double {
    guard !isUnanimous else { return 1 }
    let statistic = abs(statistic(0))
    return freedom.map { StudentDistribution.bothTails(statistic, freedom: $0) }
      ?? 2 * NormalDistribution.cumulative(-statistic)
  }

  /// How many standard deviations of a true difference lie between it and what was seen.
  private func statistic(_ difference: Double) -> Double {
    let linear = 2 * difference - (won - lost) * difference - won - lost
    let root = max(0, linear * linear + 8 * lost * difference * (1 - difference)).squareRoot()
    // The likeliest share of those that the other won, if this is the difference.
    let others = max(0, (root - linear) / 4)
    let spread = 2 * others + difference * (1 - difference)
    let distance = won - lost - difference
    return spread > 0 ? distance * (worth / spread).squareRoot() : distance == 0 ? 0 : distance * .infinity
  }
}
