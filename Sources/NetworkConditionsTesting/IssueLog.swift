import FailureSearch
import Internals
import Testing

/// The issues of one run that are failures, in the order in which they were recorded.
final class IssueLog: Sendable {
  private let issues = Mutex<[Issue]>([])
  private let hasStrays = Locked(false)

  var failures: [Issue] { issues.withLock { $0 } }

  /// The failures as one error for a search; `nil` when nothing failed.
  var error: FailedChecks? {
    let failures = failures
    guard let first = failures.first else { return nil }
    let checks = failures.map { issue in
      FailedChecks.Check(issue.words, at: issue.sourceLocation.map { "\($0.fileName):\($0.line)" })
    }
    let note = hasStrays.value ? [Self.strayNote] : []
    return FailedChecks(checks, comments: first.furtherComments.map(\.rawValue) + note, label: first.label)
  }

  private static let strayNote =
    "It failed outside of the test's task, so it is also printed for each run, under «unknown». To avoid that, pass the "
    + "values to the test, as with a continuation, and check them there."

  /// Adds an issue if it is a failure, and returns whether it is the first.
  func add(_ issue: Issue) -> Bool {
    guard issue.counts else { return false }
    if Test.current == nil { hasStrays.withLock { $0 = true } }
    return issues.withLock { issues in
      issues.append(issue)
      return issues.count == 1
    }
  }
}

final class SeenPlaces: Sendable {
  private struct Place: Hashable {
    var location: SourceLocation?
    var comments: [Comment]
  }
  private let places = Mutex<Set<Place>>([])

  func isFirst(_ issue: Issue) -> Bool {
    places.withLock { $0.insert(Place(location: issue.sourceLocation, comments: issue.comments)).inserted }
  }
}

extension Issue {
  /// The kind of the issue, without values that differ between runs.
  fileprivate var label: String {
    switch kind {
    case .expectationFailed: "expectation failed"
    case .confirmationMiscounted: "confirmation miscounted"
    case .errorCaught(let error): FailureText.label(of: error)
    case .unconditional: "issue recorded"
    default: "\(kind)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  /// What failed; "Issue recorded" alone says nothing, so the first comment of such an issue belongs to it.
  var words: String {
    guard isUnconditional, let comment = comments.first else { return "\(kind)" }
    return "\(kind): \(comment.rawValue)"
  }

  var furtherComments: ArraySlice<Comment> { comments.dropFirst(isUnconditional ? 1 : 0) }

  private var isUnconditional: Bool {
    if case .unconditional = kind { true } else { false }
  }

  /// Whether the issue makes its test fail; before Swift 6.3 a library cannot recognise known issues.
  var counts: Bool {
    #if compiler(>=6.3)
      isFailure
    #else
      true
    #endif
  }
}
