import Foundation
import HTMLPages
import Testing

@testable import RetryBenchmark

@Suite struct ReportTests {
  private func report() async throws -> RetryReport {
    let server = ServerModel(serviceTime: .milliseconds(100), capacity: 2, queueLength: 2, outages: [0..<50_000_000])
    return try await RetryBenchmark(profiles: ["wifi"], seeds: 0..<5, workload: Workload(clients: 20), server: server)
      .run(["none", "full-jitter"])
  }

  @Test func `the page is one file that loads nothing and says how to make it again`() async throws {
    let report = try await report()
    let page = HTMLReport(report).text
    for outside in ["<script", "http://", "https://", "url(", "@import", "<img", "<link"] {
      #expect(!page.contains(outside), "\(outside)")
    }
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    #expect(page.contains(Markup.escaped(report.command)))
    #expect(page.contains(Markup.escaped(report.headline(of: "wifi"))))
    // Three charts for the one profile, with the outage in the last.
    #expect(page.components(separatedBy: "<svg").count == 4)
    #expect(page.contains("class=\"outage\""))
    #expect(HTMLReport(report).text == page)
  }

  @Test func `the rows of CSV have as many fields as the heading, and agree with the metrics`() async throws {
    let report = try await report()
    let rows = CSVReport(report).text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.count == 3)
    #expect(Set(rows.map(\.count)) == [20])
    let metrics = try #require(report["wifi", "full-jitter"])
    #expect(rows[2][1] == "full-jitter")
    #expect(rows[2][3] == "100" && rows[2][4] == "\(metrics.success.successes)")
    #expect(rows[1][19] == "")
  }

  @Test func `figures compare with the first policy by the same seeds`() async throws {
    let report = try await report()
    let figures = report.figures(of: "wifi")
    #expect(figures[0].difference == nil)
    let first = try #require(report["wifi", "none"])
    let pair = try #require(report["wifi", "full-jitter"]?.compared(to: first, by: .successRate))
    #expect(figures[1].difference?.mean == pair.meanDifference)
    #expect(figures[1].difference?.interval == pair.interval)
  }

  @Test func `labels are moved apart and stay inside`() {
    #expect(TradeOffChart.apart([50, 50, 51], by: 10, from: 0, to: 100) == [50, 60, 70])
    #expect(TradeOffChart.apart([98, 99], by: 10, from: 0, to: 100) == [90, 100])
  }

  @Test func `a share that is not all of them is not written as 100`() {
    #expect(FigureText.percent(1) == "100" && FigureText.percent(0.9999) == "99.9")
    #expect(FigureText.percent(0) == "0" && FigureText.percent(0.0001) == "0.1")
  }
}
