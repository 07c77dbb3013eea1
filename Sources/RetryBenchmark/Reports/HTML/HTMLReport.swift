import HTMLPages
import Internals

/// A report as one page of HTML that loads nothing else: no script, font or picture.
///
/// Each profile has a sentence, charts and a table. The page follows the reader's light or dark mode, and fits phones
/// and printers.
public struct HTMLReport: Sendable {
  private let report: RetryReport
  private let trials: [NamedTrial]
  private let command: String?

  /// Creates the page of a report.
  ///
  /// - Parameters:
  ///   - report: the report to show.
  ///   - trials: trials whose attempts are drawn one by one, each in its profile's section.
  ///   - command: the command that makes the report again, if there is one.
  public init(_ report: RetryReport, trials: [NamedTrial] = [], command: String? = nil) {
    self.report = report
    self.trials = trials
    self.command = command
  }

  /// The page as HTML; equal reports give equal pages.
  public var text: String {
    let headline = report.profiles.first.map(report.headline) ?? "Nothing was run."
    let body = """
      <header>
      <p class="kind">Retry policies compared</p>
      <h1>\(Markup.escaped(headline))</h1>
      <p class="what">\(Markup.escaped(report.circumstances))</p>
      \(report.leftOut.map { "<p class=\"partial\">\(Markup.escaped("\($0)"))</p>" }.joined())
      \(report.interruption.map { "<p class=\"partial\">\($0)</p>" } ?? "")
      \(key)
      \(findings(report.sharedFindingsText))
      </header>
      \(report.profiles.enumerated().map { section($1, isFirst: $0 == 0) }.joined(separator: "\n"))
      \(footer)
      """
    let title = "Retry policies under \(report.profiles.joined(separator: ", "))"
    return Page.text(title: title, style: ChartStyle.sheet, body: body)
  }

  /// The list of policies with their colours and marks.
  private var key: String {
    let entries = report.policies.map { name in
      "<li><svg class=\"mark\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">\(SeriesStyle(report, name).mark(7, 7, 5))</svg>"
        + "\(Markup.escaped(name))</li>"
    }
    return "<ul class=\"key\">\(entries.joined())</ul>"
  }

  private func section(_ profile: String, isFirst: Bool) -> String {
    let metrics = report.results.filter { $0.profile == profile && $0.success.total > 0 }
    let figures = report.figures(of: profile)
    let charts = [
      AnswerChart(metrics: metrics, report: report).chart, TradeOffChart(metrics: metrics, report: report).chart,
      LoadChart(metrics: metrics, report: report).chart,
    ].map(\.figure)
    let lead = isFirst ? "" : "<p class=\"lead\">\(Markup.escaped(report.headline(of: profile)))</p>"
    return """
      <section>
      <h2>\(Markup.escaped(profile))</h2>
      \(lead)
      \(findings(report.ownFindings(of: profile)))
      <div class="charts">
      \(charts.joined(separator: "\n"))
      </div>
      \(FigureTable(figures: figures, report: report).text)
      \(trials(profile))
      </section>
      """
  }

  private func findings(_ sentences: [String]) -> String {
    let items = sentences.map { "<li>\(Markup.escaped($0))</li>" }
    return items.isEmpty ? "" : "<ul class=\"findings\">\(items.joined())</ul>"
  }

  /// The charts of a profile's trials, on one time scale.
  private func trials(_ profile: String) -> String {
    let trials = trials.filter { $0.profile == profile }
    guard !trials.isEmpty else { return "" }
    let seeds = Set(trials.map(\.trial.seed)).sorted()
    let end = trials.flatMap { $0.trial.requests.map(\.end) }.max() ?? .zero
    let title =
      "Trial by trial, attempt by attempt: seed\(seeds.count == 1 ? "" : "s") "
      + seeds.map { "\($0)" }.joined(separator: ", ")
    let charts = trials.map { TrialChart($0, until: end).text }
    return """
      <div class="trials">
      <h3>\(title)</h3>
      \(TrialChart.key)
      <div class="charts">
      \(charts.joined(separator: "\n"))
      </div>
      </div>
      """
  }

  private var footer: String {
    let again = command.map {
      " Run it again for the same bytes:</p>\n<pre><code>\(Markup.escaped($0))</code></pre>"
    }
    return """
      <footer>
      <p>Simulated packet by packet in virtual time; under one seed all policies meet the same network. Seeds \
      \(report.seeds.lowerBound) to \(report.seeds.upperBound - 1).\(again ?? "</p>")
      </footer>
      """
  }
}

struct Chart {
  let title: String
  let note: String
  let height: Double
  let body: [String]

  var figure: String { Markup.figure(title, note, height: height, body) }
}

enum ChartStyle {
  static let sheet = """
    \(SeriesStyle.sheet)
    .front { fill: none; stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 1 4; }
    .mark { width: 14px; height: 14px; display: inline-block; vertical-align: -2px; margin-right: 5px; }
    caption { text-align: left; padding: 14px 0 2px; font-weight: 600; } td span small { display: block; }
    .leader { stroke: var(--rule); stroke-width: 1; }
    .bar { fill: var(--c); fill-opacity: .75; } .whisker { stroke: var(--c); stroke-width: 2; }
    .notch { stroke: var(--ink); stroke-width: 2; } .dot { fill: var(--c); stroke: var(--card); stroke-width: 1; }
    .noise { color: var(--soft); } h3 { font-size: 1rem; margin: 24px 0 4px; }
    .findings { margin: 0 0 12px; padding-left: 1.2em; max-width: 60em; }
    .good { --c: var(--good); } .refused { --c: var(--s5); } .lost { --c: var(--bad); } .left { --c: var(--s0); }
    .outlined { background: none; border: 1px solid var(--ink); } .band { background: var(--band); } rect.good, rect.refused, rect.lost, rect.left { fill: var(--c); }
    .hedge { fill-opacity: .45; stroke: var(--c); stroke-width: 1; } .left { fill-opacity: .6; }
    .wait { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; } .end { stroke: var(--ink); stroke-width: 2; }
    td small { display: block; color: var(--soft); } .trials .key { font-size: .85rem; margin-bottom: 10px; }
    """
}
