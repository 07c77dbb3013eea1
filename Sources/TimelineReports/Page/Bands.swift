import HTMLPages
import NetworkConditions

/// The phases of a network as bands from top to bottom: outages in their own colour, the others by turns.
enum Bands {
  /// The bands of a drawing, as long as more than one thing held.
  static func shading(_ spans: [ConditionSpan], _ scale: TimeScale, height: Double) -> String {
    guard spans.count > 1 || spans.contains(where: { $0.conditions.outage != nil }) else { return "" }
    // Bands of one kind are one drawing.
    var paths: [(role: String, path: String)] = [("odd", ""), ("out", "")]
    for (index, span) in spans.enumerated() {
      guard let role = role(of: span, index) else { continue }
      let (from, to) = (scale.place(span.start), scale.place(span.end))
      let band = "M\(Markup.point(from)) 0h\(Markup.point(to - from))v\(Markup.point(height))h\(Markup.point(from - to))z"
      paths[role == "out" ? 1 : 0].path += band
    }
    return paths.filter { !$0.path.isEmpty }.map { "<path class=\"\($0.role)\" d=\"\($0.path)\"/>" }.joined()
  }

  /// Their names, above.
  static func names(_ spans: [ConditionSpan], _ scale: TimeScale) -> String {
    guard spans.count > 1 || spans.contains(where: { $0.conditions.outage != nil || !$0.phase.isEmpty }) else {
      return ""
    }
    let names = spans.enumerated().map { index, span in
      let role = role(of: span, index).map { " class=\"\($0)\"" } ?? ""
      let length = TimeScale.percent((scale.place(span.end) - scale.place(span.start)) / 1000)
      let times = "\(FigureText.time(nanoseconds: span.start)) to \(FigureText.time(nanoseconds: span.end))"
      let note = Markup.escaped("\(span.name): \(span.text), \(times)")
      let place = "left:\(scale.percent(span.start));width:\(length)"
      return "<span\(role) style=\"\(place)\" title=\"\(note)\"><b>\(Markup.escaped(span.name))</b></span>"
    }
    return "<div class=\"plot names\">\(names.joined())</div>"
  }

  private static func role(of span: ConditionSpan, _ index: Int) -> String? {
    span.conditions.outage != nil ? "out" : index.isMultiple(of: 2) ? nil : "odd"
  }
}
