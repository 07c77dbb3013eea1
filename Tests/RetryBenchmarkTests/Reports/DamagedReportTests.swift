import FormatFuzzing
import RetryBenchmark
import Testing
import URLLoading

@Suite struct DamagedReportTests {
  private static func share(_ number: Int) async throws -> RetryReport {
    var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<2)
    benchmark.shard = (number, 2)
    return try await benchmark.run(["none"])
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
