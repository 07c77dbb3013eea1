import HTMLPages
import Internals
import NetworkConditions

enum Bands {
  static func shading(_ spans: [ConditionSpan], _ scale: TimeScale, height: Double) -> String {
    guard spans.count > 1 || spans.contains(where: { $0.conditions.outage != nil }) else { return "" }
    // All bands of one kind are one path.
    var paths: [(role: String, path: String)] = [("odd", ""), ("out", "")]
    let names = order(of: spans)
    for span in spans {
      guard let role = role(of: span, names) else { continue }
      let (from, to) = (scale.place(span.start), scale.place(span.end))
      let band =
        "M\(Markup.point(from)) 0h\(Markup.point(to - from))v\(Markup.point(height))h\(Markup.point(from - to))z"
      paths[role == "out" ? 1 : 0].path += band
    }
    return paths.map { Markup.drawing($0.role, $0.path) }.joined()
  }

  static func names(_ spans: [ConditionSpan], _ scale: TimeScale) -> String {
    guard spans.count > 1 || spans.contains(where: { $0.conditions.outage != nil || !$0.phase.isEmpty }) else {
      return ""
    }
    let order = order(of: spans)
    let names = spans.map { span in
      let role = role(of: span, order).map { " class=\"\($0)\"" } ?? ""
      let length = TimeScale.percent((scale.place(span.end) - scale.place(span.start)) / 1000)
      let times = "\(FigureText.time(nanoseconds: span.start)) to \(FigureText.time(nanoseconds: span.end))"
      let note = Markup.escaped("\(span.name): \(span.text), \(times)")
      let place = "left:\(scale.percent(span.start));width:\(length)"
      return "<span\(role) style=\"\(place)\" title=\"\(note)\"><b>\(Markup.escaped(span.name))</b></span>"
    }
    return "<div class=\"plot names\">\(names.joined())</div>"
  }

  /// Numbers the names in the order of their first span, so that spans with the same name have the same shading.
  private static func order(of spans: [ConditionSpan]) -> [String: Int] {
    var order: [String: Int] = [:]
    for span in spans where span.conditions.outage == nil && order[span.name] == nil { order[span.name] = order.count }
    return order
  }

  private static func role(of span: ConditionSpan, _ order: [String: Int]) -> String? {
    span.conditions.outage != nil ? "out" : order[span.name, default: 0].isMultiple(of: 2) ? nil : "odd"
  }
}
