/// The part of a long text that fits a screen: what printing a report shows of it.
package enum Excerpt {
  /// How many lines a printed report has at most.
  package static let mostLines = 40

  /// The first lines, and how many more things there are, such as `and 12 more transfers`.
  package static func of(_ lines: some Collection<some StringProtocol>, _ thing: String = "line") -> String {
    let rest = lines.count - mostLines
    let shown = lines.prefix(rest > 0 ? mostLines - 1 : mostLines).map { String($0) }
    guard rest > 0 else { return shown.joined(separator: "\n") }
    return (shown + ["and \(rest + 1) more \(thing)s"]).joined(separator: "\n")
  }

  /// The first lines of a text.
  package static func of(text: String) -> String {
    of(text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
  }
}
