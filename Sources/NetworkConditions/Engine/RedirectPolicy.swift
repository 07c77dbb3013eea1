import URLLoading

/// Decides where a redirect leads (RFC 9110, section 15.4).
enum RedirectPolicy {
  /// The most redirects in a row, as in `URLSession` and the Fetch standard.
  static let limit = 20

  enum Decision: Sendable {
    case none
    /// Follow the redirect with this request; `keepsBody` sends the body again.
    case follow(URLRequest, keepsBody: Bool)
    /// Fail the request: the redirect has no usable target, or exceeds the limit.
    case fail(URLError)
  }

  static func decision(for head: ResponseHead, to request: URLRequest, followed: Int) -> Decision {
    guard head.isRedirect, let location = head["Location"] else { return .none }
    guard let target = URL(written: location, relativeTo: request.url)?.absoluteURL, let scheme = target.scheme,
      ["http", "https"].contains(scheme.lowercased()), target.host != nil
    else {
      return .fail(
        .simulated(
          .redirectToNonExistentLocation, url: request.url,
          because: "The redirect leads to \"\(Redaction.standard.url(location))\"."))
    }
    guard followed < limit else {
      return .fail(
        .simulated(.httpTooManyRedirects, url: target, because: "More than \(limit) redirects in a row."))
    }
    var next = request
    next.url = withFragment(of: request.url, target)
    let method = (request.httpMethod ?? "GET").uppercased()
    // 303 asks for a GET. 301 and 302 turn a POST into a GET, as every client does. 307 and 308 keep the method.
    let becomesGet =
      (head.status == 303 && !["GET", "HEAD"].contains(method))
      || ([301, 302].contains(head.status) && method == "POST")
    if becomesGet {
      next.httpMethod = "GET"
      for name in ["Content-Length", "Content-Type", "Content-Encoding", "Content-Language", "Content-Location"] {
        next.setValue(nil, forHTTPHeaderField: name)
      }
      next.httpBody = nil
    }
    next.setValue(nil, forHTTPHeaderField: "Host")
    // Credentials stay at their origin (RFC 9110, 15.4, item 4).
    if !sameOrigin(request.url, target) {
      next.setValue(nil, forHTTPHeaderField: "Cookie")
      next.setValue(nil, forHTTPHeaderField: "Authorization")
      next.setValue(nil, forHTTPHeaderField: "Proxy-Authorization")
    }
    return .follow(next, keepsBody: !becomesGet)
  }

  /// Adds the request's fragment to a target without one (RFC 9110, 10.2.2).
  private static func withFragment(of origin: URL?, _ target: URL) -> URL {
    guard target.fragment == nil, let fragment = origin?.fragment,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
    else { return target }
    parts.percentEncodedFragment = fragment
    return parts.url ?? target
  }

  private static func sameOrigin(_ one: URL?, _ other: URL) -> Bool {
    let (one, other) = (ServerAddress(one), ServerAddress(other))
    return one.isSecure == other.isSecure && one.host.lowercased() == other.host.lowercased() && one.port == other.port
  }
}

enum Origin {
  /// Whether a host name needs a look-up; addresses and `localhost` do not.
  static func needsResolution(_ host: String) -> Bool {
    // Most names begin with a letter; an IPv4 address does not, and an IPv6 address has a colon.
    guard let first = host.utf8.first else { return false }
    if first > UInt8(ascii: "9"), !host.utf8.contains(UInt8(ascii: ":")) {
      return !ASCII.equalIgnoringCase(host, "localhost")
    }
    if host.utf8.contains(UInt8(ascii: ":")) { return false }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return !(parts.count == 4 && parts.allSatisfy { UInt8($0) != nil })
  }
}

/// A redirect between two hops of an exchange, while its cookies are stored.
struct PreparedRedirect: Sendable {
  let exchange: Int
  /// The number of the hop whose answer was the redirect.
  let hop: Int
  var decision: RedirectPolicy.Decision
  let head: ResponseHead
  let url: URL?
  let mainDocument: URL?
  let cookies: CookieJar?
  /// The body to send again, because the client's stream has been read; `nil` where the network follows redirects.
  let body: RequestBody?

  /// Stores and adds cookies, which may call observers: never call this under a network's lock.
  mutating func prepare() {
    let stored = cookies?.field(for: url)
    cookies?.store(head, from: url, mainDocument: mainDocument)
    guard case .follow(var next, let keepsBody) = decision else { return }
    // Stored cookies are chosen again for the new URL; a client's own field stays as it is.
    if next.value(forHTTPHeaderField: "Cookie") == stored { next.setValue(nil, forHTTPHeaderField: "Cookie") }
    cookies?.apply(to: &next)
    if let body {
      next.httpBodyStream = nil
      if keepsBody { next.httpBody = try? body.load() }
    }
    decision = .follow(next, keepsBody: keepsBody)
  }
}
