// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import FoundationNetworking

/// What has to be asked of Foundation on Linux under its own names.
enum FoundationCookies {
  static func ephemeral() -> HTTPCookieStorage? {
    FoundationNetworking.URLSessionConfiguration.ephemeral.httpCookieStorage
  }
}
