import RetryPolicies
import Testing
import Thoroughness

@testable import RetryBenchmark

extension RetryStatisticsTests {
  /// Each metric just below, at and just above its boundary.
  struct MetricBoundaryTests {
    @Test func `a range of seeds is valid if it is not empty and its count fits into an Int`() {
      #expect(!(5..<5 as Range<UInt64>).canBeCounted && (5..<6 as Range<UInt64>).canBeCounted)
      #expect((1..<UInt64(Int.max) + 1).canBeCounted && !(1..<UInt64(Int.max) + 2).canBeCounted)
    }

    private func attempt(
      _ kind: AttemptPlan.Kind, _ start: Int, _ end: Int, _ outcomeClass: RetryAttempt.OutcomeClass = .success,
      sent: Int = 0, received: Int = 0, retryAfter: Int? = nil, wasProcessed: Bool? = nil
    ) -> AttemptTrace {
      AttemptTrace(
        kind: kind, start: .milliseconds(start), end: .milliseconds(end), outcomeClass: outcomeClass, outcome: "x",
        sent: sent,
        received: received, retryAfter: retryAfter.map { .milliseconds($0) }, wasProcessed: wasProcessed)
    }

    private func request(
      _ start: Int, _ end: Int, isSuccess: Bool = true, isIdempotent: Bool = true, deadline: Int? = nil,
      _ attempts: AttemptTrace...
    ) -> RequestRecord {
      RequestRecord(
        start: .milliseconds(start), end: .milliseconds(end), isSuccess: isSuccess, isIdempotent: isIdempotent,
        deadline: deadline.map { .milliseconds($0) }, attempts: attempts)
    }

    private func metrics(_ requests: [RequestRecord], outages: [Range<Int>] = []) -> PolicyMetrics {
      var metrics = PolicyMetrics(policy: "p", profile: "n")
      metrics.add(
        TrialRecord(
          seed: 1, requests: requests,
          outages: outages.map { .milliseconds($0.lowerBound)..<(.milliseconds($0.upperBound)) }))
      return metrics
    }

    // MARK: Intervals

    @Test(arguments: [(29, 30), (30, nil), (31, nil)])
    func `an interval of attempts per request needs 30 seeds, whatever the number of requests`(
      seeds: Int, needed: Int?
    ) {
      #expect(TrialSummary.Measure.amplification.seedsNeeded(of: seeds, requests: 100_000) == needed)
    }

    // MARK: Violations

    @Test(arguments: [(999, 0), (1_000, 0), (1_001, 1)])
    func `a request that ends after its deadline is a violation, and one that ends exactly then is not`(
      end: Int, violations: Int
    ) {
      #expect(metrics([request(50, 50 + end, deadline: 1_000)]).violations.deadlines == violations)
      #expect(metrics([request(50, 50 + end)]).violations.deadlines == 0)
    }

    @Test(arguments: [(1_499, 1), (1_500, 0), (1_501, 0)])
    func `a retry earlier than Retry-After counts as a violation, and a hedge never does`(wait: Int, violations: Int) {
      let retried = request(
        0, 9_000, attempt(.original, 0, 100, .transientFailure, retryAfter: 1_500),
        attempt(.retry, 100 + wait, 9_000))
      #expect(metrics([retried]).violations.retryAfter == violations)
      // A hedge does not count as a retry.
      let hedged = request(
        0, 9_000, attempt(.original, 0, 100, .transientFailure, retryAfter: 1_500), attempt(.hedge, 200, 9_000))
      #expect(metrics([hedged]).violations.retryAfter == 0)
    }

    @Test func `a retry is checked against the attempt that ended last before the retry`() {
      let ask = request(
        0, 9_000, attempt(.original, 0, 100, .transientFailure, retryAfter: 5_000),
        attempt(.hedge, 50, 200, .permanentFailure), attempt(.retry, 300, 9_000))
      #expect(metrics([ask]).violations.retryAfter == 0 && metrics([ask]).violations.pointlessRetries == 1)
      let other = request(
        0, 9_000, attempt(.original, 0, 100, .permanentFailure), attempt(.hedge, 50, 200, .transientFailure),
        attempt(.retry, 300, 9_000))
      #expect(metrics([other]).violations.pointlessRetries == 0)
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (4, 3)])
    func `each processing of a non-idempotent request beyond the first counts as a duplicate effect`(
      processed: Int, duplicates: Int
    ) {
      let attempts = (0..<4).map { attempt(.original, 0, 1, .transientFailure, wasProcessed: $0 < processed) }
      func effects(_ isIdempotent: Bool) -> Int {
        let record = RequestRecord(
          start: .zero, end: .seconds(1), isSuccess: false, isIdempotent: isIdempotent, attempts: attempts)
        return metrics([record]).violations.duplicateEffects
      }
      #expect(effects(false) == duplicates && effects(true) == 0)
    }

    @Test(arguments: [(0, 0, 0), (1, 0, 1), (2, 1, 1), (4, 1, 1)])
    func `a non-idempotent request counts once as processed repeatedly and once as failed though processed`(
      processed: Int, repeated: Int, unreported: Int
    ) {
      let attempts = (0..<4).map { attempt(.original, 0, 1, .transientFailure, wasProcessed: $0 < processed) }
      func record(_ isSuccess: Bool, _ isIdempotent: Bool) -> RequestRecord {
        RequestRecord(
          start: .zero, end: .seconds(1), isSuccess: isSuccess, isIdempotent: isIdempotent, attempts: attempts)
      }
      let failed = TrialSummary(TrialRecord(seed: 0, requests: [record(false, false)]))
      #expect(failed.repeatedEffects == repeated && failed.unreportedEffects == unreported)
      let answered = TrialSummary(TrialRecord(seed: 0, requests: [record(true, false)]))
      #expect(answered.repeatedEffects == repeated && answered.unreportedEffects == 0)
      let harmless = TrialSummary(TrialRecord(seed: 0, requests: [record(false, true)]))
      #expect(harmless.repeatedEffects == 0 && harmless.unreportedEffects == 0)
    }

    // MARK: Traffic

    @Test func `all bytes count as wasted, except those of the attempt that made its request succeed`() {
      let twice = request(
        0, 9, attempt(.original, 0, 5, .success, sent: 1, received: 10),
        attempt(.hedge, 1, 9, .success, sent: 2, received: 20),
        attempt(.hedge, 2, 9, .abandoned, sent: 4, received: 40))
      #expect(metrics([twice]).traffic.wastedSent == 5 && metrics([twice]).traffic.wastedReceived == 50)
      #expect(metrics([twice]).traffic.sent == 7 && metrics([twice]).traffic.received == 70)
      let failed = request(0, 9, isSuccess: false, attempt(.original, 0, 5, .success, sent: 1, received: 10))
      #expect(metrics([failed]).traffic.wastedSent == 1 && metrics([failed]).traffic.wastedReceived == 10)
    }

    // MARK: Synchronisation

    @Test func `retries in the same 100 ms slot count as simultaneous; hedges and first attempts are ignored`() {
      func share(_ kinds: [AttemptPlan.Kind], at starts: [Int]) -> Double? {
        let requests = zip(kinds, starts).map { request(0, 9_000, attempt($0, $1, $1)) }
        return metrics(requests).synchronisation.mean
      }
      #expect(share([.retry, .retry], at: [100, 199]) == 1)
      #expect(share([.retry, .retry], at: [199, 200]) == 0.5)
      #expect(share([.retry, .retry], at: [100, 900]) == 0.5)
      #expect(share([.retry, .hedge, .original], at: [100, 500, 100]) == 1)
      #expect(share([.hedge, .original], at: [100, 100]) == nil)
    }

    // MARK: Outages

    @Test(arguments: [(1_999, 0), (2_000, 0), (2_300, 300)])
    func `the drain time runs from an outage's end until requests begun earlier have ended`(end: Int, drained: Int) {
      let recovery = metrics([request(500, end)], outages: [1_000..<2_000]).recovery
      #expect(recovery.toDrained.greatest == .milliseconds(drained))
      // A request that begins at the outage's end does not count.
      let later = metrics([request(2_000, 5_000)], outages: [1_000..<2_000]).recovery
      #expect(later.toDrained.greatest == .zero)
    }

    @Test func `a success at or after an outage's end, but before the next outage, counts as recovery`() {
      func toSuccess(_ requests: [RequestRecord], _ outages: [Range<Int>] = [1_000..<2_000]) -> Duration? {
        metrics(requests, outages: outages).recovery.toSuccess.greatest
      }
      #expect(toSuccess([request(0, 2_000)]) == .zero)
      #expect(toSuccess([request(0, 1_999)]) == nil)
      // Requests during the next outage do not count for this outage.
      let outages = [1_000..<2_000, 3_000..<4_000]
      let recovery = metrics([request(0, 3_500)], outages: outages).recovery
      #expect(recovery.neverRecovered == 2)
      #expect(metrics([request(0, 2_999)], outages: outages).recovery.neverRecovered == 1)
      #expect(metrics([request(0, 3_000)], outages: outages).recovery.neverRecovered == 2)
    }

    @Test func `an outage within a brown-out counts as a part of it: one disturbance, until the brown-out's end`() {
      var metrics = PolicyMetrics(policy: "p", profile: "n")
      let slow = Duration.milliseconds(900)..<(.milliseconds(3_000))
      metrics.add(
        TrialRecord(
          seed: 1, requests: [request(0, 3_500, isSuccess: false), request(0, 4_000)],
          outages: [.seconds(1)..<(.seconds(2))], brownOuts: [slow]))
      // The outage ends within the brown-out, so both are one disturbance.
      #expect(metrics.recovery.toSuccess.greatest == .seconds(1) && metrics.recovery.count == 1)
      #expect(metrics.load.successes.count(upTo: 0) == 1 && metrics.load.requests.count(upTo: 0) == 2)
    }

    @Test func `recovery time ends after 10 s, at the next outage or at the last request`() {
      func recovery(until end: Int) -> TrialSummary {
        let requests = [
          request(0, end, attempt(.original, 500, 600), attempt(.retry, 4_000, 4_100), attempt(.retry, 5_500, end))
        ]
        return TrialSummary(
          TrialRecord(
            seed: 0, requests: requests,
            outages: [.seconds(1)..<(.seconds(2)), .seconds(5)..<(.seconds(6))]))
      }
      // 3 s to the next outage, with one attempt; then 10 s, or 3 s to the end of the last request.
      #expect(recovery(until: 20_000).recoveryTime == .seconds(13))
      #expect(recovery(until: 9_000).recoveryTime == .seconds(6))
      #expect(recovery(until: 9_000).recoveryAttempts == 1)
    }

    @Test func `an outage and a brown-out that touch are one disturbance, and otherwise two`() {
      func troubles(_ brownOut: Range<Int>) -> [Range<Duration>] {
        TrialRecord(
          seed: 0, requests: [], outages: [.seconds(1)..<(.seconds(2))],
          brownOuts: [.milliseconds(brownOut.lowerBound)..<(.milliseconds(brownOut.upperBound))]
        ).troubles
      }
      #expect(troubles(2_000..<3_000) == [.seconds(1)..<(.seconds(3))])
      #expect(troubles(2_001..<3_000) == [.seconds(1)..<(.seconds(2)), .milliseconds(2_001)..<(.seconds(3))])
    }

    @Test func `a trial without an outage adds nothing to the load around outages`() {
      let calm = metrics([request(0, 9, attempt(.original, 0, 9))]).outageLoad
      #expect(calm.requests.total == 0 && calm.attempts.total == 0)
    }

    // MARK: Radio

    @Test func `a client's radio is on during attempts and for a tail after each, and off in between`() {
      func radio(_ attempts: AttemptTrace...) -> Duration {
        TrialSummary(
          TrialRecord(
            seed: 0, requests: [RequestRecord(start: .zero, end: .seconds(200), isSuccess: true, attempts: attempts)])
        ).radio
      }
      // Two tails of 11.576 s and two attempts of a second each; between them the radio sleeps.
      #expect(radio(attempt(.original, 5_000, 6_000), attempt(.retry, 100_000, 101_000)) == .milliseconds(25_152))
      // An attempt within another's tail keeps the radio on; a hedge within another attempt adds nothing.
      #expect(radio(attempt(.original, 0, 1_000), attempt(.retry, 10_000, 11_000)) == .milliseconds(22_576))
      #expect(radio(attempt(.original, 0, 9_000), attempt(.hedge, 1_000, 2_000)) == .milliseconds(20_576))
    }

    @Test(arguments: [(1, true), (2, false)])
    func `recovery is reached at the first success from which on 99 % of the requests succeed`(
      failures: Int, recovers: Bool
    ) {
      // The failures end first, and all successes after them.
      let requests = (0..<100).map { request(0, 2_000 + $0 * 10, isSuccess: $0 >= failures) }
      let time = metrics(requests, outages: [1_000..<2_000]).recovery.toSuccess.greatest
      // With one failure 99 of 100 succeed from the start; with two 98 of 99 after the first, which is less.
      #expect(time == .milliseconds(recovers ? 0 : 20))
    }

    @Test func `merging two loads keeps the higher peak and adds up attempts and requests`() {
      var one = metrics([request(0, 1, attempt(.original, 0, 1)), request(0, 1, attempt(.original, 10, 11))]).load
      let other = metrics([request(0, 1, attempt(.original, 0, 1))]).load
      #expect(one.peak == 2 && other.peak == 1)
      one.merge(other)
      #expect(one.peak == 2 && one.attempts.total == 3 && one.requests.total == 3)
      let spread = metrics((0..<3).map { request(0, 1, attempt(.original, $0 * 1_000, $0 * 1_000 + 1)) }).load
      #expect(spread.peak == 1)
    }

    // MARK: Limits

    @Test func `a report writes a policy's limits as attempts and times`() {
      func text(_ attempts: Int?, _ deadline: Int? = nil, _ each: Int? = nil) -> String {
        AttemptLimits(
          RetryRules(
            maximumAttempts: attempts, deadline: deadline.map { .seconds($0) }, perTryTimeout: each.map { .seconds($0) }
          )
        ).text
      }
      #expect(text(1) == "1 attempt" && text(4, 20, 5) == "4 attempts, 20 s in all, 5 s each")
      #expect(text(nil) == "any number of attempts" && text(.max, 20) == "any number of attempts, 20 s in all")
    }

    // MARK: Statistics

    @Test func `a proportion is successes divided by trials`() {
      #expect(Proportion(successes: 3, total: 4).rate == 0.75)
      #expect(Proportion(successes: 4, total: 4).rate == 1 && Proportion(successes: 0, total: 4).rate == 0)
      #expect(Proportion(successes: 0, total: 0).rate == nil)
    }

    @Test func `a sequential design looks after 100 seeds, after each doubling, and at its limit`() {
      #expect(SequentialDesign(limit: 99, comparisons: 1).looks == [99])
      #expect(SequentialDesign(limit: 100, comparisons: 1).looks == [100])
      #expect(SequentialDesign(limit: 101, comparisons: 1).looks == [100, 101])
      #expect(SequentialDesign(limit: 200, comparisons: 1).looks == [100, 200])
      #expect(SequentialDesign(limit: 201, comparisons: 1).looks == [100, 200, 201])
      #expect(SequentialDesign(limit: 401, comparisons: 1).looks == [100, 200, 400, 401])
      #expect(SequentialDesign(limit: .max, comparisons: 1).looks.last == .max)
      #expect(SequentialDesign(limit: 1_000, comparisons: 1).looks == [100, 200, 400, 800, 1_000])
      // The error probability of 5 % is divided among looks and comparisons.
      #expect(SequentialDesign(limit: 200, comparisons: 5).confidence == 0.995)
      #expect(SequentialDesign(limit: 100, comparisons: 0).confidence == 0.95)
    }

    @Test func `a histogram computes quantiles by nearest rank`() {
      var histogram = CountHistogram()
      for (value, count) in [(1, 2), (5, 1), (9, 1)] { histogram.add(value, count: count) }
      #expect([0, 0.25, 0.5, 0.51, 0.75, 0.76, 1].map { histogram.quantile($0) } == [1, 1, 1, 5, 5, 9, 9])
      #expect([0, 1, 4, 5, 8, 9, 99].map { histogram.count(upTo: $0) } == [0, 2, 2, 3, 3, 4, 4])
      #expect(histogram.sum == 16 && histogram.greatest == 9 && histogram.total == 4)
      #expect(CountHistogram().quantile(0.5) == nil)
    }

    @Test func `a comparison is within a margin exactly when its whole confidence interval is`() throws {
      // Forty requests with equal results, except one.
      let even = [(upper: Double, lower: Double)](repeating: (1, 1), count: 40)
      var odd = even
      odd[0].upper = 0
      let pair = try #require(PairedComparison(even, odd, unit: nil, confidence: 0.95))
      #expect(abs(pair.difference - 0.025) < 1e-12)
      let widest = max(-pair.interval.lowerBound, pair.interval.upperBound)
      #expect(pair.isWithin(widest) && !pair.isWithin(widest.nextDown))
      let back = try #require(PairedComparison(odd, even, unit: nil, confidence: 0.95))
      #expect(abs(back.difference + 0.025) < 1e-12)
      for count in [5, 6] {
        let few = try #require(
          PairedComparison(
            Array(even.prefix(count)), Array(repeating: (0, 1), count: count), unit: nil, confidence: 0.95))
        #expect(few.isBeyondNoise == (count == 6) && few.count == count)
      }
    }

    // iOS, tvOS, watchOS and visionOS start no process for a test.
    #if os(macOS) || os(Linux)
      @Test func `metric values just beyond their range stop the process`() async {
        await #expect(processExitsWith: .success) {
          let early = Duration.nanoseconds(-1)
          let calls: [@Sendable () -> Any] = [
            { NormalDistribution.quantile(0) }, { NormalDistribution.quantile(1) },
            { NormalDistribution.deviations(confidence: 0) }, { NormalDistribution.deviations(confidence: 1) },
            { StudentDistribution.deviations(confidence: 0, freedom: 1) },
            { StudentDistribution.deviations(confidence: 1, freedom: 1) },
            { StudentDistribution.deviations(confidence: 0.5, freedom: 0) },
            { Rank.nearest(-0.001, of: 1) }, { Rank.nearest(1.001, of: 1) },
            {
              var counts = CountHistogram()
              counts.add(1, count: -1)
              return counts
            },
            {
              var sketch = QuantileSketch()
              sketch.add(early)
              return sketch
            },
          ]
          let others: [@Sendable () -> Any] = [("a", "b"), ("b", "a")].map { policy, profile in
            {
              var metrics = PolicyMetrics(policy: "a", profile: "a")
              metrics.merge(PolicyMetrics(policy: policy, profile: profile))
              return metrics
            }
          }
          #expect(Traps.returning(calls + others) == [])
        }
      }
    #endif
  }
}
