import HTMLPages
import Internals

/// The figures of one profile as a table.
struct FigureTable {
  let figures: [PolicyFigures]
  let report: RetryReport

  private static let titles = [
    "policy", "success", "p50", "p90", "p99", "give up p50", "attempts", "p99", "worst second",
    "wasted / request",
  ]

  var text: String {
    let first = report.policies.first ?? ""
    let heads = (Self.titles + ["success", "mean time", "attempts"].map { "\($0) against \(first)" }).map {
      "<th scope=\"col\">\(Markup.escaped($0))</th>"
    }
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
      "<small>\(FigureText.percent($0.lowerBound)) to \(FigureText.percent($0.upperBound))</small>"
    }
    let success = figures.success.rate.map { "\(FigureText.percent($0)) %" } ?? "–"
    let cells: [String] = [
      Self.seconds(figures.latency?.p50), Self.seconds(figures.latency?.p90), Self.seconds(figures.latency?.p99),
      Self.seconds(figures.timeToGiveUp), figures.attempts.map(FigureText.digits) ?? "–",
      figures.attempts99.map { "\($0)" } ?? "–", FigureText.digits(figures.worstSecond),
      FigureText.bytes(figures.wastedBytes),
    ]
    let colour = "<span class=\"chip s\(report.colour(of: figures.policy))\"></span>"
    let name = "<th scope=\"row\">\(colour)\(Markup.escaped(figures.policy))</th>"
    return
      "<tr>\(name)<td>\(success)\(interval ?? "")</td>\(cells.map { "<td>\(Markup.escaped($0))</td>" }.joined())\(differences(figures).joined())</tr>"
  }

  private func differences(_ figures: PolicyFigures) -> [String] {
    guard figures.policy != report.policies.first else { return ["<td></td>", "<td></td>", "<td></td>"] }
    return [
      Self.cell(figures.difference, per: 100, moreIsGood: true), Self.cell(figures.latencyDifference, unit: " s"),
      Self.cell(figures.attemptsDifference),
    ]
  }

  private static func cell(
    _ difference: PolicyFigures.Difference?, per scale: Double = 1, unit: String = "", moreIsGood: Bool = false
  ) -> String {
    guard let difference else { return "<td class=\"noise\">–</td>" }
    if difference.isNone { return "<td class=\"noise\">same</td>" }
    let ends = [difference.interval.lowerBound, difference.interval.upperBound]
    let interval = ends.map { signed($0 * scale) }.joined(separator: " to ")
    guard difference.isBeyondNoise else { return "<td class=\"noise\">noise<small>\(interval)</small></td>" }
    let role = (difference.mean > 0) == moreIsGood ? "better" : "worse"
    return "<td class=\"\(role)\"><b>\(signed(difference.mean * scale))\(unit)</b><small>\(interval)</small></td>"
  }

  private static func seconds(_ time: Duration?) -> String {
    time.map { "\(FigureText.digits($0.inSeconds)) s" } ?? "–"
  }

  /// A number with its sign.
  private static func signed(_ value: Double) -> String {
    let text = FigureText.digits(abs(value))
    return text == "0" ? "0" : (value < 0 ? "−" : "+") + text
  }
}
