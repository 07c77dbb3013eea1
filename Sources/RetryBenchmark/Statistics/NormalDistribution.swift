import Foundation

enum NormalDistribution {
  static func cumulative(_ x: Double) -> Double {
    erfc(-x / 2.0.squareRoot()) / 2
  }

  /// The value below which this probability lies, by bisection to the last bit: slow, but without magic constants.
  static func quantile(_ probability: Double) -> Double {
    precondition(probability > 0 && probability < 1, "a probability strictly between 0 and 1")
    let (low, high) = bisected(from: -40, to: 40, steps: 80) { cumulative($0) < probability }
    return (low + high) / 2
  }

  /// How many standard deviations around the mean hold this share of all values: 1.96 for 0.95.
  static func deviations(confidence: Double) -> Double {
    precondition(confidence > 0 && confidence < 1, "a confidence strictly between 0 and 1")
    return quantile((1 + confidence) / 2)
  }
}
