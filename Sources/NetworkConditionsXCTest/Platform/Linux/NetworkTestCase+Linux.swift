#if !canImport(ObjectiveC)
  import FailureSearch
  import Foundation
  public import XCTest

  /// A test case whose assertions work inside of `withNetwork`: use it in place of `XCTestCase`.
  ///
  /// XCTest reports a failed assertion to the test case and throws nothing. Within a run of `withNetwork` this class
  /// keeps the failure for the search. Other failures go to XCTest. In a plain `XCTestCase`, only thrown errors end a
  /// run.
  ///
  /// If several runs are made at once (`workers: 4`), a failure in a completion handler, on a queue or of an expectation
  /// is reported at once.
  open class NetworkTestCase: XCTestCase {
    /// Keeps the failure for the run to which it belongs, or records it.
    open override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard let log = AssertionLog.current ?? AssertionLog.only else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      let file = URL(fileURLWithPath: filePath).lastPathComponent
      // An assertion without a message has a description that ends with a dash.
      let text = description.hasSuffix(" - ") ? String(description.dropLast(3)) : description
      log.add(FailedChecks.Check(text, at: "\(file):\(lineNumber)"))
    }
  }

  extension XCTestCase {
    /// Does nothing: XCTest on Linux has no attachments.
    func keep(_ finding: NetworkRun.Finding) {}
  }
#endif
