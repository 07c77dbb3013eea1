import HTMLPages
import Internals

/// The figures of one profile as tables: results for callers, costs, and differences between policies.
struct FigureTable {
  let figures: [PolicyFigures]
  let report: RetryReport

  private typealias Cell = (PolicyFigures) -> String

  var text: String {
    let share = "interval: \(FigureText.percent(report.confidence)) %, over seeds"
    let results: [(String, Cell)] = [
      ("success", { Self.share($0.measures[.successRate]) }),
      ("half answered in", { Self.seconds($0.answers?.p50) }), ("90 % in", { Self.seconds($0.answers?.p90) }),
      ("99 % in", { Self.seconds($0.answers?.p99) }), ("given up after (p50)", { Self.seconds($0.timeToGiveUp) }),
      ("waited per answer", { Self.seconds($0.measures[.wait]) }),
    ]
    let effects: [(String, Cell)] = [
      ("carried out twice or more", { Self.share($0.measures[.repeatedEffects]) }),
      ("carried out, reported as failed", { Self.share($0.measures[.unreportedEffects]) }),
    ]
    let costs: [(String, Cell)] = [
      ("attempts per request", { Self.number($0.measures[.amplification]) }),
      ("attempts per answer", { Self.number($0.measures[.attemptsPerAnswer]) }),
      ("bytes per answer", { Self.number($0.measures[.bytesPerAnswer], FigureText.bytes) }),
      ("wasted per request", { Self.number($0.measures[.wastedBytes], FigureText.bytes) }),
      ("radio on per answer", { Self.seconds($0.measures[.radioPerAnswer]) }),
      ("attempts in the busiest second", { Self.number($0.measures[.busiestSecond]) }),
      ("attempts per second while it recovers", { Self.number($0.measures[.recoveryLoad]) }),
    ]
    let within = PolicyFigures.times.enumerated().map { index, time -> (String, Cell) in
      (RetryReport.time(time), { Self.share($0.within.indices.contains(index) ? $0.within[index] : nil) })
    }
    let first = report.policies.first ?? ""
    let differences: [(String, Cell)] = [
      ("success", { Self.cell($0.differences?[.successRate], per: 100, unit: " points", moreIsGood: true) }),
      ("times the failures", { Self.number($0.failureRatio) { $0.isFinite ? FigureText.digits($0) : "–" } }),
      ("waited per answer", { Self.cell($0.differences?[.wait], unit: " s") }),
      ("attempts", { Self.cell($0.differences?[.amplification]) }),
      ("seeds", { "\($0.differences?[.successRate]?.count ?? 0)" }),
    ]
    return [
      table("What callers get (\(share))", results, figures), table("What it costs", costs, figures),
      report.workload.isIdempotent ? "" : table("What the server did for \(report.workload.method)", effects, figures),
      table("Answered within, failures included", within, figures),
      successOverTime.isEmpty
        ? "" : table("Succeeded, of the requests begun from then on, up to the next column", successOverTime, figures),
      figures.count > 1 ? table("Against \(first), in pairs of one seed", differences, Array(figures.dropFirst())) : "",
    ].joined(separator: "\n")
  }

  /// The rows for the share of successes, by when requests were begun.
  private var successOverTime: [(String, Cell)] {
    (figures.first?.successOverTime ?? []).map { slice in
      (
        "\(slice.seconds.lowerBound) s",
        { figures in
          let share = figures.successOverTime.first { $0.seconds == slice.seconds }?.share
          return share.map { "\(FigureText.percent($0)) %" } ?? "–"
        }
      )
    }
  }

  private func table(_ caption: String, _ columns: [(title: String, cell: Cell)], _ rows: [PolicyFigures]) -> String {
    let heads = (["policy"] + columns.map(\.title)).map { "<th scope=\"col\">\(Markup.escaped($0))</th>" }
    let lines = rows.map { figures in
      let colour = "<span class=\"chip s\(report.colour(of: figures.policy))\"></span>"
      let name = "<th scope=\"row\">\(colour)\(Markup.escaped(figures.policy))</th>"
      return "<tr>\(name)\(columns.map { "<td>\($0.cell(figures))</td>" }.joined())</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(Markup.escaped(caption))"><table>
      <caption>\(Markup.escaped(caption))</caption>
      <thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody>
      </table></div>
      """
  }

  private static func share(_ estimate: Estimate?) -> String { number(estimate, unit: " %") { FigureText.percent($0) } }

  private static func seconds(_ estimate: Estimate?) -> String {
    number(estimate, unit: " s") { $0.isFinite ? FigureText.digits($0) : "never" }
  }

  /// A figure, with its interval below it.
  private static func number(
    _ estimate: Estimate?, unit: String = "", _ text: (Double) -> String = { FigureText.digits($0) }
  ) -> String {
    guard let estimate else { return "–" }
    let (low, high) = (estimate.interval.lowerBound, estimate.interval.upperBound)
    let value = estimate.value.isFinite ? Markup.escaped(text(estimate.value) + unit) : "never"
    guard low.isFinite else { return value }
    if let needed = estimate.seedsNeeded { return "\(value)<small>interval from \(needed) seeds on</small>" }
    let interval = high.isFinite ? "\(text(low)) to \(text(high))" : "from \(text(low))"
    return "\(value)<small>\(Markup.escaped(interval))</small>"
  }

  private static func cell(
    _ difference: PairedComparison?, per scale: Double = 1, unit: String = "", moreIsGood: Bool = false
  ) -> String {
    guard let difference else { return "–" }
    if let needed = difference.seedsNeeded { return "<span class=\"noise\">from \(needed) seeds on</span>" }
    let ends = [difference.interval.lowerBound, difference.interval.upperBound]
    let interval = ends.map { signed($0 * scale) }.joined(separator: " to ")
    guard difference.isBeyondNoise else { return "<span class=\"noise\">noise<small>\(interval)</small></span>" }
    let role = (difference.difference > 0) == moreIsGood ? "better" : "worse"
    return
      "<span class=\"\(role)\"><b>\(signed(difference.difference * scale))\(unit)</b><small>\(interval)</small></span>"
  }

  private static func signed(_ value: Double) -> String {
    let text = FigureText.digits(abs(value))
    return text == "0" ? "0" : (value < 0 ? "−" : "+") + text
  }
}
