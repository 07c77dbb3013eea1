import NetworkConditions
import RetryBenchmark
import RetryPolicies

/// How many confidence intervals of a retry benchmark contain the truth.
///
/// A thousand disjoint blocks of seeds each give intervals; all blocks together give the truth. It repeats this with
/// blocks five times as large. `Benchmarks child retry-coverage BLOCKS SEEDS CLIENTS PROFILE` uses other numbers.
/// `Benchmarks child retry-bytes TRIALS DRAWS PROFILE` checks the intervals of differences in bytes.
enum RetryCoverage {
  static func run() async throws {
    try await run([])
    // Nearly all requests succeed here, so a p99 exists, and large contributions to a sum are rare.
    try await run(["1000", "100", "1", "flaky", "calm"])
    try await bytes([])
    try await bytes(["300000", "200", "flaky", "calm"])
    try await RetryDecisions.run([])
  }

  static func run(_ arguments: [String]) async throws {
    let (blocks, size) = (max(2, arguments.number(0, usual: 1_000)), max(2, arguments.number(1, usual: 100)))
    let clients = max(1, arguments.number(2, usual: 10))
    let profile = arguments.count > 3 ? arguments[3] : "subway"
    let (first, other) = try await pair(profile, trials: blocks * size, clients: clients, isCalm: arguments.count > 4)
    for (blocks, size) in [(blocks, size), (blocks / 5, size * 5)] where blocks > 1 {
      print("\(blocks) blocks of \(size) seeds, \(clients) clients under \(profile):")
      print("95 % intervals that hold the truth, of those that are given")
      cover(first, other, blocks, size)
    }
  }

  /// No retries and full jitter, in a calm setting or with an outage.
  private static func pair(
    _ profile: String, trials: Int, clients: Int, isCalm: Bool
  ) async throws -> (PolicyMetrics, PolicyMetrics) {
    let report = try await RetryBenchmark(
      profiles: [profile], seeds: 0..<UInt64(trials),
      workload: Workload(clients: clients, arrival: .poisson(over: .seconds(20))),
      server: isCalm
        ? ServerModel(serviceTime: .logNormal(median: .milliseconds(50), spread: 3_000))
        : ServerModel(outages: [.seconds(5)..<(.seconds(8))])
    ).run(["none", isCalm ? "full-jitter(attempts 5)" : "full-jitter"])
    return (report.results[0], report.results[1])
  }

  /// Measures that one request in ten thousand may decide: draws trials from a pool repeatedly.
  static func bytes(_ arguments: [String]) async throws {
    let (trials, draws) = (max(2, arguments.number(0, usual: 150_000)), max(1, arguments.number(1, usual: 200)))
    let profile = arguments.count > 2 ? arguments[2] : "subway"
    let (first, other) = try await pair(profile, trials: trials, clients: 1, isCalm: arguments.count > 3)
    let size = 100_000
    print("\(draws) times \(size) of \(trials) trials, one client under \(profile):")
    var random = RetryRandom(seed: 1)
    var hits: [TrialSummary.Measure: Int] = [:]
    let measures: [TrialSummary.Measure] = [.bytesPerAnswer, .wastedBytes]
    for _ in 0..<draws {
      let places = (0..<size).map { _ in Int.random(in: 0..<trials, using: &random) }
      let (one, two) = (first.drawn(places), other.drawn(places))
      for measure in measures {
        guard let truth = other.compared(to: first, by: measure)?.difference,
          let pair = two.compared(to: one, by: measure), pair.seedsNeeded == nil
        else { continue }
        hits[measure, default: 0] += pair.interval.contains(truth) ? 1 : 0
      }
    }
    for measure in measures {
      let share = Double(hits[measure] ?? 0) / Double(draws) * 100
      report("difference: \(measure.rawValue)", "\(share.fixed(1)) %", goal: "93 to 97 %")
    }
  }

  private static func cover(_ first: PolicyMetrics, _ other: PolicyMetrics, _ blocks: Int, _ size: Int) {
    func parts(_ metrics: PolicyMetrics) -> [PolicyMetrics] {
      (0..<blocks).map { metrics.having(Array(metrics.trials[$0 * size..<($0 + 1) * size])) }
    }
    func count(_ name: String, _ truth: Double?, _ found: [(value: Double, interval: ClosedRange<Double>)?]) {
      guard let truth else { return }
      // An unbounded interval says nothing, so it cannot be wrong.
      let known = found.compactMap { $0 }.filter { $0.interval.lowerBound > 0 || $0.interval.upperBound < .infinity }
        .filter { $0.interval.lowerBound > -.infinity }
      let (hits, empty) = (known.count { $0.interval.contains(truth) }, blocks - known.count)
      let share = known.isEmpty ? "none" : "\((Double(hits) / Double(known.count) * 100).fixed(1)) %"
      let rest = empty == 0 ? "" : ", \(empty) blocks have none"
      let allowed =
        nearest(known.map(\.value)).map { "; with so few values \(($0 * 100).fixed(1)) % is the nearest" } ?? ""
      report(name, "\(share), of \(truth.fixed(3))\(rest)\(allowed)", goal: "93 to 97 %")
    }
    let (firstParts, otherParts) = (parts(first), parts(other))
    for (metrics, parts) in [(first, firstParts), (other, otherParts)] {
      let estimates: [(String, (PolicyMetrics) -> Estimate?)] =
        TrialSummary.Measure.allCases.map { measure in (measure.rawValue, { $0.estimate(of: measure) }) }
        + [0.25, 0.5, 0.9, 0.99].map { share in ("answered p\(share)", { $0.timeToAnswer(share) }) }
        + [1, 5, 20].map { seconds in ("answered within \(seconds) s", { $0.answered(within: .seconds(seconds)) }) }
        + [("given up p0.5", { $0.timeToGiveUp(0.5) })]
      for (name, estimate) in estimates {
        count(
          "\(metrics.policy): \(name)", estimate(metrics)?.value,
          parts.map { estimate($0).map { ($0.value, $0.interval) } })
      }
    }
    for measure in TrialSummary.Measure.allCases {
      count(
        "difference: \(measure.rawValue)", other.compared(to: first, by: measure)?.difference,
        zip(otherParts, firstParts).map { $0.compared(to: $1, by: measure).map { ($0.difference, $0.interval) } })
    }
  }

  /// The achievable coverage nearest to 95 %, given these discrete values; `nil` if 93 to 97 % is achievable.
  ///
  /// The intervals that contain the truth belong to adjacent values, each with its share of the blocks.
  private static func nearest(_ values: [Double]) -> Double? {
    let counts = Dictionary(grouping: values) { $0 }.sorted { $0.key < $1.key }.map(\.value.count)
    guard counts.count <= 30 else { return nil }
    let shares = counts.indices.flatMap { first in
      (first..<counts.count).map { Double(counts[first...$0].reduce(0, +)) / Double(values.count) }
    }
    guard let nearest = shares.min(by: { abs($0 - 0.95) < abs($1 - 0.95) }) else { return nil }
    return (0.93...0.97).contains(nearest) ? nil : nearest
  }
}

extension PolicyMetrics {
  /// The metrics of some trials only; all other counts are empty.
  fileprivate func having(_ trials: [TrialSummary]) -> PolicyMetrics {
    var part = PolicyMetrics(policy: policy, profile: profile, limits: limits, plan: plan)
    part.trials = trials
    return part
  }

  /// The metrics of trials drawn from these by their places, each with a new seed, as for a bootstrap.
  fileprivate func drawn(_ places: [Int]) -> PolicyMetrics {
    having(
      places.enumerated().map { number, place in
        var trial = trials[place]
        trial.seed = UInt64(number)
        return trial
      })
  }
}
