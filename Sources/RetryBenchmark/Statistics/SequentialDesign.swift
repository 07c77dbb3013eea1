/// When a run that goes on until it knows looks at what it has, and how sure each look must be.
///
/// Who looks again and again, and stops at the first lucky look, is wrong far more often than one time in twenty. Here the
/// looks are planned: twice as many seeds at each, up to the limit, and the error of 5 % is shared among all looks and all
/// comparisons (Bonferroni's inequality; for repeated intervals see Jennison and Turnbull, "Interim analyses: the repeated
/// confidence interval approach", 1989). So the chance that any one of the comparisons is ever called wrongly is at most 5 %.
public struct SequentialDesign: Hashable, Sendable, Codable {
  /// How many seeds there are at each look.
  public let looks: [Int]
  /// How many comparisons are decided.
  public let comparisons: Int

  /// How many seeds the first look has.
  public static let firstLook = 100

  /// Plans the looks.
  ///
  /// - Parameters:
  ///   - limit: how many seeds there are at most.
  ///   - comparisons: how many are to be decided.
  public init(limit: Int, comparisons: Int) {
    var looks: [Int] = []
    var next = Self.firstLook
    while next < limit {
      looks.append(next)
      next *= 2
    }
    self.looks = looks + [limit]
    self.comparisons = max(1, comparisons)
  }

  /// How sure each look is of each comparison, so that all together are right in 95 of 100 cases.
  public var confidence: Double { 1 - 0.05 / Double(max(1, looks.count) * max(1, comparisons)) }
}
