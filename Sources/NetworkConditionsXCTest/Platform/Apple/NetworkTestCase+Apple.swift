#if canImport(ObjectiveC)
  import FailureSearch
  import Foundation
  public import XCTest

  /// A test case whose assertions work inside of `withNetwork`: use it in place of `XCTestCase`.
  ///
  /// XCTest reports a failed assertion to the test case and throws nothing. Within a run of `withNetwork` this class
  /// keeps the failure for the search. Other failures go to XCTest. In a plain `XCTestCase`, only thrown errors end a
  /// run.
  open class NetworkTestCase: XCTestCase {
    /// Keeps the issue for the run to which it belongs, or records it.
    ///
    /// XCTest may call this in another task. A run continues after an issue, even if `continueAfterFailure` is false.
    /// The test then stops at the end of `withNetwork`, where the failure is recorded.
    open override func record(_ issue: XCTIssue) {
      guard let log = AssertionLog.current ?? AssertionLog.only else { return super.record(issue) }
      let place = issue.sourceCodeContext.location.map { "\($0.fileURL.lastPathComponent):\($0.lineNumber)" }
      log.add(FailedChecks.Check(issue.compactDescription, at: place))
    }
  }

  extension XCTestCase {
    /// Attaches the timeline of a finding to the test's result.
    func keep(_ finding: NetworkRun.Finding) {
      guard let timeline = finding.timeline else { return }
      let attachment = XCTAttachment(string: timeline)
      attachment.name = "timeline.txt"
      add(attachment)
    }
  }
#endif
