public import Foundation
import Internals
public import NetworkConditions

extension ExplorationReport {
  enum CodingKeys: CodingKey {
    case exploration, scenario, profile, bound, kinds, reduction, shardCount, shards, levels, behaviours, failures
    case checked, splits, omissions, lengths, waits, isPartial, virtualTime, length, steps, marks, hash, usual
  }

  /// The version of the report's format.
  struct Version: FormatVersion {
    static let known = 4
    static func refusal(of version: Int) -> String {
      "this is version \(version) of a report, but this package reads version \(known)"
    }
  }

  /// The report as JSON, which ``init(json:)`` reads.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Reads a report from JSON.
  ///
  /// - Throws: an error that names the place, the value and what would be right; also for another version of the format.
  public init(json: Data) throws(ProfileError) {
    // The longest lists have a text for each split class or omission; all numbers are counts or times.
    self = try Self.kind.decode(from: json, file: "report", longestRow: 1_000_000) { digits, key in
      let most = key == "virtualTime" ? Int64.max : 1 << 53
      guard Int64(digits).map({ (0...most).contains($0) }) != true else { return nil }
      return "\(digits.prefix(60)) is not a count of an exploration, which is from 0 to 2^53"
    }
    if let problem { throw .value(file: "report", path: "", reason: problem) }
  }

  private static let kind = DocumentKind("a report", usually: "a few megabytes", atMostMebibytes: 256)

  private var problem: String? {
    guard shardCount > 0, !shards.isEmpty, Set(shards).count == shards.count,
      shards.allSatisfy({ (1...shardCount).contains($0) })
    else { return "shards: they must be different numbers from 1 to \(shardCount), the number of shards" }
    if levels.count != bound { return "levels: there are \(levels.count), but up to \(bound) faults" }
    return nil
  }
}
