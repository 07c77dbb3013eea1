// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

public import XCTest

/// Linux's test case of XCTest, under another name than the double's.
public typealias LinuxTestCase = XCTestCase
