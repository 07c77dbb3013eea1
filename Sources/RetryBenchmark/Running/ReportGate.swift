import Foundation
import NetworkConditions

/// Limits every number in a report to ±2^53, the largest integers that JSON holds exactly.
///
/// A sum of 1,000 such numbers fits into 64 bits, so at most 1,000 parts are merged.
enum ReportGate {
  static let mostParts = 1_000
  private static let limit: Int64 = 1 << 53
  private static let kind = DocumentKind("a report", usually: "a few megabytes", atMostMebibytes: 1_024)
  /// The longest list of numbers in a report; a list has one number for each outage or similar.
  private static let longestRow = 10_000
  private static let fractions: Set<String> = ["ratio", "low", "high"]
  /// The keys of whole numbers that are never added up, and so may have 64 bits: seeds, and some times.
  private static let free: Set<String> = [
    "seed", "seeds", "waited", "radio", "keyMemory", "deadline", "perTry", "longest", "least", "greatest",
  ]

  /// Reads a report; the error names the place of a number beyond the limit.
  static func read(_ json: Data) throws(ProfileError) -> RetryReport {
    let report: RetryReport = try kind.decode(from: json, file: "report", longestRow: longestRow) { digits, key in
      if fractions.contains(key) { return nil }
      if free.contains(key) {
        let fits = Int64(digits) != nil || UInt64(digits) != nil
        return fits ? nil : "\(digits.prefix(60)) is not a whole number of 64 bits"
      }
      guard Int64(digits).map({ $0.magnitude <= limit.magnitude }) != true else { return nil }
      return "\(digits.prefix(60)) is not a count of any run; counts are from -2^53 to 2^53"
    }
    if let problem = report.problem { throw .value(file: "report", path: "", reason: problem) }
    return report
  }
}

extension PolicyMetrics {
  var problem: String? {
    if let wrong = zip(trials, trials.dropFirst()).first(where: { $0.seed >= $1.seed }) {
      return "the trials of \(policy.quoted) are not in the order of their seeds: \(wrong.0.seed), \(wrong.1.seed)"
    }
    let counts = [
      hedges, denials, traffic.sent, traffic.received, traffic.wastedSent, traffic.wastedReceived, load.peak,
      load.attemptsInOutages, outageLoad.outages, Int(clamping: outageLoad.longest.wholeNanoseconds),
      recovery.neverRecovered,
      violations.duplicateEffects, violations.deadlines, violations.retryAfter, violations.pointlessRetries,
      synchronisation.trials, synchronisation.millionths, synchronisation.greatestMillionths,
    ]
    if let wrong = (counts + Array(outcomes.values)).first(where: { $0 < 0 }) {
      return "for \(policy.quoted) something is counted \(wrong) times; a count is 0 or more"
    }
    for trial in trials {
      if let problem = trial.problem { return "seed \(trial.seed) of \(policy.quoted): \(problem)" }
    }
    return contradiction.map { "for \(policy.quoted) \($0)" }
  }

  /// The first total that differs from the sum over the trials, in words; `nil` if all agree.
  private var contradiction: String? {
    func sum(_ number: (TrialSummary) -> Int) -> Int128 { trials.reduce(0) { $0 + Int128(number($1)) } }
    let (requests, attempts) = (sum(\.requests), sum(\.attempts))
    let pairs: [(String, Int128, Int128)] = [
      ("requests", requests, Int128(self.attempts.total)), ("requests", requests, Int128(load.requests.total)),
      ("successes", sum(\.successes), Int128(load.successes.total)),
      ("attempts", attempts, self.attempts.sum), ("attempts", attempts, Int128(load.attempts.total)),
      ("attempts", attempts, outcomes.values.reduce(0) { $0 + Int128($1) }),
      ("bytes", sum(\.bytes), Int128(traffic.sent) + Int128(traffic.received)),
      ("wasted bytes", sum(\.wastedBytes), Int128(traffic.wastedSent) + Int128(traffic.wastedReceived)),
    ]
    if let wrong = pairs.first(where: { $0.1 != $0.2 }) {
      return "the trials have \(wrong.1) \(wrong.0), but the total is \(wrong.2)"
    }
    if Int128(denials) > requests { return "\(denials) of \(requests) requests were denied something" }
    if Int128(hedges) > attempts { return "\(hedges) of \(attempts) attempts are hedges" }
    return nil
  }
}

extension RetryReport {
  var problem: String? {
    if !seeds.canBeCounted { return "seeds: \(seeds) are not usable; write for example 0..<1000" }
    if let problem = workload.problem { return "workload: \(problem)" }
    if let problem = server.problem { return "server: \(problem)" }
    if let design = decision?.design, design.looks.count > 64 || !(1...1_000_000).contains(design.comparisons) {
      return "decision: no run looks \(design.looks.count) times at \(design.comparisons) comparisons"
    }
    let shares = parts.map(\.count)
    guard let count = shares.first, shares.allSatisfy({ $0 == count }), parts.count <= ReportGate.mostParts,
      parts.allSatisfy({ (0..<max(0, count)).contains($0.index) }), Set(parts).count == parts.count
    else {
      return "parts: they must be 1 to \(ReportGate.mostParts) different shards, numbered from 0, of the same count"
    }
    if let problem = results.lazy.compactMap(\.problem).first { return problem }
    return results.lazy.compactMap { problem(of: $0, count) }.first
  }

  /// A sentence if a trial's seed is not in the run or not in these shares, or its requests are too many.
  private func problem(of metrics: PolicyMetrics, _ count: Int) -> String? {
    let indices = Set(parts.map(\.index))
    let wrong = metrics.trials.first {
      !seeds.contains($0.seed) || !indices.contains(Int(($0.seed - seeds.lowerBound) % UInt64(count)))
    }
    if let wrong { return "seed \(wrong.seed) of \(metrics.policy.quoted) is not among its seeds" }
    let most = workload.clients * workload.requestsPerClient
    return metrics.trials.first { $0.requests > most }.map {
      "seed \($0.seed) of \(metrics.policy.quoted) has \($0.requests) requests; its clients send \(most)"
    }
  }
}
