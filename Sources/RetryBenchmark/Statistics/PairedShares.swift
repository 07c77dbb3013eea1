import Foundation

/// By how much two shares differ that are of the same requests, seed by seed.
///
/// Its interval is that of Tango's score ("Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design", 1998), for as many independent pairs as the seeds are worth, as a single share is Wilson's
/// (``RatioSample/share(confidence:)``). It knows how uncertain a few pairs are that differ, or none, which an interval that
/// goes by their spread does not.
struct PairedShares {
  /// The shares of all requests that the first won, and that the other did.
  private let (won, lost): (Double, Double)
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
