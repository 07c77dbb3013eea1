public import Foundation
import Internals
public import NetworkConditions

extension ExplorationReport: Codable {
  private enum Keys: String, CodingKey {
    case exploration, scenario, profile, bound, kinds, reduction, shardCount, shards, levels, behaviours, failures
    case checked, splits, omissions, lengths, waits, isPartial, virtualTime, length, steps, marks, hash, usual
  }

  private static let version = 4

  /// Writes the report.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(Self.version, forKey: .exploration)
    try values.encode(scenario, forKey: .scenario)
    try values.encode(profile, forKey: .profile)
    try values.encode(bound, forKey: .bound)
    try values.encode(kinds, forKey: .kinds)
    try values.encode(reduction, forKey: .reduction)
    try values.encode(shardCount, forKey: .shardCount)
    try values.encode(shards, forKey: .shards)
    try values.encode(levels, forKey: .levels)
    try values.encode(behaviours, forKey: .behaviours)
    try values.encode(failures, forKey: .failures)
    try values.encode(checked, forKey: .checked)
    try values.encode(splits, forKey: .splits)
    try values.encode(omissions.sorted(), forKey: .omissions)
    try values.encode(orderedLengths, forKey: .lengths)
    try values.encode(waits, forKey: .waits)
    try values.encode(isPartial, forKey: .isPartial)
    try values.encode(virtualTime, forKey: .virtualTime)
    try values.encode(length, forKey: .length)
    try values.encode(steps, forKey: .steps)
    try values.encode(marks, forKey: .marks)
    try values.encode(hash, forKey: .hash)
    try values.encode(usual, forKey: .usual)
  }

  /// Reads a report.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let version = try values.decode(Int.self, forKey: .exploration)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .exploration, in: values,
        debugDescription: "this is version \(version) of a report, and this package reads version \(Self.version)")
    }
    scenario = try values.decode(String.self, forKey: .scenario)
    profile = try values.decode(String.self, forKey: .profile)
    bound = try values.decode(Int.self, forKey: .bound)
    kinds = try values.decode([FaultAlphabet.Kind].self, forKey: .kinds)
    reduction = try values.decode(FaultExploration.Reduction.self, forKey: .reduction)
    shardCount = try values.decode(Int.self, forKey: .shardCount)
    shards = try values.decode([Int].self, forKey: .shards)
    levels = try values.decode([Level].self, forKey: .levels)
    behaviours = try values.decode([Behaviour].self, forKey: .behaviours)
    failures = try values.decode([Failure].self, forKey: .failures)
    checked = try values.decode(Int.self, forKey: .checked)
    splits = try values.decode([String].self, forKey: .splits)
    omissions = Set(try values.decode([String].self, forKey: .omissions))
    lengths = Set(try values.decode([Length].self, forKey: .lengths))
    waits = try values.decode([Int64].self, forKey: .waits)
    isPartial = try values.decode(Bool.self, forKey: .isPartial)
    virtualTime = try values.decode(Int64.self, forKey: .virtualTime)
    length = try values.decode(Int64.self, forKey: .length)
    steps = try values.decode([Step].self, forKey: .steps)
    marks = try values.decode([Mark].self, forKey: .marks)
    hash = try values.decode(String.self, forKey: .hash)
    usual = try values.decode(String.self, forKey: .usual)
    capture = .everything
  }

  /// The report as JSON, which ``init(json:)`` reads.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Reads a report.
  ///
  /// - Throws: an error that names the place, the value and what would be right; also for another version of the format.
  public init(json: Data) throws(ProfileError) {
    // A list of texts has one for each class that was split, or omission; a number is a count or a time.
    self = try Self.kind.decode(from: json, file: "report", longestRow: 1_000_000) { digits, key in
      let text = String(decoding: digits, as: UTF8.self)
      let most = key.elementsEqual("virtualTime".utf8) ? Int64.max : 1 << 53
      guard Int64(text).map({ (0...most).contains($0) }) != true else { return nil }
      return "\(text.prefix(60)) is not counted by any exploration; it is from 0 to 2^53"
    }
    if let problem { throw .value(file: "report", path: "", reason: problem) }
  }

  private static let kind = DocumentKind("a report", usually: "a few megabytes", atMostMebibytes: 256)

  private var problem: String? {
    guard shardCount > 0, !shards.isEmpty, Set(shards).count == shards.count,
      shards.allSatisfy({ (1...shardCount).contains($0) })
    else { return "shards: they are different numbers from 1 to \(shardCount), the number of shares" }
    if levels.count != bound { return "levels: there are \(levels.count), and up to \(bound) faults" }
    return nil
  }
}
