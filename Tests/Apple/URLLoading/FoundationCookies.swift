// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import FoundationNetworking

/// Calls to Linux's Foundation under its own names.
enum FoundationCookies {
  static func ephemeral() -> HTTPCookieStorage? {
    FoundationNetworking.URLSessionConfiguration.ephemeral.httpCookieStorage
  }
}
