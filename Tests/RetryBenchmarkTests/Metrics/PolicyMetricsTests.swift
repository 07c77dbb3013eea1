import Foundation
import NetworkConditions
import RetryPolicies
import Testing
import Thoroughness

@testable import RetryBenchmark

extension RetryStatisticsTests {
  struct PolicyMetricsTests {
    private let second = Duration.seconds(1)

    private func attempt(
      _ kind: AttemptPlan.Kind, _ start: Double, _ end: Double, _ outcomeClass: RetryAttempt.OutcomeClass,
      _ outcome: String,
      sent: Int = 0, received: Int = 0, retryAfter: Double? = nil, wasProcessed: Bool? = nil
    ) -> AttemptTrace {
      AttemptTrace(
        kind: kind, start: .seconds(start), end: .seconds(end), outcomeClass: outcomeClass, outcome: outcome,
        sent: sent,
        received: received, retryAfter: retryAfter.map { .seconds($0) }, wasProcessed: wasProcessed)
    }

    private func metrics(_ trials: TrialRecord...) -> PolicyMetrics {
      var metrics = PolicyMetrics(policy: "p", profile: "n")
      for trial in trials { metrics.add(trial) }
      return metrics
    }

    /// Three requests: one succeeds at its third attempt, one fails, and one is answered by its hedge.
    private var trial: TrialRecord {
      TrialRecord(
        seed: 7,
        requests: [
          RequestRecord(
            start: .zero, end: second * 4, isSuccess: true, isIdempotent: false, deadline: second * 3,
            attempts: [
              attempt(.original, 0, 1, .transientFailure, "503", sent: 100, received: 10, retryAfter: 1.5),
              attempt(.retry, 2, 2.5, .transientFailure, "timedOut", sent: 100, wasProcessed: true),
              attempt(.retry, 3, 4, .success, "200", sent: 100, received: 1000),
            ]),
          RequestRecord(
            start: second, end: second * 2, isSuccess: false, wasDenied: true,
            attempts: [
              attempt(.original, 1, 1.5, .permanentFailure, "404", sent: 50, received: 5),
              attempt(.retry, 1.5, 2, .transientFailure, "503", sent: 50, received: 5),
            ]),
          RequestRecord(
            start: second * 2, end: second * 3, isSuccess: true,
            attempts: [
              attempt(.original, 2, 3, .abandoned, "abandoned", sent: 20, received: 7),
              attempt(.hedge, 2.5, 3, .success, "200", sent: 20, received: 200),
            ]),
        ],
        outages: [.zero..<second * 2])
    }

    @Test func `the metrics of a known trial have the expected values`() {
      let metrics = metrics(trial)
      #expect(metrics.success == Proportion(successes: 2, total: 3))
      #expect(metrics.timeToAnswer(0.3).map { abs($0.value - 1) < 0.004 } == true)
      #expect(metrics.timeToAnswer(0.6).map { abs($0.value - 4) < 0.016 } == true)
      #expect(metrics.timeToAnswer(0.7)?.value == .infinity)
      #expect(metrics.timeToGiveUp(0.5).map { abs($0.value - 1) < 0.004 } == true)
      #expect(metrics.answered(within: second * 2)?.value == 1.0 / 3)
      // Six seconds waited for two answers, one request that was carried out twice, three attempts from 2 s to 3 s, four in the
      // two seconds after the outage, and a radio that is on from 0 s to 4 s and for its tail.
      for (measure, value) in [
        (TrialSummary.Measure.wait, 3), (.attemptsPerAnswer, 3.5), (.bytesPerAnswer, 833.5),
        (.repeatedEffects, 1.0 / 3),
        (.unreportedEffects, 0),
        (.busiestSecond, 3), (.recoveryLoad, 2), (.radioPerAnswer, 15.576 / 2),
      ] { #expect(metrics.estimate(of: measure)?.value == value, "\(measure)") }
      #expect(metrics.attempts.entries.map { [$0.value, $0.count] } == [[2, 2], [3, 1]])
      #expect(metrics.amplification == 7.0 / 3)
      #expect(metrics.outcomes == ["503": 2, "200": 2, "404": 1, "timedOut": 1, "abandoned": 1])
      #expect(metrics.hedges == 1 && metrics.denials == 1)
    }

    @Test func `bytes of attempts that did not bring the answer count as wasted`() {
      let traffic = metrics(trial).traffic
      #expect(traffic.sent == 440 && traffic.received == 1227)
      #expect(traffic.wastedSent == 320 && traffic.wastedReceived == 27)
      #expect(metrics(trial).trials.map(\.wastedBytes) == [347])
    }

    @Test func `the server's load counts attempts and requests per second`() {
      let load = metrics(trial).load
      #expect(load.attempts.entries.map { [$0.value, $0.count] } == [[0, 1], [1, 2], [2, 3], [3, 1]])
      #expect(load.requests.entries.map { [$0.value, $0.count] } == [[0, 1], [1, 1], [2, 1]])
      #expect(load.peak == 3)
      // The attempts at 0 s, 1 s and 1.5 s count; the attempt at 2 s starts exactly at the outage's end.
      #expect(load.attemptsInOutages == 3)
    }

    @Test func `each attempt is counted by its seconds from the end of its own outage or the nearest one`() {
      let outages = [second..<(second * 2), (second * 9)..<(second * 10)]
      for (time, expected) in [(0.5, -2), (1.5, -1), (2, 0), (5, 3), (5.5, 3), (6, -4), (9.2, -1), (60, 50)] {
        #expect(OutageLoad.second(of: .seconds(time), among: outages) == expected, "\(time)")
      }
      let load = metrics(trial).outageLoad
      #expect(load.outages == 1 && load.longest == second * 2)
      #expect(load.attempts.entries.map { [$0.value, $0.count] } == [[-2, 1], [-1, 2], [0, 3], [1, 1]])
      #expect(load.requests.entries.map { [$0.value, $0.count] } == [[-2, 1], [-1, 1], [0, 1]])
    }

    @Test func `metrics count duplicate effects, missed deadlines, early retries and pointless retries`() {
      let violations = metrics(trial).violations
      #expect(violations.duplicateEffects == 1)
      #expect(violations.deadlines == 1)
      #expect(violations.retryAfter == 1)
      #expect(violations.pointlessRetries == 1)
    }

    @Test func `recovery time is measured from the end of an outage`() {
      let recovery = metrics(trial).recovery
      // At 2 s the second request fails; those at 3 s and 4 s succeed.
      #expect(recovery.toSuccess.greatest == second)
      #expect(recovery.toDrained.greatest == second * 2)
      #expect(recovery.neverRecovered == 0)
      let never = metrics(TrialRecord(seed: 1, requests: [], outages: [.zero..<second, second * 2..<second * 3]))
        .recovery
      #expect(never.neverRecovered == 2 && never.toDrained.greatest == .zero)
    }

    @Test func `metrics give the share of retries that start at the same time`() {
      func share(_ starts: [Double]) -> Double? {
        let requests = starts.map {
          RequestRecord(
            start: .zero, end: second * 100, isSuccess: true,
            attempts: [attempt(.original, 0, 0, .transientFailure, "503"), attempt(.retry, $0, $0, .success, "200")])
        }
        return metrics(TrialRecord(seed: 1, requests: requests)).synchronisation.mean
      }
      #expect(share([1, 1.05, 1.09, 1.099]) == 1)
      #expect(share([1, 1.05, 2, 3]) == 0.5)
      #expect(share([]) == nil)
    }

    // MARK: Shards

    private func randomTrial(_ seed: UInt64) -> TrialRecord {
      var random = RetryRandom(seed: seed)
      let requests = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let start = Duration.nanoseconds(Int.random(in: 0...20_000_000_000, using: &random))
        var time = start
        let attempts = (0..<Int.random(in: 1...4, using: &random)).map { number in
          let begin = time + .nanoseconds(Int.random(in: 0...1_000_000_000, using: &random))
          time = begin + .nanoseconds(Int.random(in: 0...3_000_000_000, using: &random))
          return AttemptTrace(
            kind: number == 0 ? .original : .retry, start: begin, end: time,
            outcomeClass: RetryAttempt.OutcomeClass.allCases.randomElement(using: &random)!,
            outcome: ["200", "503", "timedOut"].randomElement(using: &random)!,
            sent: .random(in: 0...5_000, using: &random), received: .random(in: 0...50_000, using: &random),
            retryAfter: Bool.random(using: &random) ? second : nil)
        }
        return RequestRecord(
          start: start, end: time, isSuccess: .random(using: &random), isIdempotent: .random(using: &random),
          deadline: second * 5, wasDenied: .random(using: &random), attempts: attempts)
      }
      return TrialRecord(seed: seed, requests: requests, outages: [second..<(second * 2), (second * 4)..<(second * 9)])
    }

    @Test(arguments: [1, 2, 3, 7, 60])
    func `metrics of shards merged in any order equal the metrics of the whole, byte for byte`(count: Int) throws {
      let trials = (0..<60 as Range<UInt64>).map(randomTrial)
      var whole = PolicyMetrics(policy: "p", profile: "n")
      for trial in trials { whole.add(trial) }
      var random = RetryRandom(seed: UInt64(count))
      var shards = [PolicyMetrics](repeating: PolicyMetrics(policy: "p", profile: "n"), count: count)
      for trial in trials.shuffled(using: &random) { shards[Int(trial.seed) % count].add(trial) }
      let merged = shards.shuffled(using: &random).merged(into: PolicyMetrics(policy: "p", profile: "n"))
      #expect(merged == whole)
      let json = try whole.stableJSON()
      #expect(try merged.stableJSON() == json)
      // Writing and reading a shard does not change it.
      let read = try JSONDecoder().decode(PolicyMetrics.self, from: json)
      #expect(try read == whole && read.stableJSON() == json)
    }

    @Test func `metrics in JSON of another format version are refused`() throws {
      let text = String(decoding: try metrics(trial).stableJSON(), as: UTF8.self)
      #expect(text.contains(#""version":5"#))
      let other = Data(text.replacing(#""version":5"#, with: #""version":2"#).utf8)
      let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(PolicyMetrics.self, from: other) }
      #expect(error.map { "\($0)".contains("metrics of version 2; this module reads version 5") } == true)
    }

    /// The true value is the value over all blocks; requests of one seed are correlated.
    ///
    /// `Benchmarks retry-coverage` does the same with a thousand blocks of real trials.
    @Test(.enabled(if: Thoroughness.isWhole))
    func `95 % confidence intervals of figures contain the true value in 92 to 98 % of the blocks`() throws {
      let (blocks, size) = (200, 40)
      var whole = PolicyMetrics(policy: "p", profile: "n")
      for seed in 0..<UInt64(blocks * size) {
        var random = RetryRandom(seed: seed)
        let hardness = random.next() % 100
        let requests = (0..<4).map { _ -> RequestRecord in
          let fails = (0..<3).prefix { _ in random.next() % 110 < hardness }.count
          let times = (0...fails).map { _ in Duration.milliseconds(Int(20 + hardness * (random.next() % 40))) }
          var start = Duration.zero
          let attempts = times.prefix(3).enumerated().map { index, time in
            defer { start += time }
            return attempt(
              index == 0 ? .original : .retry, start.inSeconds, (start + time).inSeconds,
              index == fails ? .success : .transientFailure, index == fails ? "200" : "503", sent: 500,
              received: index == fails ? 2_000 : 100)
          }
          return RequestRecord(start: .zero, end: start, isSuccess: fails < 3, attempts: attempts)
        }
        whole.add(TrialRecord(seed: seed, requests: requests))
      }
      let parts = (0..<blocks).map { whole.restricted(to: UInt64($0 * size)..<UInt64(($0 + 1) * size)) }
      let figures: [(String, (PolicyMetrics) -> Estimate?)] =
        TrialSummary.Measure.allCases.map { measure in
          // Even if a real run would need more seeds.
          (
            measure.rawValue,
            { metrics in
              measure.isShare
                ? metrics.estimate(of: measure)
                : RatioSample(metrics.trials.map { $0.parts(of: measure) })?.mean(confidence: 0.95)
            }
          )
        } + [
          ("p50", { $0.timeToAnswer(0.5) }), ("p75", { $0.timeToAnswer(0.75) }),
          ("within 500 ms", { $0.answered(within: .milliseconds(500)) }), ("give up", { $0.timeToGiveUp(0.5) }),
        ]
      for (name, figure) in figures {
        guard let truth = figure(whole)?.value, name != "recoveryLoad", !name.hasSuffix("Effects") else { continue }
        let hits = parts.count { figure($0)?.interval.contains(truth) ?? false }
        // 200 blocks leave 1.5 points to chance; twice that is allowed.
        #expect((0.92...0.98).contains(Double(hits) / Double(blocks)), "\(name): \(hits) of \(blocks)")
      }
    }

    @Test func `two policies are compared only on the seeds that both have run`() throws {
      var one = PolicyMetrics(policy: "one", profile: "n")
      var other = PolicyMetrics(policy: "other", profile: "n")
      for seed in 0..<20 as Range<UInt64> {
        let fails = attempt(.original, 0, 1, .transientFailure, "503")
        let succeeds = attempt(.retry, 1, 2, .success, "200")
        let good = RequestRecord(start: .zero, end: second * 2, isSuccess: true, attempts: [fails, succeeds])
        let bad = RequestRecord(start: .zero, end: second, isSuccess: false, attempts: [fails])
        one.add(TrialRecord(seed: seed, requests: [good]))
        if seed < 10 { other.add(TrialRecord(seed: seed, requests: [bad])) }
      }
      let success = try #require(one.compared(to: other, by: .successRate))
      #expect(success.count == 10 && success.difference == 1)
      // If all ten seeds differ, Tango's limit d solves 10 (1 - d) / (1 + d) = 1.96^2.
      #expect(abs(success.interval.lowerBound - 0.44493) < 1e-5 && success.interval.upperBound == 1)
      #expect(one.compared(to: other, by: .amplification)?.difference == 1)
      // One policy has no answers, so waits cannot be compared.
      #expect(one.compared(to: other, by: .wait) == nil)
    }
  }
}
