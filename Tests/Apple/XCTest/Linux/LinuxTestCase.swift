// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

public import XCTest

/// The test case of XCTest on Linux, under a name that is not that of the double.
public typealias LinuxTestCase = XCTestCase
