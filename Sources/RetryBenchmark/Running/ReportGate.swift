import Foundation
import NetworkConditions

/// The limit of every number in a report, so that parts can be added up: none is beyond 2^53, where JSON's numbers end.
///
/// A thousand such numbers fit into 64 bits, and more parts than that are not put together.
enum ReportGate {
  static let mostParts = 1_000
  private static let limit: Int64 = 1 << 53
  private static let kind = DocumentKind("a report", usually: "a few megabytes", atMostMebibytes: 1_024)
  /// The keys of numbers that are never added up.
  private static let free: Set<String> = ["seed", "seeds", "latency", "wastedBytes"]

  /// Makes sure of it, and names the place of a number that is none of a report's.
  static func check(_ json: Data) throws {
    do throws(ProfileError) {
      let document = try kind.value(json: json, file: "report")
      try check(document.value, key: "", path: "")
    } catch {
      throw problem("\(error)")
    }
  }

  private static func check(_ value: JSONValue, key: String, path: String) throws(ProfileError) {
    switch value {
    case .number(let text) where !free.contains(key):
      guard let number = Int64(text), number.magnitude <= limit.magnitude else {
        throw .value(
          file: "report", path: path, reason: "\(text.prefix(60)) is not counted by any run; it is from -2^53 to 2^53")
      }
    case .object(let members):
      for member in members {
        try check(member.value, key: member.key, path: FormatReader.path(path, to: member.key))
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() { try check(element, key: key, path: "\(path)[\(index)]") }
    default: return
    }
  }

  /// An error of a report, as decoders throw it.
  static func problem(_ reason: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
  }
}

extension PolicyMetrics {
  /// The reason why it is impossible, in words; `nil` when there is none.
  var problem: String? {
    if let wrong = zip(trials, trials.dropFirst()).first(where: { $0.seed >= $1.seed }) {
      return "the trials of \(policy.quoted) are not in the order of their seeds: \(wrong.0.seed), \(wrong.1.seed)"
    }
    let counts = [
      hedges, denials, traffic.sent, traffic.received, traffic.wastedSent, traffic.wastedReceived, load.peak,
      load.attemptsInOutages, outageLoad.outages, Int(outageLoad.longest.wholeNanoseconds), recovery.neverRecovered,
      violations.duplicateEffects, violations.deadlines, violations.retryAfter, violations.pointlessRetries,
      synchronisation.trials, synchronisation.millionths, synchronisation.greatestMillionths,
    ]
    let ofTrials = trials.flatMap {
      [$0.requests, $0.successes, Int($0.latency.wholeNanoseconds), $0.attempts, $0.wastedBytes]
    }
    guard let wrong = (counts + ofTrials + Array(outcomes.values)).first(where: { $0 < 0 }) else { return nil }
    return "of \(policy.quoted) something is counted \(wrong) times; a count is 0 or more"
  }
}

extension RetryReport {
  /// The reason why it is impossible, in words; `nil` when there is none.
  var problem: String? {
    if !seeds.canBeCounted { return "seeds: \(seeds) are none; write for example 0..<1000" }
    if let problem = workload.problem { return "workload: \(problem)" }
    if let problem = server.problem { return "server: \(problem)" }
    let shares = parts.map(\.count)
    guard let count = shares.first, shares.allSatisfy({ $0 == count }), parts.count <= ReportGate.mostParts,
      parts.allSatisfy({ (0..<max(0, count)).contains($0.index) }), Set(parts).count == parts.count
    else { return "parts: they are 1 to \(ReportGate.mostParts) different shares, numbered from 0, of one number" }
    return results.lazy.compactMap(\.problem).first
  }
}
