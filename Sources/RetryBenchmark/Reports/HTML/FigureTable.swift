import HTMLPages

/// The figures of one profile as a table.
struct FigureTable {
  private let figures: [PolicyFigures]
  private let report: RetryReport

  init(_ figures: [PolicyFigures], of report: RetryReport) {
    self.figures = figures
    self.report = report
  }

  private static let titles = [
    "policy", "success", "95 % interval", "p50", "p90", "p99", "give up p50", "attempts", "p99", "worst second",
    "wasted / request",
  ]

  var text: String {
    let first = report.policies.first ?? ""
    let heads = (Self.titles + ["gain over \(first)"]).map { "<th scope=\"col\">\(Markup.escaped($0))</th>" }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="figures"><table>
      <thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(figures.map(row).joined(separator: "\n"))
      </tbody>
      </table></div>
      """
  }

  private func row(_ figures: PolicyFigures) -> String {
    let interval = figures.success.interval().map {
      "\(FigureText.percent($0.lowerBound))–\(FigureText.percent($0.upperBound)) %"
    }
    let cells: [String] = [
      figures.success.rate.map { "\(FigureText.percent($0)) %" } ?? "–", interval ?? "–",
      Self.seconds(figures.latency?.p50), Self.seconds(figures.latency?.p90), Self.seconds(figures.latency?.p99),
      Self.seconds(figures.timeToGiveUp), figures.attempts.map(FigureText.digits) ?? "–",
      figures.attempts99.map { "\($0)" } ?? "–", FigureText.digits(figures.worstSecond),
      FigureText.bytes(figures.wastedBytes),
    ]
    let colour = "<span class=\"chip s\(report.colour(of: figures.policy))\"></span>"
    let name = "<th scope=\"row\">\(colour)\(Markup.escaped(figures.policy))</th>"
    return "<tr>\(name)\(cells.map { "<td>\(Markup.escaped($0))</td>" }.joined())\(gain(figures.difference))</tr>"
  }

  private func gain(_ difference: PolicyFigures.Difference?) -> String {
    guard let difference else { return "<td></td>" }
    let (low, high) = (difference.interval.lowerBound, difference.interval.upperBound)
    let interval = "\(Self.points(low)) to \(Self.points(high))"
    guard difference.isBeyondNoise else { return "<td class=\"noise\">noise (\(interval))</td>" }
    let role = difference.mean > 0 ? "better" : "worse"
    return "<td class=\"\(role)\"><b>\(Self.points(difference.mean))</b> (\(interval))</td>"
  }

  private static func seconds(_ nanoseconds: Int?) -> String {
    nanoseconds == nil ? "–" : "\(FigureText.seconds(nanoseconds)) s"
  }

  /// Points of a hundred, with their sign.
  private static func points(_ share: Double) -> String {
    let text = FigureText.digits((abs(share) * 1000).rounded() / 10)
    return text == "0" ? "0" : (share < 0 ? "−" : "+") + text
  }
}
