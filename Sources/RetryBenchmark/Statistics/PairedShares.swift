import Foundation

/// The difference between two policies' shares of the same requests, such as successes, from paired seeds.
///
/// The interval is that of Tango's score ("Equivalence test and confidence interval for the difference in proportions
/// for the paired-sample design", 1998), for the effective number of independent pairs. It is the paired form of
/// Wilson's interval (``RatioSample/share(confidence:)``). Unlike an interval from the spread, it also holds if few
/// pairs or none differ.
struct PairedShares {
  /// The shares of all requests that only the first policy won, and that only the other won.
  let (won, lost): (Double, Double)
  /// The effective number of independent pairs.
  private let worth: Double
  /// The degrees of freedom of ``worth``; `nil` if all seeds agree, so that nothing is estimated.
  private let freedom: Double?

  /// The differences in at least two seeds; `unit` is how much one request changes such a difference.
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

  func interval(confidence: Double) -> ClosedRange<Double> {
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = freedom.map { StudentDistribution.deviations(confidence: confidence, freedom: $0) } ?? normal
    // The statistic falls as the difference rises.
    func limit(_ end: Double) -> Double {
      bisected(from: won - lost, to: end) { abs(statistic($0)) < student }.outside
    }
    return limit(-1)...limit(1)
  }

  /// The confidence interval of the first policy's losses divided by the other's; it may end at infinity.
  ///
  /// It uses the score of Nam and Blackwelder ("Analysis of the ratio of marginal probabilities in a matched-pair
  /// setting", Statistics in Medicine, 2002).
  ///
  /// - Parameters:
  ///   - both: the share of all requests that both policies lost.
  ///   - confidence: the share of such intervals that hold the true ratio.
  func lossRatio(both: Double, confidence: Double) -> ClosedRange<Double> {
    guard both + won + lost > 0 else { return 0...(.infinity) }
    let normal = NormalDistribution.deviations(confidence: confidence)
    let student = freedom.map { StudentDistribution.deviations(confidence: confidence, freedom: $0) } ?? normal
    // Search by the first policy's share of all losses: 0 to 1 as the ratio goes from 0 to infinity.
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

  /// How many standard deviations the observed losses are from a true ratio of 1 or more.
  private func lossStatistic(_ ratio: Double, both: Double, first: Double, other: Double) -> Double {
    let all = both + first + other
    // The most likely shares that only one policy lost, given this ratio, solve a quadratic equation.
    let linear = first + other - (both + other) * (ratio * ratio - 1)
    let root = (linear * linear + 4 * (1 + ratio) * other * (ratio - 1) * all).squareRoot()
    let others = (linear + root) / (2 * (1 + ratio))
    let firsts = (others + (ratio - 1) * all) / ratio
    let distance = both + first - ratio * (both + other)
    let spread = ratio * (firsts + others)
    return spread > 0 ? distance * (worth / spread).squareRoot() : distance == 0 ? 0 : distance * .infinity
  }

  var isUnanimous: Bool { won + lost == 0 }

  /// The probability that chance alone gives a difference at least as far from 0.
  var probability: Double {
    guard !isUnanimous else { return 1 }
    let statistic = abs(statistic(0))
    return freedom.map { StudentDistribution.bothTails(statistic, freedom: $0) }
      ?? 2 * NormalDistribution.cumulative(-statistic)
  }

  /// How many standard deviations the observed difference is from this true difference.
  private func statistic(_ difference: Double) -> Double {
    let linear = 2 * difference - (won - lost) * difference - won - lost
    let root = max(0, linear * linear + 8 * lost * difference * (1 - difference)).squareRoot()
    // The most likely share that only the other policy won, given this difference.
    let others = max(0, (root - linear) / 4)
    let spread = 2 * others + difference * (1 - difference)
    let distance = won - lost - difference
    return spread > 0 ? distance * (worth / spread).squareRoot() : distance == 0 ? 0 : distance * .infinity
  }
}
