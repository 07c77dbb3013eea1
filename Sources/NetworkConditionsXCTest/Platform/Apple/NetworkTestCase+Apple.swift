#if canImport(ObjectiveC)
  import FailureSearch
  import Foundation
  public import XCTest

  /// A test case whose assertions are understood inside of `withNetwork`: derive from it in place of `XCTestCase`.
  ///
  /// XCTest reports a failed assertion to the test case at once and goes on; nothing is thrown. This class keeps what fails
  /// in one of the runs of `withNetwork`, so that a search can look at it, and hands on everything else. In a class that
  /// derives from `XCTestCase` itself, only thrown errors end a run.
  open class NetworkTestCase: XCTestCase {
    /// Keeps the issue for the run that it belongs to, or records it.
    ///
    /// XCTest may tell of it in another task. A run goes on after it, also where `continueAfterFailure` is false: then the
    /// test stops at the end of `withNetwork`, where the failure is recorded.
    open override func record(_ issue: XCTIssue) {
      guard let log = AssertionLog.current ?? AssertionLog.only else { return super.record(issue) }
      let place = issue.sourceCodeContext.location.map { "\($0.fileURL.lastPathComponent):\($0.lineNumber)" }
      log.add(FailedChecks.Check(issue.compactDescription, at: place))
    }
  }

  extension XCTestCase {
    /// Keeps the timeline of what a run found beside the test's result.
    func keep(_ finding: NetworkRun.Finding) {
      guard let timeline = finding.timeline else { return }
      let attachment = XCTAttachment(string: timeline)
      attachment.name = "timeline.txt"
      add(attachment)
    }
  }
#endif
