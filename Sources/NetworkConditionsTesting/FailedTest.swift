import FailureSearch
import Testing

/// The issues of one run, as the error that a search looks at.
struct FailedTest: DescribedFailure, CustomStringConvertible {
  /// The first issue, on one line.
  let description: String
  /// Where that was recorded.
  let place: String?
  /// Its comments, and the issues after it.
  let details: String?
  /// Its kind: values differ from run to run, and its place says which it is.
  let label: String

  init?(_ issues: [Issue]) {
    guard let first = issues.first else { return nil }
    let place = Self.place(of: first)
    self.place = place
    description = Self.line("\(first.kind)") + (place.map { " at \($0)" } ?? "")
    label = Self.label(of: first)
    var lines = first.comments.map(\.rawValue)
    let rest = issues.dropFirst()
    if !rest.isEmpty {
      lines.append("and after it:")
      lines += rest.prefix(5).map { issue in
        "  \(Self.line("\(issue.kind)"))" + (Self.place(of: issue).map { " at \($0)" } ?? "")
      }
      if rest.count > 5 { lines.append("  and \(rest.count - 5) more") }
    }
    details = lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func place(of issue: Issue) -> String? {
    issue.sourceLocation.map { "\($0.fileName):\($0.line)" }
  }

  private static func label(of issue: Issue) -> String {
    switch issue.kind {
    case .expectationFailed: "expectation failed"
    case .confirmationMiscounted: "confirmation miscounted"
    case .errorCaught(let error): FailureText.label(of: error)
    case .unconditional: "issue recorded"
    default: line("\(issue.kind)")
    }
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
