import Internals
import URLLoading

/// A client's wishes for one exchange, beside the request itself.
struct ExchangeSettings: Sendable {
  /// How long nothing may arrive; `nil` for ever.
  var idleTimeout: Duration?
  /// How long all of it may take; `nil` for ever.
  var resourceTimeout: Duration?
  /// Whether a request that finds the system offline waits until it is not.
  var waitsForConnectivity = false
  /// Whether redirects are followed here, or handed to the client.
  var followsRedirects = true
  /// Whether the client gets nothing of a body before its end; looked up only where contents are written down.
  var takesWhole = false
  /// Which of a network's clients asks, when they are told apart.
  var client: Int?
  /// The sessions of the simulation that it belongs to, where a session asks.
  var sessions: SimulatedSessions?
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
/// No URL loading system stores the cookies that a custom protocol brings, and Apple's does not send those it has, either.
final class CookieJar: @unchecked Sendable {
  let sends: Bool
  // HTTPCookieStorage locks itself, on every platform.
  private let given: HTTPCookieStorage?
  private let own = Mutex<HTTPCookieStorage?>(nil)

  /// Creates a jar.
  ///
  /// - Parameter storage: where cookies are kept; a storage of its own, made with the first cookie that comes, when `nil`:
  ///   only an ephemeral configuration has one to give, and making that costs more than a hundred requests.
  init(storage: HTTPCookieStorage?, sends: Bool) {
    given = storage
    self.sends = sends
  }

  private var existing: HTTPCookieStorage? { given ?? own.withLock { $0 } }

  private func storage() -> HTTPCookieStorage? {
    if let given { return given }
    return own.withLock { own in
      if own == nil { own = URLSessionConfiguration.ephemeral.httpCookieStorage }
      return own
    }
  }

  func store(_ head: ResponseHead, from url: URL?, mainDocument: URL?) {
    guard let url else { return }
    for field in head.headers where ASCII.equalIgnoringCase(field.name, "Set-Cookie") {
      guard let storage = storage(), storage.cookieAcceptPolicy != .never else { return }
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.value], for: url)
      storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
    }
  }

  func apply(to request: inout URLRequest) {
    guard sends, request.value(forHTTPHeaderField: "Cookie") == nil, let url = request.url,
      let cookies = existing?.cookies(for: url), !cookies.isEmpty
    else { return }
    for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }
}
