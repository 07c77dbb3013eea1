import FailureSearch
import Internals

/// The failed assertions of one run, in their order.
final class AssertionLog: Sendable {
  /// The log of the run that the task belongs to.
  @TaskLocal static var current: AssertionLog?

  private let failures = Mutex<[FailedChecks.Check]>([])

  func add(_ failure: FailedChecks.Check) {
    failures.withLock { $0.append(failure) }
  }

  /// The error that a search looks at; `nil` when nothing failed.
  var error: FailedChecks? { FailedChecks(failures.withLock { $0 }, label: "assertion failed") }
}
