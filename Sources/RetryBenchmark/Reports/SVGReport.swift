import HTMLPages
import Internals

/// A report's first profile as one picture, for a slide or a README: what success costs, and the load around outages.
///
/// It follows the reader's choice of light or dark, and needs nothing else.
public struct SVGReport: Sendable {
  private let report: RetryReport
  private let profile: String?
  private let command: String?

  /// Creates the picture of a report.
  ///
  /// - Parameters:
  ///   - report: what is shown.
  ///   - profile: which of its profiles; the first, when none is named.
  ///   - command: what makes the report again, where a command does.
  public init(_ report: RetryReport, profile: String? = nil, command: String? = nil) {
    self.report = report
    self.command = command
    self.profile = profile ?? report.profiles.first
  }

  private static let (width, margin, head) = (Markup.width * 2 + 60, 16.0, 48.0)

  /// The picture; equal reports are equal pictures.
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
