// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// The parts of Apple's XCTest that XCTest on Linux lacks.
public import LinuxXCTest
@_exported public import XCTest

/// <https://developer.apple.com/documentation/xctest/xctsourcecodelocation>
public final class XCTSourceCodeLocation: NSObject {
  public let fileURL: URL
  public let lineNumber: Int
  public init(fileURL: URL, lineNumber: Int) {
    self.fileURL = fileURL
    self.lineNumber = lineNumber
  }
}

/// <https://developer.apple.com/documentation/xctest/xctsourcecodecontext>
public final class XCTSourceCodeContext: NSObject {
  public let location: XCTSourceCodeLocation?
  public init(location: XCTSourceCodeLocation?) { self.location = location }
}

/// <https://developer.apple.com/documentation/xctest/xctissue>
public struct XCTIssue {
  public enum IssueType: Int, Sendable {
    case assertionFailure, thrownError, uncaughtException, performanceRegression, system
  }
  public var type: IssueType
  public var compactDescription: String
  public var sourceCodeContext: XCTSourceCodeContext
}

/// <https://developer.apple.com/documentation/xctest/xctattachment>
open class XCTAttachment: NSObject {
  open var name: String?
  public let string: String
  public init(string: String) { self.string = string }
}

/// Apple's test case reports an issue by `record(_:)`.
open class XCTestCase: LinuxTestCase {
  public private(set) var attachments: [XCTAttachment] = []

  open func record(_ issue: XCTIssue) {
    super.recordFailure(
      withDescription: issue.compactDescription, inFile: issue.sourceCodeContext.location?.fileURL.path ?? "",
      atLine: issue.sourceCodeContext.location?.lineNumber ?? 0, expected: issue.type == .assertionFailure)
  }

  open override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
  ) {
    let location = XCTSourceCodeLocation(fileURL: URL(fileURLWithPath: filePath), lineNumber: lineNumber)
    record(
      XCTIssue(
        type: expected ? .assertionFailure : .thrownError, compactDescription: description,
        sourceCodeContext: XCTSourceCodeContext(location: location)))
  }

  open func add(_ attachment: XCTAttachment) { attachments.append(attachment) }
}
