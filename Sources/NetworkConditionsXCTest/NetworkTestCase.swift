import FailureSearch
import Foundation
import Internals
public import XCTest

/// A test case whose assertions are understood inside of `withNetwork`: derive from it in place of `XCTestCase`.
///
/// XCTest reports a failed assertion to the test case at once and goes on; nothing is thrown. This class keeps what fails
/// in one of the runs of `withNetwork`, so that a search can look at it, and hands on everything else. In a class that
/// derives from `XCTestCase` itself, only thrown errors end a run.
///
/// On Linux an assertion in a detached task, or on a queue, is not known to belong to a run, and is reported as it is.
open class NetworkTestCase: XCTestCase {
  #if canImport(ObjectiveC)
    /// Keeps the issue for the run that it belongs to, or records it.
    open override func record(_ issue: XCTIssue) {
      guard let log = AssertionLog.current else { return super.record(issue) }
      let place = issue.sourceCodeContext.location.map { "\($0.fileURL.lastPathComponent):\($0.lineNumber)" }
      log.add(FailedChecks.Check(issue.compactDescription, at: place))
    }
  #else
    /// Keeps the failure for the run that it belongs to, or records it.
    open override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard let log = AssertionLog.current else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      let file = URL(fileURLWithPath: filePath).lastPathComponent
      // The words of an assertion without a message end with a dash.
      let text = description.hasSuffix(" - ") ? String(description.dropLast(3)) : description
      log.add(FailedChecks.Check(text, at: "\(file):\(lineNumber)"))
    }
  #endif
}

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
