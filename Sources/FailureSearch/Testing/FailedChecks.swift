/// The failed checks of one run as one error, for a search.
package struct FailedChecks: DescribedFailure, CustomStringConvertible {
  package struct Check: Sendable {
    private let text: String
    fileprivate let place: String?

    package init(_ text: String, at place: String?) {
      let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      // A check that compares two long bodies would fill the screen.
      self.text = line.count > 1_000 ? "\(line.prefix(600)) … \(line.suffix(300))" : line
      self.place = place
    }

    fileprivate var line: String { text + (place.map { " at \($0)" } ?? "") }
  }

  package let description: String
  package let place: String?
  package let details: String?
  /// The kind of the first failed check, without its values: they differ from run to run.
  package let label: String

  package init?(_ checks: [Check], comments: [String] = [], label: String) {
    guard let first = checks.first else { return nil }
    (description, place) = (first.line, first.place)
    self.label = label
    var lines = comments
    let rest = checks.dropFirst()
    if !rest.isEmpty { lines += ["and after it:"] + rest.prefix(5).map { "  \($0.line)" } }
    if rest.count > 5 { lines.append("  and \(rest.count - 5) more") }
    details = lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
