import HTMLPages
import Internals

/// One profile of a report as a picture, for a slide or a README: the cost of success and the server's load.
///
/// It follows the reader's light or dark mode, and loads no other files.
public struct SVGReport: Sendable {
  private let report: RetryReport
  private let profile: String?
  private let command: String?

  /// Creates the picture of a report.
  ///
  /// - Parameters:
  ///   - report: the report to show.
  ///   - profile: the profile to show; by default the first.
  ///   - command: the command that makes the report again, if there is one.
  public init(_ report: RetryReport, profile: String? = nil, command: String? = nil) {
    self.report = report
    self.command = command
    self.profile = profile ?? report.profiles.first
  }

  private static let (width, margin, head) = (Markup.width * 2 + 60, 16.0, 48.0)

  /// The picture as SVG; equal reports give equal pictures.
  public var text: String {
    let metrics = report.results.filter { $0.profile == profile && $0.success.total > 0 }
    let charts = [
      TradeOffChart(metrics: metrics, report: report).chart, LoadChart(metrics: metrics, report: report).chart,
    ]
    let height = (charts.map(\.height).max() ?? 0) + Self.head + 2 * Self.margin
    let headline = Markup.escaped(profile.map(report.headline) ?? "Nothing was run.")
    let panels = charts.enumerated().map { index, chart in
      panel(chart, left: Self.margin + Double(index) * (Markup.width + 60 - 2 * Self.margin))
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Markup.point(Self.width)) \(Markup.point(height))" role="img" \
      aria-labelledby="title desc">
      <title id="title">Retry policies under \(Markup.escaped(profile ?? "no network"))</title>
      <desc id="desc">\(headline)\(command.map { " Made with: \(Markup.escaped($0))" } ?? "")</desc>
      <style>
      \(PageStyle.picture)
      \(ChartStyle.sheet)
      </style>
      \(Markup.box(0.5, 0.5, Self.width - 1, height - 1, "paper", rounding: 8))
      \(panels.joined(separator: "\n"))
      </svg>

      """
  }

  private func panel(_ chart: Chart, left: Double) -> String {
    let notes = chart.note.wrapped(to: 60).prefix(2).enumerated().map { number, line in
      Markup.text(left, Self.margin + 26 + Double(number) * 14, line, "tick")
    }
    return """
      \(Markup.text(left, Self.margin + 10, chart.title, "name"))
      \(notes.joined())
      <svg x="\(Markup.point(left))" y="\(Markup.point(Self.margin + Self.head))" width="\(Markup.point(Markup.width))" \
      height="\(Markup.point(chart.height))">
      \(chart.body.joined(separator: "\n"))
      </svg>
      """
  }
}
