// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import FoundationNetworking

/// What has to be asked of Foundation on Linux under its own names.
enum FoundationCookies {
  static func ephemeral() -> HTTPCookieStorage? {
    FoundationNetworking.URLSessionConfiguration.ephemeral.httpCookieStorage
  }

  static func property(forKey key: String, in request: URLRequest) -> Any? {
    FoundationNetworking.URLProtocol.property(forKey: key, in: request)
  }

  /// Carries a request out in earnest, for sessions that no protocol class of their own wants it from.
  static func load(_ request: URLRequest, _ end: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    -> () -> Void
  {
    let session = FoundationNetworking.URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: request, completionHandler: end)
    task.resume()
    return { task.cancel() }
  }
}
