public import Internals
import NetworkConditions

extension ExplorationReport {
  /// Why two reports cannot be merged.
  public enum MergeError: ExplainedError, Hashable, Sendable {
    /// The reports are of different explorations: the text names the difference.
    case different(String)
    /// Both reports contain the shard with this number, so merging would count it twice.
    case twice(Int)

    /// The error in one sentence.
    public var description: String { explanation.ending(sentence) }

    package var explanation: Explanation { .unlikeReports }

    package var sentence: String {
      switch self {
      case .different(let what): "it is a shard of another exploration: \(what)"
      case .twice(let shard): "shard \(shard) is given twice"
      }
    }
  }

  /// Merges the report of another shard into this one.
  public mutating func merge(_ other: ExplorationReport) throws(MergeError) {
    func same(_ what: String, _ one: some Equatable, _ another: String, _ isSame: Bool) throws(MergeError) {
      if !isSame { throw .different("its \(what) is \(another), not \(one)") }
    }
    try same("scenario", scenario, other.scenario, scenario == other.scenario)
    try same("profile", profile, other.profile, profile == other.profile)
    try same("bound", bound, "\(other.bound)", bound == other.bound)
    try same("number of shards", shardCount, "\(other.shardCount)", shardCount == other.shardCount)
    guard kinds == other.kinds, reduction == other.reduction else { throw .different("it tries different faults") }
    guard hash == other.hash else { throw .different("its client behaves differently without a fault") }
    if let shard = other.shards.first(where: shards.contains) { throw .twice(shard) }
    shards = (shards + other.shards).sorted()
    for level in levels.indices {
      levels[level].points += other.levels[level].points
      levels[level].classes += other.levels[level].classes
      levels[level].run += other.levels[level].run
      // Each shard counts these for the whole exploration, so the counts are not added.
      levels[level].alike = max(levels[level].alike, other.levels[level].alike)
    }
    add(other.behaviours, other.failures)
    marks += other.marks
    checked += other.checked
    splits += other.splits
    omissions += other.omissions
    lengths += other.lengths
    isPartial = isPartial || other.isPartial
    let time = virtualTime.addingReportingOverflow(other.virtualTime)
    virtualTime = time.overflow ? .max : time.partialValue
    // A report merged from all shards equals the report of an exploration without shards.
    if shards.count == shardCount { (shardCount, shards) = (1, [1]) }
    seal()
  }
}
