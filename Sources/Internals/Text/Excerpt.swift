/// Shortens long texts to fit a screen, for printed reports.
package enum Excerpt {
  /// The largest number of lines in a printed report.
  package static let mostLines = 40

  /// The assumed number of lines on a screen of 100 columns.
  package static let screen = 48

  /// How many screen lines a text occupies.
  package static func height(of text: String) -> Int {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .reduce(0) { $0 + max(1, ($1.count + 99) / 100) }
  }

  /// Returns the first text that fits into `lines` screen lines; otherwise the start of the last one.
  package static func fitting(_ texts: [String], in lines: Int = screen) -> String {
    if let text = texts.first(where: { height(of: $0) <= lines }) { return text }
    var shown: [Substring] = []
    var rest = lines - 1
    for line in (texts.last ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      rest -= height(of: String(line))
      guard rest >= 0 else { return (shown + ["…"]).joined(separator: "\n") }
      shown.append(line)
    }
    return shown.joined(separator: "\n")
  }

  /// The first lines, and how many things are left out, such as `and 12 more transfers`.
  package static func of(_ lines: some Collection<some StringProtocol>, _ thing: String = "line") -> String {
    var shown: [(text: String, end: Int)] = []
    for line in lines.prefix(mostLines) {
      let text = String(line).shortened(to: 1_000)
      shown.append((text, (shown.last?.end ?? 0) + height(of: text)))
    }
    guard shown.count < lines.count || (shown.last?.end ?? 0) > mostLines else {
      return shown.map(\.text).joined(separator: "\n")
    }
    let texts = shown.prefix { $0.end < mostLines }.map(\.text)
    return (texts + ["and \(FigureText.count(lines.count - texts.count, "more \(thing)"))"]).joined(separator: "\n")
  }

  /// The first lines of a text, and how many are left out.
  package static func of(text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return of(lines.last?.isEmpty == true ? lines.dropLast() : lines[...])
  }
}
