/// The signed-rank test of paired differences (Wilcoxon, "Individual comparisons by ranking methods", 1945).
public struct WilcoxonTest: Hashable, Sendable {
  /// How many pairs differ.
  public let count: Int
  /// The sum of the ranks of the positive differences.
  public let positiveRanks: Double
  /// The probability of a sum at least as far from its middle when neither side is better (two-sided).
  public let probability: Double

  /// Tests differences, in any order; those of 0 are left out.
  ///
  /// Exact for up to 50 differences without ties, by counting; otherwise the normal approximation with the correction
  /// for ties and for continuity.
  public init(_ differences: [Double]) {
    let sorted = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
    var positive = 0.0
    var ties = 0.0
    var place = 0
    while place < sorted.count {
      let next = sorted[place...].firstIndex { abs($0) != abs(sorted[place]) } ?? sorted.count
      // Those that are equally large share the mean of their ranks.
      let rank = Double(place + 1 + next) / 2
      positive += rank * Double(sorted[place..<next].count { $0 > 0 })
      let size = Double(next - place)
      ties += size * size * size - size
      place = next
    }
    count = sorted.count
    positiveRanks = positive
    probability = Self.probability(positive, count: sorted.count, ties: ties)
  }

  private static func probability(_ positive: Double, count: Int, ties: Double) -> Double {
    guard count > 0 else { return 1 }
    let n = Double(count)
    let all = n * (n + 1) / 2
    if count <= 50, ties == 0 { return min(1, 2 * lowerTail(Int(min(positive, all - positive)), count: count)) }
    let variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    guard variance > 0 else { return 1 }
    let distance = max(0, abs(positive - all / 2) - 0.5)
    return min(1, 2 * NormalDistribution.cumulative(-distance / variance.squareRoot()))
  }

  /// The chance of a sum up to `sum` when each rank is positive with one half.
  private static func lowerTail(_ sum: Int, count: Int) -> Double {
    var chances = [Double](repeating: 0, count: count * (count + 1) / 2 + 1)
    chances[0] = 1
    for rank in 1...count {
      for total in stride(from: chances.count - 1, through: 0, by: -1) {
        chances[total] = (chances[total] + (total >= rank ? chances[total - rank] : 0)) / 2
      }
    }
    return chances[...sum].reduce(0, +)
  }
}
