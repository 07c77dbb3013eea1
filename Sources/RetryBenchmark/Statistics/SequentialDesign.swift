/// When a run that stops at a decision looks at its results, and the confidence that each look needs.
///
/// If a run stops at the first lucky look, it is wrong far more often than once in twenty. So the looks are planned,
/// each with twice as many seeds, up to the limit. All looks and comparisons share the error of 5 % (Bonferroni's
/// inequality; for repeated intervals see Jennison and Turnbull, "Interim analyses: the repeated confidence interval
/// approach", 1989). The chance that any comparison is ever decided wrongly is at most 5 %.
public struct SequentialDesign: Hashable, Sendable, Codable {
  /// The number of seeds at each look.
  public let looks: [Int]
  /// The number of comparisons to decide.
  public let comparisons: Int

  /// The number of seeds at the first look.
  public static let firstLook = 100

  /// Plans the looks.
  ///
  /// - Parameters:
  ///   - limit: the most seeds that a run may use.
  ///   - comparisons: the number of comparisons to decide.
  public init(limit: Int, comparisons: Int) {
    var looks: [Int] = []
    var next = Self.firstLook
    while next < limit {
      looks.append(next)
      next = next > limit / 2 ? limit : next * 2
    }
    self.looks = looks + [limit]
    self.comparisons = max(1, comparisons)
  }

  /// The confidence of each comparison at each look, so that all are right together in 95 of 100 cases.
  public var confidence: Double { 1 - 0.05 / Double(max(1, looks.count) * max(1, comparisons)) }
}
