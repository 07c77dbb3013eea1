import FailureSearch
import Internals
import Testing

/// The failures among the issues of one run, in the order in which they were recorded.
final class IssueLog: Sendable {
  private let issues = Mutex<[Issue]>([])

  /// The failures so far.
  var failures: [Issue] { issues.withLock { $0 } }

  /// The error that a search looks at; `nil` when nothing failed.
  var error: FailedChecks? {
    let failures = failures
    guard let first = failures.first else { return nil }
    let checks = failures.map { issue in
      FailedChecks.Check("\(issue.kind)", at: issue.sourceLocation.map { "\($0.fileName):\($0.line)" })
    }
    return FailedChecks(checks, comments: first.comments.map(\.rawValue), label: first.label)
  }

  /// Writes an issue down if it is a failure, and says whether it is the first.
  func add(_ issue: Issue) -> Bool {
    guard issue.counts else { return false }
    return issues.withLock { issues in
      issues.append(issue)
      return issues.count == 1
    }
  }
}

/// Issues that are no failures, such as known ones and warnings: of those that come from one place in run after run, the
/// first is enough.
final class SeenPlaces: Sendable {
  private struct Place: Hashable {
    var location: SourceLocation?
    var comments: [Comment]
  }
  private let places = Mutex<Set<Place>>([])

  /// Says whether an issue is the first of its kind.
  func isFirst(_ issue: Issue) -> Bool {
    places.withLock { $0.insert(Place(location: issue.sourceLocation, comments: issue.comments)).inserted }
  }
}

extension Issue {
  /// The kind of the issue, without values that differ from run to run.
  fileprivate var label: String {
    switch kind {
    case .expectationFailed: "expectation failed"
    case .confirmationMiscounted: "confirmation miscounted"
    case .errorCaught(let error): FailureText.label(of: error)
    case .unconditional: "issue recorded"
    default: "\(kind)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  /// Whether it makes its test fail; before Swift 6.3 a library cannot tell known issues from others.
  var counts: Bool {
    #if compiler(>=6.3)
      isFailure
    #else
      true
    #endif
  }
}
