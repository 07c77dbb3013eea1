package enum Markup {
  package static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // XML allows none of these characters; the replacement character stands for them.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// A coordinate as text, rounded to a tenth of a pixel.
  package static func point(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? "-" : "")\(whole)\(rest == 0 ? "" : ".\(rest)")"
  }

  package static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ role: String) -> String {
    "<line class=\"\(role)\" x1=\"\(point(x1))\" y1=\"\(point(y1))\" x2=\"\(point(x2))\" y2=\"\(point(y2))\"/>"
  }

  package static func text(_ x: Double, _ y: Double, _ text: String, _ role: String = "", anchor: String = "start")
    -> String
  {
    "<text class=\"\(role)\" x=\"\(point(x))\" y=\"\(point(y))\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
  }

  package static func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ role: String, rounding: Double = 0
  )
    -> String
  {
    "<rect class=\"\(role)\" x=\"\(point(x))\" y=\"\(point(y))\" width=\"\(point(max(0, width)))\" "
      + "height=\"\(point(max(0, height)))\" rx=\"\(point(rounding))\"/>"
  }

  package static func dot(_ x: Double, _ y: Double, _ radius: Double, _ role: String) -> String {
    "<circle class=\"\(role)\" cx=\"\(point(x))\" cy=\"\(point(y))\" r=\"\(point(radius))\"/>"
  }

  package static func path(_ points: [(x: Double, y: Double)], _ role: String) -> String {
    let places = points.map { "\(point($0.x)),\(point($0.y))" }.joined(separator: " ")
    return "<polyline class=\"\(role)\" points=\"\(places)\"/>"
  }

  package static func drawing(_ role: String, _ path: String) -> String {
    path.isEmpty ? "" : "<path class=\"\(role)\" d=\"\(path)\"/>"
  }

  package static func titled(_ mark: String, _ words: String) -> String {
    "<g><title>\(escaped(words))</title>\(mark)</g>"
  }

  /// A chart with its title and a description for screen readers.
  package static func figure(_ title: String, _ note: String, height: Double, _ body: [String]) -> String {
    """
    <figure>
    <figcaption><b>\(escaped(title))</b> <span>\(escaped(note))</span></figcaption>
    <svg viewBox="0 0 \(point(width)) \(point(height))" role="img" aria-label="\(escaped(title)): \(escaped(note))">
    \(body.joined(separator: "\n"))
    </svg>
    </figure>
    """
  }

  /// The width of every chart in SVG units, chosen for a phone's screen.
  package static let width = 360.0
}
