import FailureSearch
import Internals
import NetworkConditions

/// The failed assertions of one run, in their order.
final class AssertionLog: Sendable {
  /// The log of the run to which the current task belongs.
  @TaskLocal static var current: AssertionLog?

  /// The log of the only current run, for assertions in other tasks; `nil` when there are several runs.
  ///
  /// The closure of a run that is refused or given up never returns, so such a run no longer counts.
  static var only: AssertionLog? {
    active.withLock { logs in
      logs.removeAll { $0.network.hasResult }
      return logs.count == 1 ? logs[0] : nil
    }
  }
  private static let active = Mutex<[AssertionLog]>([])

  private let failures = Mutex<[FailedChecks.Check]>([])
  private let network: SimulatedNetwork

  init(of network: SimulatedNetwork) { self.network = network }

  func add(_ failure: FailedChecks.Check) {
    failures.withLock { $0.append(failure) }
  }

  /// Makes this the log of the calling task while `body` runs.
  func collect(_ body: () async throws -> Void) async rethrows {
    Self.active.withLock { $0.append(self) }
    defer { Self.active.withLock { $0.removeAll { $0 === self } } }
    try await Self.$current.withValue(self) { try await body() }
  }

  /// The failures as one error for a search; `nil` when nothing failed.
  var error: FailedChecks? { FailedChecks(failures.withLock { $0 }, label: "assertion failed") }
}
