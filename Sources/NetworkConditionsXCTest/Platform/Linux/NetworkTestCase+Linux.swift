#if !canImport(ObjectiveC)
  import FailureSearch
  import Foundation
  public import XCTest

  /// A test case whose assertions are understood inside of `withNetwork`: derive from it in place of `XCTestCase`.
  ///
  /// XCTest reports a failed assertion to the test case at once and goes on; nothing is thrown. This class keeps what fails
  /// in one of the runs of `withNetwork`, so that a search can look at it, and hands on everything else. In a class that
  /// derives from `XCTestCase` itself, only thrown errors end a run.
  ///
  /// On Linux an assertion in a detached task, or on a queue, is not known to belong to a run, and is reported as it is.
  open class NetworkTestCase: XCTestCase {
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
  }

  extension XCTestCase {
    /// Keeps nothing: a test has no attachments here.
    func keep(_ finding: NetworkRun.Finding) {}
  }
#endif
