import FailureSearch
import Internals

/// The failed assertions of one run, in their order.
final class AssertionLog: Sendable {
  struct Failure {
    let text: String
    let place: String?
  }

  /// The log of the run that the task belongs to.
  @TaskLocal static var current: AssertionLog?

  private let failures = Mutex<[Failure]>([])

  func add(_ failure: Failure) {
    failures.withLock { $0.append(failure) }
  }

  /// The error that a search looks at; `nil` when nothing failed.
  var error: FailedAssertion? { FailedAssertion(failures.withLock { $0 }) }
}

/// An assertion that failed, as an error.
struct FailedAssertion: DescribedFailure, CustomStringConvertible {
  let description: String
  let place: String?
  let details: String?
  /// Values differ from run to run, and the place says which assertion it is.
  let label = "assertion failed"

  init?(_ failures: [AssertionLog.Failure]) {
    guard let first = failures.first else { return nil }
    func line(_ failure: AssertionLog.Failure) -> String {
      let text = failure.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      return text + (failure.place.map { " at \($0)" } ?? "")
    }
    description = line(first)
    place = first.place
    let rest = failures.dropFirst().prefix(5).map { "  \(line($0))" }
    details = rest.isEmpty ? nil : (["and after it:"] + rest).joined(separator: "\n")
  }
}
