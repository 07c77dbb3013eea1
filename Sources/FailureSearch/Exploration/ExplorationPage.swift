import HTMLPages
import Internals
import NetworkConditions

/// A page that shows an exploration: the run without a fault on a time axis, and each fault's outcome beneath it.
///
/// A cross marks a failure, a hollow circle another behaviour, and a dot the same behaviour as without a fault.
public struct ExplorationPage: Sendable {
  private let report: ExplorationReport
  /// The `step` is the width and height of a sign with its margin; the last sign may end beyond the axis.
  private static let (left, right, row, step) = (118.0, 16.0, 22.0, 11.0)

  /// Prepares the page of a report.
  public init(_ report: ExplorationReport) {
    self.report = report
  }

  /// The page as HTML, without scripts and without anything loaded from elsewhere.
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
    parts.append("<p class=\"lead\">\(Markup.escaped(report.kindsText))</p>")
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
    """
    <figure><figcaption><b>Where each fault falls</b> <span>× the client fails, ○ it behaves differently, ● it behaves as \
    without a fault; faults in one place with the same end share a mark</span></figcaption>
    \(chart())</figure>
    """
  }

  package var picture: String {
    let style = "<style>\n\(PageStyle.picture)\n\(Self.style)\n</style>"
    return chart(
      " xmlns=\"http://www.w3.org/2000/svg\"", "\(style)\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n")
      + "\n"
  }

  private func chart(_ attributes: String = "", _ ground: String = "") -> String {
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
      let lanes = Self.lanes(own, usual: report.usual)
      let height = Self.row + Self.step * Double(lanes.count - 1)
      marks.append(Markup.text(Self.left - 6, top + Self.row / 2 + 4, kind.rawValue, "name", anchor: "end"))
      marks.append(Markup.line(Self.left, top + height, width - Self.right, top + height, "grid"))
      for (number, lane) in lanes.enumerated() {
        marks += signs(lane, at: top + Self.row / 2 + Self.step * Double(number), axis)
      }
      top += height
    }
    // Charts have the width of a phone's screen; this map takes the whole page.
    return """
      <svg\(attributes) viewBox="0 0 \(Markup.point(width)) \(Markup.point(top + 6))" role="img" \
      aria-label="\(Markup.escaped(report.headline))">
      \(ground)\(marks.joined(separator: "\n"))
      </svg>
      """
  }

  private static let mostSteps = 24

  private static func short(_ name: String) -> String { name.count <= 16 ? name : "\(name.prefix(15))…" }

  /// Groups the marks of a kind into lanes: failures, other behaviours, and the usual behaviour.
  private static func lanes(_ marks: [ExplorationReport.Mark], usual: String) -> [[ExplorationReport.Mark]] {
    func rank(_ mark: ExplorationReport.Mark) -> Int { mark.isFailure ? 0 : mark.behaviour == usual ? 2 : 1 }
    return Dictionary(grouping: marks, by: rank).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Draws one sign for all marks of a lane that fall within its width, so that signs never overlap.
  private func signs(_ lane: [ExplorationReport.Mark], at middle: Double, _ axis: Axis) -> [String] {
    func place(_ time: Int64) -> Double { axis(Double(time) / 1e6) }
    let cells = Dictionary(grouping: lane) { mark in
      Int((place(mark.first) + place(mark.last) - 2 * Self.left) / 2 / Self.step)
    }
    return cells.sorted { $0.key < $1.key }.map { cell, marks in
      let (from, to) = (place(marks.map(\.first).min() ?? 0), place(marks.map(\.last).max() ?? 0))
      let span = to - from > Self.step ? Markup.line(from, middle, to, middle, "span") : ""
      let points = Dictionary(marks.map { ($0.behaviour, $0.points) }, uniquingKeysWith: +)
      let words = points.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { behaviour, points in
        "\(ExplorationReport.counted(points)): \(behaviour)"
      }
      let sign = sign(of: marks[0], Self.left + (Double(cell) + 0.5) * Self.step, middle)
      return Markup.titled(span + sign, words.joined(separator: "\n"))
    }
  }

  private func sign(of mark: ExplorationReport.Mark, _ place: Double, _ middle: Double) -> String {
    if mark.isFailure {
      return Markup.line(place - 4, middle - 4, place + 4, middle + 4, "failing")
        + Markup.line(place - 4, middle + 4, place + 4, middle - 4, "failing")
    }
    let isUsual = mark.behaviour == report.usual
    return Markup.dot(place, middle, isUsual ? 2.5 : 3.5, isUsual ? "same" : "other")
  }

  private static let mostRows = 200

  private var table: String {
    let rows = report.behaviours.prefix(Self.mostRows).map { behaviour in
      let sign = behaviour.isFailure ? "×" : behaviour.words == report.usual ? "●" : "○"
      return """
        <tr\(behaviour.isFailure ? " class=\"fails\"" : "")><th>\(sign) \(FigureText.grouped(behaviour.points))</th>\
        <td>\(FigureText.grouped(behaviour.classes))</td><td class="words">\(Markup.escaped(behaviour.words))</td>\
        <td class="words">\(Markup.escaped(behaviour.example.joined(separator: "; ")))</td></tr>
        """
    }
    let more =
      report.behaviours.count > Self.mostRows
      ? "<p class=\"what\">and \(report.behaviours.count - Self.mostRows) more behaviours</p>" : ""
    return """
      <div class="scroll"><table><thead><tr><th>points</th><th>classes</th><th class="words">what the client did</th>\
      <th class="words">for example when</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>\(more)
      """
  }
}

extension ExplorationPage: CustomStringConvertible {
  /// The page's size in one line; ``text`` is the page itself.
  public var description: String { "a page of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file" }
}
