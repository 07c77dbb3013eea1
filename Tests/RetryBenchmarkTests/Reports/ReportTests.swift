import Foundation
import HTMLPages
import Internals
import NetworkConditions
import RetryPolicies
import Testing

@testable import RetryBenchmark

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct ReportTests {
  private func report() async throws -> RetryReport {
    let server = ServerModel(
      serviceTime: .milliseconds(100), capacity: 2, queueLength: 2, outages: [.zero..<(.milliseconds(50))])
    return try await RetryBenchmark(profiles: ["wifi"], seeds: 0..<5, workload: Workload(clients: 20), server: server)
      .run(["none", "full-jitter"])
  }

  @Test func `the HTML page loads nothing from outside and shows the command that made it`() async throws {
    let report = try await report()
    let page = HTMLReport(report, command: "retry --server '<20 ms>'").text
    for outside in ["<script", "http://", "https://", "url(", "@import", "<img", "<link"] {
      #expect(!page.contains(outside), "\(outside)")
    }
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    #expect(page.contains("<code>\(Markup.escaped("retry --server '<20 ms>'"))</code>"))
    #expect(!HTMLReport(report).text.contains("<code>"))
    #expect(page.contains(Markup.escaped(report.headline(of: "wifi"))))
    // Three charts for the one profile, with the outage in the last, and a mark for each of two policies.
    #expect(page.components(separatedBy: "<svg").count == 6)
    // Tables have captions, and lines have names beside them.
    #expect(page.components(separatedBy: "<caption>").count == 5 && page.contains("scope=\"row\""))
    #expect(page.contains("class=\"outage\"") && !page.contains("thinking"))
    #expect(HTMLReport(report, command: "retry --server '<20 ms>'").text == page)
  }

  @Test func `a printed report starts with the headline and is cut to at most 50 lines`() async throws {
    let report = try await report()
    let lines = "\(report)".split(separator: "\n").map(String.init)
    // The headline comes first, then the settings, the figures, and a hint to the remaining figures.
    #expect("\(report)".hasPrefix(report.headline(of: "wifi").prefix(40)) && lines.allSatisfy { $0.count <= 100 })
    #expect(lines.contains { $0.hasPrefix("GET 2 kB by 20 clients, 5 seeds; server: 100 ms, 2 at once, queue 2") })
    #expect(lines.contains { $0.hasPrefix("wifi ") && $0.contains("success") && !$0.contains("waste") })
    #expect(lines.last == "HTMLReport and CSVReport have the rest, and PolicyFigures in code.")
    let many = try await RetryBenchmark(profiles: try NetworkProfile.all.prefix(30).map(\.name), seeds: 0..<2)
      .run(["none"])
    let printed = "\(many)".split(separator: "\n", omittingEmptySubsequences: false)
    #expect((40...50).contains(printed.count) && printed[23] == "…", "\(printed.count)")
  }

  @Test func `metrics, trials, servers and other parts of a report print as short text of at most 40 lines`()
    async throws
  {
    let report = try await report()
    let metrics = try #require(report["wifi", "none"])
    #expect("\(metrics)".hasPrefix("none under wifi: ") && "\(metrics)".hasSuffix(" 1 attempt each, 5 trials"))
    #expect("\(metrics.trials[0])".hasPrefix("seed 0: ") && "\(metrics.trials[0])".hasSuffix(" 20 attempts"))
    #expect("\(report.server)" == report.server.text)
    #expect("\(CSVReport(report))".split(separator: "\n").count == 3)
    #expect("\(HTMLReport(report))".hasPrefix("a page of ") && "\(SVGReport(report))".hasPrefix("a picture of "))
    let benchmark = try RetryBenchmark(profiles: ["wifi"], seeds: 0..<1, workload: Workload(clients: 60))
    let trial = try await benchmark.trial(of: Candidate(named: "none"), under: "wifi", seed: 3)
    let lines = "\(trial)".split(separator: "\n")
    #expect(lines.count == 40 && lines[0] == "seed 3: 60 requests" && lines[39] == "and 22 more requests")
    #expect(lines[1].hasPrefix("  client 0, 0 s: succeeds at ") && lines[1].hasSuffix("(200 at 0 s)"))
  }

  @Test func `a finding that holds under several profiles is printed once in the page and the table`() async throws {
    let report = try await RetryBenchmark(profiles: ["3G", "wifi", "tunnel"], seeds: 0..<20)
      .run(["none", "exponential"])
    let sentence = "Waiting is compared from"
    #expect(report.profiles.allSatisfy { report.findings(of: $0).contains { $0.hasPrefix(sentence) } })
    #expect(report.profiles.allSatisfy { !report.ownFindings(of: $0).contains { $0.hasPrefix(sentence) } })
    let table = RetryTable(report: report, showsAll: true).lines(width: 100, style: .none).joined(separator: "\n")
    for text in [HTMLReport(report).text, table] {
      #expect(text.components(separatedBy: sentence).count == 2)
    }
    // Each finding appears under its profile or among the shared findings.
    for profile in report.profiles {
      let shared = report.sharedFindings.filter { $0.names.contains(profile) }.map(\.text)
      #expect(Set(report.ownFindings(of: profile) + shared) == Set(report.findings(of: profile)))
    }
    #expect(report.sharedFindingsText.contains { $0.hasPrefix(sentence) })
    #expect(report.sharedFindings.allSatisfy { $0.names.count > 1 })
  }

  @Test func `in charts, curves with equal points are shifted apart, and other curves are not`() {
    let (one, other) = ([(x: 1.0, y: 2.0), (x: 3.0, y: 4.0)], [(x: 1.0, y: 2.0), (x: 3.0, y: 9.0)])
    #expect(SeriesStyle.shifts([one, other, one, one], within: 1.5, by: 3) == [0, 0, 3, 6])
    #expect(SeriesStyle.shifts([one, [one[0]]], within: 1.5, by: 3) == [0, 0])
  }

  @Test func `each CSV row has as many fields as the heading and holds the values of the metrics`() async throws {
    let report = try await report()
    let rows = CSVReport(report).text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.count == 3)
    #expect(Set(rows.map(\.count)) == [6 + 3 * (11 + 4 + 9) + 3 + 3 * 6])
    let metrics = try #require(report["wifi", "full-jitter"])
    #expect(rows[2][1] == "full-jitter")
    #expect(rows[2][3] == "100" && rows[2][4] == "\(metrics.success.successes)")
    #expect(rows[0][6] == "success" && rows[2][6] == metrics.success.rate.map { "\($0)" })
    #expect(rows[1].suffix(18).allSatisfy { $0 == "" } && rows[2].last == "5")
    let difference = try #require(report.figures(of: "wifi")[1].differences?[.successRate])
    let begin = try #require(rows[0].firstIndex(of: "success_difference"))
    #expect(rows[0][begin + 1] == "success_difference_low" && rows[0][begin + 2] == "success_difference_high")
    #expect(
      rows[2][begin...begin + 2]
        == ["\(difference.difference)", "\(difference.interval.lowerBound)", "\(difference.interval.upperBound)"])
    #expect(difference.interval.lowerBound < difference.interval.upperBound)
    // Five seeds are too few for a outcomeClass.
    let noise = try #require(rows[0].firstIndex(of: "success_difference_beyond_noise"))
    #expect(rows[2][noise] == "no")
  }

  @Test func `a JSON report holds headlines and failure ratios, and survives decoding and encoding unchanged`()
    async throws
  {
    let report = try await report()
    let json = try report.json()
    #expect(try RetryReport(json: json) == report && RetryReport(json: json).json() == json)
    let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    let answer = try #require((object["answers"] as? [[String: Any]])?.first)
    #expect(answer["profile"] as? String == "wifi" && answer["headline"] as? String == report.headline(of: "wifi"))
    let ratio = try #require((answer["failures"] as? [[String: Any]])?.first)
    let expected = try #require(report.figures(of: "wifi")[1].failureRatio)
    #expect(
      ratio["policy"] as? String == "full-jitter"
        && (ratio["ratio"] as? Double).map { abs($0 - expected.value) < 1e-9 } ?? false)
    #expect((ratio["low"] as? Double).map { abs($0 - expected.interval.lowerBound) < 1e-9 } ?? false)
  }

  @Test func `each policy's success is compared with the first policy's on the same seeds`() async throws {
    let report = try await report()
    let figures = report.figures(of: "wifi")
    #expect(figures[0].differences == nil)
    let first = try #require(report["wifi", "none"])
    let pair = try #require(report["wifi", "full-jitter"]?.compared(to: first, by: .successRate))
    #expect(figures[1].differences?[.successRate]?.difference == pair.difference)
    #expect(figures[1].differences?[.successRate]?.interval == pair.interval)
  }

  @Test func `the HTML page draws each given trial and labels each attempt with its status`() async throws {
    let report = try await report()
    let server = report.server
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: report.seeds, workload: report.workload, server: server)
    let seed = try #require(report.tellingSeed(of: "wifi"))
    let trial = try await benchmark.trial(of: Candidate(named: "full-jitter"), under: "wifi", seed: seed)
    // The drawn trial equals the run's trial.
    var metrics = PolicyMetrics(policy: "full-jitter", profile: "wifi")
    metrics.add(trial)
    #expect(metrics.trials.first == report["wifi", "full-jitter"]?.trials.first { $0.seed == seed })
    #expect(Set(trial.requests.map(\.client)) == Set(0..<20))
    let course = NamedTrial(profile: "wifi", policy: "full-jitter", trial: trial)
    let page = HTMLReport(report, trials: [course]).text
    let attempts = trial.requests.reduce(0) { $0 + $1.attempts.count }
    #expect(page.components(separatedBy: "<g><title>").count == attempts + 1)
    #expect(page.contains(": 503</title>") && page.contains(": 200</title>"))
    #expect(page.contains("class=\"refused\"") && page.contains("seed \(seed)"))
    let elsewhere = NamedTrial(profile: "3G", policy: "full-jitter", trial: trial)
    #expect(HTMLReport(report, trials: [course, elsewhere]).text == page)
    await #expect(throws: RetryBenchmarkError.self) {
      try await benchmark.trial(of: Candidate(named: "none"), under: "subway", seed: 1)
    }
  }

  @Test func `the SVG chart loads nothing from outside and has colours for dark mode`() async throws {
    let report = try await report()
    let picture = SVGReport(report).text
    for outside in ["<script", "href", "url(", "@import", "<image"] {
      #expect(!picture.contains(outside), "\(outside)")
    }
    #expect(picture.contains("prefers-color-scheme: dark"))
    #expect(picture.contains("What success costs") && picture.contains("Load around an outage"))
    #expect(XMLParser(data: Data(picture.utf8)).parse())
    #expect(SVGReport(report).text == picture)
  }

  /// Forty trials of 200 requests; `failures` gives the failing requests of each seed.
  private static func metrics(_ policy: String, attempts: Int, failures: (Int) -> Int) -> PolicyMetrics {
    var metrics = PolicyMetrics(policy: policy, profile: "p")
    for seed in 0..<40 {
      let requests = (0..<200).map { number in
        let isGood = number >= failures(seed)
        let trace = AttemptTrace(
          kind: .original, start: .zero, end: .seconds(1), outcomeClass: isGood ? .success : .transientFailure,
          outcome: "200")
        return RequestRecord(
          start: .zero, end: .seconds(1), isSuccess: isGood,
          attempts: [AttemptTrace](repeating: trace, count: attempts))
      }
      metrics.add(TrialRecord(seed: UInt64(seed), requests: requests))
    }
    return metrics
  }

  private static func report(_ results: PolicyMetrics...) -> RetryReport {
    RetryReport(
      seeds: 0..<40, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: results)
  }

  @Test func `a significant difference that is smaller than the margin is not called noise`() {
    // Of 200 requests, four fail under one policy, and five or six under the other.
    let report = Self.report(
      Self.metrics("dear", attempts: 4) { _ in 4 }, Self.metrics("cheap", attempts: 1) { 5 + $0 % 2 })
    #expect(
      report.headline(of: "p").hasPrefix(
        "Under p, cheap does best: 97.3 % of requests succeed at 1 attempt each. Success differs by less than matters, and the cost by more."
      ),
      "\(report.headline(of: "p"))")
    let dear = "dear succeeds as often as cheap within the margin: 3 more attempts"
    #expect(report.findings(of: "p").contains { $0.hasPrefix(dear) }, "\(report.findings(of: "p"))")
  }

  @Test func `policies that all repeat requests that were carried out are compared all the same`() {
    func metrics(_ policy: String, failing: Int) -> PolicyMetrics {
      let traces = (1...2).map { _ in
        AttemptTrace(
          kind: .original, start: .zero, end: .seconds(1), outcomeClass: .success, outcome: "200", wasProcessed: true)
      }
      var metrics = PolicyMetrics(policy: policy, profile: "p")
      for seed in 0..<40 as Range<UInt64> {
        let requests = (0..<10).map { number in
          RequestRecord(
            start: .zero, end: .seconds(1), isSuccess: number >= failing, isIdempotent: false, attempts: traces)
        }
        metrics.add(TrialRecord(seed: seed, requests: requests))
      }
      return metrics
    }
    let report = Self.report(metrics("one", failing: 0), metrics("other", failing: 5))
    #expect(report.headline(of: "p").hasPrefix("Under p, one does best: 100 %"), "\(report.headline(of: "p"))")
  }

  @Test func `a headline calls policies equal only if the seeds prove it, and rounds 1.0001 attempts to 1`() {
    let report = Self.report(
      Self.metrics("one", attempts: 1) { 4 + $0 % 2 }, Self.metrics("other", attempts: 1) { 5 - $0 % 2 })
    let alike = "Under p, both policies do equally well: 97.8 % of requests succeed at 1 attempt each."
    #expect(report.headline(of: "p") == alike)
    var ours = Self.metrics("ours", attempts: 1) { _ in 0 }
    let trace = AttemptTrace(kind: .original, start: .zero, end: .seconds(1), outcomeClass: .success, outcome: "200")
    let twice = RequestRecord(start: .zero, end: .seconds(1), isSuccess: true, attempts: [trace, trace])
    ours.add(TrialRecord(seed: 40, requests: [twice]))
    #expect(Self.report(ours).headline(of: "p") == "Under p, with ours, 100 % of requests succeed at 1 attempt each.")
  }

  @Test func `the headline and the baseline check report tripled failures, even below one percentage point`()
    throws
  {
    let report = Self.report(
      Self.metrics("dear", attempts: 4) { $0 % 2 }, Self.metrics("cheap", attempts: 1) { 1 + $0 % 2 })
    #expect(
      report.headline(of: "p")
        == """
        Under p, dear does best: 99.8 % of requests succeed at 4 attempts each. With cheap, 99.3 % succeed at 1 attempt \
        each, 3 times the failures (2.18 to 4.4).
        """)
    let before = Self.report(Self.metrics("ours", attempts: 1) { $0 % 2 })
    let now = Self.report(Self.metrics("ours", attempts: 1) { 1 + $0 % 2 })
    let worse = try RetryComparison(now, to: before).worse
    #expect(worse.map(\.text) == ["success 99.8 % -> 99.3 %, 3 times the failures (2.09 to 4.66)"])
  }

  @Test func `the baseline check calls more attempts worse and fewer better, and needs an equal server`() throws {
    let one = Self.report(Self.metrics("ours", attempts: 1) { _ in 0 })
    let two = Self.report(Self.metrics("ours", attempts: 2) { _ in 0 })
    for (now, before, outcome) in [(two, one, RetryComparison.Check.Outcome.worse), (one, two, .better)] {
      let checks = try RetryComparison(now, to: before).checks
      #expect(checks.first { $0.figure == .attempts }?.outcome == outcome)
    }
    let other = RetryReport(
      seeds: 0..<40, workload: Workload(), server: ServerModel(capacity: 3), parts: [.init(0, of: 1)],
      isPartial: false, results: one.results)
    #expect(
      throws: RetryBenchmarkError.unlike("the workload or the server differs from the baseline's; store a new baseline")
    ) { try RetryComparison(one, to: other) }
  }

  @Test func `a change of exactly one part in twenty of the baseline's attempts matters`() throws {
    /// Four requests for each seed; one of them has this many attempts, and the others five.
    func report(_ attempts: Int) -> RetryReport {
      var metrics = PolicyMetrics(policy: "ours", profile: "p")
      let trace = AttemptTrace(
        kind: .original, start: .zero, end: .seconds(1), outcomeClass: .transientFailure, outcome: "503")
      for seed in 0..<40 {
        let requests = [attempts, 5, 5, 5].map { count in
          RequestRecord(
            start: .zero, end: .seconds(1), isSuccess: false,
            attempts: [AttemptTrace](repeating: trace, count: count))
        }
        metrics.add(TrialRecord(seed: UInt64(seed), requests: requests))
      }
      return Self.report(metrics)
    }
    let outcomes = try [(6, 5), (5, 5), (4, 5), (5, 6)].map { now, before in
      try RetryComparison(report(now), to: report(before)).checks.first { $0.figure == .attempts }?.outcome
    }
    // From 5 to 5.25 attempts per request and to 4.75; a decrease from 5.25 by 0.25 is less than a twentieth.
    #expect(outcomes == [.worse, .same, .better, .same])
    // Where every request fails, failures cannot rise.
    #expect(try RetryComparison(report(5), to: report(5)).power == nil)
  }

  @Test func `a comparison's power is its smallest chance, over all policies, of noticing more failures`() throws {
    let (rare, frequent) = (
      Self.metrics("rare", attempts: 1) { $0 % 8 == 0 ? 1 : 0 }, Self.metrics("frequent", attempts: 1) { 18 + $0 % 5 }
    )
    let alone = try [rare, frequent].map { metrics in
      let report = Self.report(metrics)
      return try #require(try RetryComparison(report, to: report).power)
    }
    #expect(alone[0].chance < alone[1].chance)
    for report in [Self.report(rare, frequent), Self.report(frequent, rare)] {
      #expect(try RetryComparison(report, to: report).power?.policy == "rare")
    }
  }
  @Test func `hedges are blamed only for a policy that succeeds less with the limits of the best`() {
    func sentences(_ failures: Int, attempts limit: Int = 3) -> [String] {
      func metrics(_ policy: String, _ kind: AttemptPlan.Kind, _ limit: Int, _ failures: Int) -> PolicyMetrics {
        var metrics = PolicyMetrics(
          policy: policy, profile: "p", limits: AttemptLimits(RetryRules(maximumAttempts: limit)))
        let requests = (0..<200).map { number in
          let isGood = number >= failures
          let trace = AttemptTrace(
            kind: kind, start: .zero, end: .seconds(1), outcomeClass: isGood ? .success : .transientFailure,
            outcome: "200")
          return RequestRecord(start: .zero, end: .seconds(1), isSuccess: isGood, attempts: [trace])
        }
        for seed in 0..<40 as Range<UInt64> { metrics.add(TrialRecord(seed: seed, requests: requests)) }
        return metrics
      }
      let report = Self.report(metrics("plain", .original, 3, 0), metrics("hedged", .hedge, limit, failures))
      return (report.findings(of: "p") + [report.headline(of: "p")]).filter { $0.contains("A hedge counts") }
    }
    #expect(sentences(0).isEmpty && sentences(20, attempts: 4).isEmpty)
    #expect(sentences(20).first?.contains("so hedged uses up the 3 attempts sooner.") == true)
  }

  @Test func `the headline names the best policy, its cost and the policies that do as well`() throws {
    /// Forty trials of one request each, with the given outcome, attempts and seconds.
    func metrics(_ policy: String, _ outcome: (Int) -> (isGood: Bool, attempts: Int, seconds: Double)) -> PolicyMetrics
    {
      var metrics = PolicyMetrics(policy: policy, profile: "p")
      for seed in 0..<40 {
        let (isGood, attempts, seconds) = outcome(seed)
        let end = Duration.seconds(seconds) + .nanoseconds(seed)
        let trace = AttemptTrace(
          kind: .original, start: .zero, end: end, outcomeClass: isGood ? .success : .transientFailure, outcome: "200")
        metrics.add(
          TrialRecord(
            seed: UInt64(seed),
            requests: [
              RequestRecord(
                start: .zero, end: end, isSuccess: isGood, attempts: [AttemptTrace](repeating: trace, count: attempts))
            ]))
      }
      return metrics
    }
    func report(_ results: PolicyMetrics...) -> RetryReport {
      RetryReport(
        seeds: 0..<40, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
        results: results)
    }
    let none = metrics("none") { ($0 % 2 == 0, 1, 1) }
    let cheap = metrics("cheap") { _ in (true, 2, 2) }
    let slower = metrics("slower") { _ in (true, 2, 2.01) }
    let dear = metrics("dear") { _ in (true, 4, 1) }
    let all = report(none, cheap, slower, dear)
    #expect(
      all.headline(of: "p")
        == """
        Under p, cheap and slower need the fewest attempts: 100 % of requests succeed at 2 attempts each. With none, 50 % \
        succeed at 1 attempt each. dear answers 99 % within 1 s, cheap within 2 s; that takes 2 more attempts each. 40 seeds \
        leave open whether one succeeds more often; about 3,900 would tell.
        """)
    #expect(
      all.findings(of: "p") == [
        "40 seeds leave open whether slower and dear differ from cheap in success by as much as matters: "
          + "about 3,900 seeds would tell.",
        "dear succeeds as often as cheap within noise: 2 more attempts each (2 to 2).",
        "Waiting is compared from 5,000 seeds on: it depends on a few requests that fewer seeds may miss.",
      ])
    #expect(
      report(cheap, slower).headline(of: "p")
        == """
        Under p, no policy is known to do better: 100 % of requests succeed at 2 attempts each. 40 seeds leave open \
        whether one succeeds more often; about 3,900 would tell.
        """)
    #expect(
      report(dear, cheap).headline(of: "p") == """
        Under p, cheap needs the fewest attempts: 100 % of requests succeed at 2 attempts each. Success does not tell the \
        policies apart, but the cost does. dear answers 99 % within 1 s, cheap within 2 s; that takes 2 more attempts each. \
        40 seeds leave open whether one succeeds more often; about 3,900 would tell.
        """)
    // A policy that is not faster and needs more attempts is no trade-off.
    let patient = metrics("patient") { _ in (true, 4, 2) }
    #expect(report(patient, cheap).headline(of: "p").hasPrefix("Under p, cheap does best so far: 100 %"))
    // Two of forty requests failed, at a quarter of the cost: the seeds are too few to name the best policy.
    let frugal = metrics("frugal") { ($0 > 1, 1, 1) }
    #expect(
      report(dear, frugal).headline(of: "p") == """
        Under p, 40 seeds cannot tell whether frugal does as well as dear. With frugal, 95 % succeed at 1 attempt each. With \
        dear, 100 % succeed at 4 attempts each. About 300 seeds would tell.
        """)
    // What is known in spite of that is said, too.
    let worst = metrics("worst") { ($0 > 20, 1, 1) }
    #expect(
      report(dear, frugal, worst).headline(of: "p").hasSuffix(
        "About 300 seeds would tell. Known to succeed less: worst (47.5 %)."))
    // With a margin of 10 points both do well, although the seeds do not show whether they differ by that much.
    let lenient = RetryReport(
      seeds: 0..<40, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [dear, frugal], margin: SuccessMargin("10 points"))
    #expect(
      lenient.headline(of: "p") == """
        Under p, frugal does best so far: 95 % of requests succeed at 1 attempt each. Success does not tell the policies apart, but \
        the cost does. 40 seeds leave open whether one succeeds more often; about 300 would tell.
        """)
    var few = RetryReport(
      seeds: 0..<5, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [none.restricted(to: 0..<5), cheap.restricted(to: 0..<5)])
    #expect(
      few.headline(of: "p") == """
        Under p, 5 seeds cannot tell policies apart: it takes at least 6. Between 60 % (none) and 100 % (cheap) of requests \
        succeed.
        """)
    few = RetryReport(
      seeds: 0..<5, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: [cheap.restricted(to: 0..<5), patient.restricted(to: 0..<5)])
    #expect(few.headline(of: "p").hasSuffix("it takes at least 6. 100 % of requests succeed with each."))
    few = report(
      PolicyMetrics(policy: "a", profile: "p", limits: AttemptLimits(RetryRules(maximumAttempts: 4))),
      PolicyMetrics(policy: "b", profile: "p", limits: AttemptLimits(RetryRules(deadline: .seconds(20)))),
      PolicyMetrics(policy: "never", profile: "p", limits: AttemptLimits(NoRetry().rules)))
    #expect(
      few.limitsText("p") == """
        Their limits differ: a 4 attempts; b 3 attempts, 20 s in all. Compare them at equal limits (--equal).
        """)
    // Of the seeds under which the policies differ most, the smallest is chosen.
    #expect(all.tellingSeed(of: "p") == 1)
    #expect(all.headline(of: "q") == "Under q no request was made.")
  }

  @Test func `a chart's time slices have a boundary at 0 and stay within the maximum count`() {
    #expect(Slices(-75..<30, most: 60) == Slices(-76..<30, most: 60))
    let slices = Slices(-75..<31, most: 60)
    #expect(slices.first == -76 && slices.width == 2 && slices.end == 32 && slices.count == 54)
    #expect(Slices(0..<10_000_000, most: 60).count == 60)
    var counts = CountHistogram()
    for second in [-76, -75, -1, 0, 1, 31, 32] { counts.add(second) }
    let sums = slices.sums(counts)
    #expect(sums.first == 2 && sums[37] == 1 && sums[38] == 2 && sums.last == 1 && sums.reduce(0, +) == 6)
  }

  @Test func `the Pareto front holds the points that no other point dominates`() {
    #expect(TradeOffChart.front([(1, 0.4), (2, 0.7), (3, 0.6), (2, 0.65), (4, 0.8), (5, 0.8)]) == [0, 1, 4])
  }

  @Test func `sixteen policies have sixteen different styles in charts`() {
    let results = (0..<16).map { PolicyMetrics(policy: "\($0)", profile: "p") }
    let report = RetryReport(
      seeds: 0..<1, workload: Workload(), server: ServerModel(), parts: [.init(0, of: 1)], isPartial: false,
      results: results)
    let looks = report.policies.map { name -> String in
      let style = SeriesStyle(report, name)
      return "\(style.role) \(style.mark(0, 0, 1))"
    }
    #expect(Set(looks).count == 16)
  }

  @Test func `a name beside a chart has at most 18 letters`() {
    for (count, shown) in [(18, String(repeating: "a", count: 18)), (19, String(repeating: "a", count: 17) + "…")] {
      let name = String(repeating: "a", count: count)
      let report = Self.report(PolicyMetrics(policy: name, profile: "p"))
      let labels = SeriesStyle.labels([(name, 0, 0)], at: 10, in: report, from: 0, to: 100)
      #expect(labels.last?.contains(">\(shown)<") == true, "\(labels)")
    }
  }

  @Test func `overlapping chart labels are moved apart and stay inside the chart`() {
    #expect(TradeOffChart.apart([50, 50, 51], by: 10, from: 0, to: 100) == [50, 60, 70])
    #expect(TradeOffChart.apart([98, 99], by: 10, from: 0, to: 100) == [90, 100])
  }

  @Test func `a suggested number of seeds is rounded up to two digits, at most 10 million`() {
    for (count, text) in [
      (0, "0"), (1, "1"), (99, "99"), (100, "100"), (101, "110"), (991, "1,000"), (1_000, "1,000"), (1_001, "1,100"),
      (9_900_001, "10,000,000"), (10_000_000, "10,000,000"), (10_000_001, "more than 10 million"),
    ] { #expect(RetryReport.rounded(count) == text) }
  }

  /// `nil` stands for a policy that does not recover.
  @Test(
    arguments: [
      ([1_000, 1_180], "in about 1.18 s with p0 and p1"), ([1_000, 1_220], "in 1 s with p0; in 1.22 s with p1"),
      ([100, 190], "in about 0.19 s with p0 and p1"), ([100, 210], "in 0.1 s with p0; in 0.21 s with p1"),
      ([1_190, 1_000, 1_100], "in about 1.1 s with p0, p1 and p2"),
      ([1_000, 1_100, nil], "in about 1.1 s with p0 and p1; not at all with p2"), ([1_000], "in 1 s with p0"),
    ] as [([Int?], String)])
  func `the headline gives one time of recovery for policies that differ by less than a fifth or 0.1 s`(
    milliseconds: [Int?], text: String
  ) {
    let outage = Duration.seconds(1)..<Duration.seconds(2)
    let results = milliseconds.enumerated().map { number, milliseconds in
      var metrics = PolicyMetrics(policy: "p\(number)", profile: "p")
      let end = Duration.seconds(2) + .milliseconds(milliseconds ?? 0)
      let trace = AttemptTrace(kind: .original, start: .zero, end: end, outcomeClass: .success, outcome: "200")
      let request = RequestRecord(start: .zero, end: end, isSuccess: milliseconds != nil, attempts: [trace])
      for seed in 0..<40 as Range<UInt64> {
        metrics.add(TrialRecord(seed: seed, requests: [request], outages: [outage]))
      }
      return metrics
    }
    let report = RetryReport(
      seeds: 0..<40, workload: Workload(), server: ServerModel(outages: [outage]), parts: [.init(0, of: 1)],
      isPartial: false, results: results)
    let headline = report.headline(of: "p")
    #expect(headline.contains(" After the server was down, it recovers \(text)."), "\(headline)")
  }

  @Test func `percentages just below 100 or just above 0 are not rounded to 100 or 0`() {
    #expect(FigureText.percent(1) == "100" && FigureText.percent(0.9999) == "99.9")
    #expect(FigureText.percent(0) == "0" && FigureText.percent(0.0001) == "0.1")
  }
}
