import FormatFuzzing
import NetworkConditions
import RetryBenchmark
import RetryPolicies
import Testing
import URLLoading

struct DamagedReportTests {
  private static func share(_ number: Int) async throws -> RetryReport {
    var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<2)
    benchmark.shard = (number, 2)
    return try await benchmark.run(["none"])
  }

  @Test func `a report with very long times and unlimited attempts can be read back`() async throws {
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<2, server: ServerModel(keyMemory: .seconds(200 * 86_400)))
    let report = try await benchmark.run([
      Candidate("any") { FixedBackoff().maximumAttempts(.max).deadline(.seconds(200 * 86_400)) }
    ])
    let text = String(decoding: try report.json(), as: UTF8.self)
    #expect(try RetryReport(json: Data(text.utf8)) == report)
    // 10,000 clients that each wait half an hour wait 208 days in total.
    let long = text.replacing(/"waited":\d+/, with: "\"waited\":18000000000000000")
    #expect(try RetryReport(json: Data(long.utf8)).results[0].trials[0].waited == .seconds(18_000_000))
  }

  @Test func `a report with impossibly many comparisons or repeated effects is refused`() async throws {
    let report = try await RetryBenchmark(profiles: ["wifi"], seeds: 0..<6).runUntilDecided([
      Candidate(named: "none"), Candidate(named: "immediate"),
    ])
    let text = String(decoding: try report.json(), as: UTF8.self)
    for (key, number) in [("comparisons", 1_000_000_000_000), ("repeatedEffects", 9_999), ("unreportedEffects", 9_999)]
    {
      let wrong = text.replacing(try Regex("\"\(key)\":\\d+"), with: "\"\(key)\":\(number)")
      #expect(wrong != text)
      #expect(throws: ProfileError.self) { _ = try RetryReport(json: Data(wrong.utf8)) }
    }
  }

  @Test(arguments: [
    (#""clients":1,"#, #""clients":0,"#, "workload: 0 clients: write 1 to 100000"),
    (#""queueLength":0"#, #""queueLength":-1"#, "server: "),
    (#""radio":"#, #""radio":0.5,"old":"#, "results[0].trials[0].radio: 0.5 is not a whole number of 64 bits"),
  ])
  func `a report of an impossible benchmark is refused with what is impossible`(
    part: String, wrong: String, reason: String
  ) async throws {
    let text = String(decoding: try await Self.share(0).json(), as: UTF8.self)
    #expect(text.contains(part), "\(text.prefix(400))")
    let error = #expect(throws: ProfileError.self) {
      try RetryReport(json: Data(text.replacing(part, with: wrong).utf8))
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `a damaged report file is refused with a one-line error, or can be merged, compared and printed`()
    async throws
  {
    let (first, second) = (try await Self.share(0), try await Self.share(1))
    let outcome = FuzzOutcome(of: [Array(try first.json())], count: 500) { bytes, _ in
      let report = try RetryReport(json: Data(bytes))
      let whole = (try? RetryReport.merging([report, second])) ?? report
      _ = (try? RetryComparison(first, to: report)).map { "\($0)\($0.junit)" }
      _ = ("\(whole)", try whole.json())
    }
    #expect(outcome.unclear.isEmpty, "\(outcome.unclear.prefix(3))")
    #expect((5..<480).contains(outcome.accepted), "\(outcome.accepted)")
  }
}
