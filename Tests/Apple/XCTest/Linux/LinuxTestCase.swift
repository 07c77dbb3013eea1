// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

public import XCTest

/// XCTest's test case on Linux, under a name that differs from the double's.
public typealias LinuxTestCase = XCTestCase
