import Internals
import LinkSimulator
import URLLoading

struct ExchangeSettings: Sendable {
  /// The longest time without a byte; `nil` for no limit.
  var idleTimeout: Duration?
  /// The longest time of the whole exchange; `nil` for no limit.
  var resourceTimeout: Duration?
  var waitsForConnectivity = false
  /// Whether the network follows redirects itself, or hands them to the client.
  var followsRedirects = true
  /// The redirects that the client has followed before this request.
  var redirects = 0
  /// When the first request of this chain of redirects began; `nil` if this request is the first.
  var begun: SimulatedInstant?
  /// Whether the client gets the body only at its end; set only if contents are recorded.
  var takesWhole = false
  /// The number of the client, if the test numbers its clients (``SimulatedNetwork/client(_:)``).
  var client: Int?
  /// The simulation's sessions, if a session makes the request.
  var sessions: SimulatedSessions?
  /// The cookie storage; `nil` if cookies are not stored.
  var cookies: CookieJar?

  /// Converts a `TimeInterval`; like `URLSession`, takes 0, negative and huge values as no timeout.
  static func timeout(_ seconds: TimeInterval) -> Duration? {
    guard seconds > 0, seconds < 1e9 else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}

/// The cookie storage of a session, with the session's own policy.
///
/// No URL loading system stores the cookies of a custom protocol's responses. Apple's does not send stored ones, either.
final class CookieJar: @unchecked Sendable {
  let sends: Bool
  // HTTPCookieStorage is thread-safe on every platform.
  private let given: HTTPCookieStorage?
  private let own = Mutex<HTTPCookieStorage?>(nil)
  /// The latest cookie stored for each name, domain and path, with the one that the storage had first; `nil` if not
  /// kept.
  private let stored: Mutex<[(cookie: HTTPCookie, former: HTTPCookie?)]?>

  /// Creates a jar; without a `storage` the first cookie makes one, which costs more than a hundred requests.
  init(storage: HTTPCookieStorage?, sends: Bool, remembers: Bool = false) {
    given = storage
    self.sends = sends
    stored = Mutex(remembers ? [] : nil)
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
      guard let storage = storage() else { return }
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.value], for: url)
      for cookie in cookies { remember(cookie, in: storage) }
      storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
    }
  }

  /// Restores the storage's earlier cookies, except those that other code has changed since.
  func restore() {
    guard let given, let stored = stored.withLock({ $0.take() }) else { return }
    for (cookie, former) in stored {
      let present = given.cookies?.first { Self.areOfOnePlace($0, cookie) }
      guard present == nil || present == cookie else { continue }
      given.deleteCookie(cookie)
      if let former { given.setCookie(former) }
    }
  }

  private func remember(_ cookie: HTTPCookie, in storage: HTTPCookieStorage) {
    stored.withLock { stored in
      guard let known = stored else { return }
      if let index = known.firstIndex(where: { Self.areOfOnePlace($0.cookie, cookie) }) {
        stored?[index].cookie = cookie
      } else {
        stored?.append((cookie, storage.cookies?.first { Self.areOfOnePlace($0, cookie) }))
      }
    }
  }

  private static func areOfOnePlace(_ one: HTTPCookie, _ other: HTTPCookie) -> Bool {
    (one.name, one.domain, one.path) == (other.name, other.domain, other.path)
  }

  func apply(to request: inout URLRequest) {
    guard request.value(forHTTPHeaderField: "Cookie") == nil, let field = field(for: request.url) else { return }
    request.setValue(field, forHTTPHeaderField: "Cookie")
  }

  /// The `Cookie` field of the stored cookies for a URL; `nil` if there are none.
  func field(for url: URL?) -> String? {
    guard sends, let url, let cookies = existing?.cookies(for: url), !cookies.isEmpty else { return nil }
    return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
  }
}
