import HTMLPages
import NetworkConditions

/// An exploration as a page: the run without a fault along the time, and beneath it where each kind of fault falls and what
/// it does.
///
/// A mark is a class of points. Its shape says whether the client failed (a cross), went on in another way (a hollow circle), or did as
/// without a fault (a dot), and its colour says the same once more; what it did is said where the mark is pointed at, and in
/// the table beneath.
public struct ExplorationPage: Sendable {
  private let report: ExplorationReport
  private static let (left, right, row) = (118.0, 8.0, 22.0)

  /// Prepares the page.
  public init(_ report: ExplorationReport) {
    self.report = report
  }

  /// The page: no script, nothing from elsewhere.
  public var text: String {
    Page.text(title: "Every fault: \(report.scenario) under \(report.profile)", style: Self.style, body: body)
  }

  private static let style = """
    \(PageStyle.palette([
      ("failing", "#a63d00", "#ff9d66"), ("other", "#0072b2", "#4aa8e8"), ("same", "#6b7280", "#a3abb8"),
    ]))
    .map figure svg { max-width: none; } .step { fill: var(--area); stroke: var(--rule); }
    .failing { stroke: var(--failing); stroke-width: 2; fill: none; } .other { stroke: var(--other); fill: var(--card); \
    stroke-width: 1.5; } .same { fill: var(--same); stroke: none; } .span { stroke: var(--rule); stroke-width: 3; }
    td.words, th.words { text-align: left; white-space: normal; } tr.fails td { color: var(--failing); font-weight: 600; }
    """

  private var body: String {
    var parts = ["<h1>\(Markup.escaped(report.headline))</h1>"]
    parts.append(
      "<p class=\"lead\">\(Markup.escaped("Kinds: \(report.kinds.map(\.words).joined(separator: ", "))."))</p>")
    if !report.scope.isEmpty {
      parts.append("<p class=\"lead\">\(Markup.escaped(report.scope.joined(separator: " ")))</p>")
    }
    parts.append("<div class=\"map\">\(map)</div>")
    parts.append(table)
    if !report.failures.isEmpty { parts.append("<h2>What breaks it</h2>") }
    for failure in report.failures { parts.append("<pre>\(Markup.escaped(failure.explanation))</pre>") }
    return parts.joined(separator: "\n")
  }

  // MARK: The map

  private var map: String {
    let width = Markup.width * 2
    let end = Double(max(1, report.length)) / 1e6
    let axis = Axis(0...end, from: Self.left, to: width - Self.right)
    var marks: [String] = []
    var top = 18.0
    for tick in axis.ticks(6) {
      marks.append(Markup.text(axis(tick), 11, "\(Int(tick)) ms", "tick", anchor: "middle"))
    }
    for step in report.steps.prefix(Self.mostSteps) {
      let (from, to) = (axis(Double(step.start) / 1e6), axis(Double(step.end) / 1e6))
      marks.append(Markup.titled(Markup.box(from, top, max(2, to - from), 14, "step", rounding: 2), step.name))
      marks.append(Markup.text(Self.left - 6, top + 11, Self.short(step.name), "tick", anchor: "end"))
      top += 18
    }
    if report.steps.count > Self.mostSteps {
      marks.append(Markup.text(Self.left, top + 11, "and \(report.steps.count - Self.mostSteps) more requests", "tick"))
      top += 18
    }
    top += 8
    for kind in report.kinds {
      let own = report.marks.filter { $0.kind == kind }
      guard !own.isEmpty else { continue }
      let middle = top + Self.row / 2
      marks.append(Markup.text(Self.left - 6, middle + 4, kind.rawValue, "name", anchor: "end"))
      marks.append(Markup.line(Self.left, top + Self.row, width - Self.right, top + Self.row, "grid"))
      marks += own.sorted { Self.weight($0) < Self.weight($1) }.map { mark($0, at: middle, axis) }
      top += Self.row
    }
    // A chart's own width is a phone's; a map takes the whole page.
    return """
      <figure><figcaption><b>Where each fault falls</b> <span>× the client fails, ○ it goes on in another way, ● it does as \
      without a fault; one mark for each class of points</span></figcaption>
      <svg viewBox="0 0 \(Markup.point(width)) \(Markup.point(top + 6))" role="img" \
      aria-label="\(Markup.escaped(report.headline))">
      \(marks.joined(separator: "\n"))
      </svg></figure>
      """
  }

  private static let mostSteps = 24

  private static func weight(_ mark: ExplorationReport.Mark) -> Int { mark.isFailure ? 1 : 0 }

  private static func short(_ name: String) -> String { name.count <= 16 ? name : "\(name.prefix(15))…" }

  private func mark(_ mark: ExplorationReport.Mark, at middle: Double, _ axis: Axis) -> String {
    let (from, to) = (axis(Double(mark.first) / 1e6), axis(Double(mark.last) / 1e6))
    let place = (from + to) / 2
    let sign: String
    if mark.isFailure {
      sign =
        Markup.line(place - 4, middle - 4, place + 4, middle + 4, "failing")
        + Markup.line(place - 4, middle + 4, place + 4, middle - 4, "failing")
    } else {
      let isUsual = mark.behaviour == report.usual
      sign = Markup.dot(place, middle, isUsual ? 2.5 : 3.5, isUsual ? "same" : "other")
    }
    let span = to - from > 4 ? Markup.line(from, middle, to, middle, "span") : ""
    return Markup.titled(span + sign, "\(ExplorationReport.grouped(mark.points)) points: \(mark.behaviour)")
  }

  // MARK: The table

  private static let mostRows = 200

  private var table: String {
    let rows = report.behaviours.prefix(Self.mostRows).map { behaviour in
      let sign = behaviour.isFailure ? "×" : behaviour.words == report.usual ? "●" : "○"
      return """
        <tr\(behaviour.isFailure ? " class=\"fails\"" : "")><th>\(sign) \(ExplorationReport.grouped(behaviour.points))</th>\
        <td>\(ExplorationReport.grouped(behaviour.classes))</td><td class="words">\(Markup.escaped(behaviour.words))</td>\
        <td class="words">\(Markup.escaped(behaviour.example.joined(separator: "; ")))</td></tr>
        """
    }
    let more =
      report.behaviours.count > Self.mostRows
      ? "<p class=\"what\">and \(report.behaviours.count - Self.mostRows) more ways to behave</p>" : ""
    return """
      <div class="scroll"><table><thead><tr><th>points</th><th>classes</th><th class="words">what the client did</th>\
      <th class="words">for example when</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>\(more)
      """
  }
}
