// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import FoundationNetworking

/// Reaches Foundation's configuration on Linux, which has the same name as the double.
enum FoundationCookies {
  static func ephemeral() -> HTTPCookieStorage? {
    FoundationNetworking.URLSessionConfiguration.ephemeral.httpCookieStorage
  }
}
