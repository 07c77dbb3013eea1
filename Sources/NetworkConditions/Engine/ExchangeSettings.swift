import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a client wants of one exchange, beside the request itself.
struct ExchangeSettings: Sendable {
  /// How long nothing may arrive; `nil` for ever.
  var idleTimeout: Duration?
  /// How long all of it may take; `nil` for ever.
  var resourceTimeout: Duration?
  /// Whether redirects are followed here, or handed to the client.
  var followsRedirects = true
  /// Which of a network's clients asks, when they are told apart.
  var client: Int?
  /// Where cookies are kept; `nil` when they are not.
  var cookies: CookieJar?

  /// A `TimeInterval` as a duration; what is not a positive number is no timeout, as in `URLSession`.
  static func timeout(_ seconds: TimeInterval) -> Duration? {
    guard seconds > 0, seconds < 1e9 else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}

/// The cookie storage of a session, with the session's own policy.
///
/// Foundation on Linux sends the cookies of a session's storage but never stores what a custom protocol brings, so that
/// is done here; on Apple platforms the URL loading system does both.
struct CookieJar: @unchecked Sendable {
  // HTTPCookieStorage locks itself, on every platform.
  let storage: HTTPCookieStorage
  let sends: Bool

  func store(_ head: ResponseHead, from url: URL?, mainDocument: URL?) {
    guard let url, storage.cookieAcceptPolicy != .never else { return }
    for field in head.headers where ASCII.equalIgnoringCase(field.name, "Set-Cookie") {
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.value], for: url)
      storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
    }
  }

  func apply(to request: inout URLRequest) {
    guard sends, request.value(forHTTPHeaderField: "Cookie") == nil, let url = request.url,
      let cookies = storage.cookies(for: url), !cookies.isEmpty
    else { return }
    for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }
}
