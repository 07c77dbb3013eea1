import URLLoading

/// Where a redirect leads: pure, by RFC 9110, section 15.4.
enum RedirectPolicy {
  /// How many redirects in a row are followed, as `URLSession` and the Fetch standard do.
  static let limit = 20

  /// The step that an answer asks for.
  enum Decision: Sendable {
    /// It is no redirect.
    case none
    /// The next request, and whether it carries the body again.
    case follow(URLRequest, keepsBody: Bool)
    /// It is a redirect that leads nowhere.
    case fail(URLError)
  }

  static func decision(for head: ResponseHead, to request: URLRequest, followed: Int) -> Decision {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] else { return .none }
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
    // 303 asks for a GET; 301 and 302 turn a POST into a GET, as every client does; 307 and 308 keep all.
    let becomesGet = (head.status == 303 && method != "HEAD") || ([301, 302].contains(head.status) && method == "POST")
    if becomesGet, method != "GET" {
      next.httpMethod = "GET"
      for name in ["Content-Length", "Content-Type", "Content-Encoding", "Content-Language", "Content-Location"] {
        next.setValue(nil, forHTTPHeaderField: name)
      }
      next.httpBody = nil
    }
    // The Cookie header is made anew for the new URL; credentials do not leave their origin (RFC 9110, 15.4, item 4).
    next.setValue(nil, forHTTPHeaderField: "Cookie")
    next.setValue(nil, forHTTPHeaderField: "Host")
    if !sameOrigin(request.url, target) {
      next.setValue(nil, forHTTPHeaderField: "Authorization")
      next.setValue(nil, forHTTPHeaderField: "Proxy-Authorization")
    }
    return .follow(next, keepsBody: !becomesGet)
  }

  /// RFC 9110, 10.2.2: a target without a fragment inherits the one of the request.
  private static func withFragment(of origin: URL?, _ target: URL) -> URL {
    guard target.fragment == nil, let fragment = origin?.fragment,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
    else { return target }
    parts.percentEncodedFragment = fragment
    return parts.url ?? target
  }

  private static func sameOrigin(_ one: URL?, _ other: URL) -> Bool {
    guard let one else { return false }
    return one.scheme?.lowercased() == other.scheme?.lowercased() && one.host?.lowercased() == other.host?.lowercased()
      && Origin.port(of: one) == Origin.port(of: other)
  }
}

/// The place that a URL leads to.
enum Origin {
  static func isSecure(_ url: URL) -> Bool {
    url.scheme?.lowercased() == "https"
  }

  static func port(of url: URL) -> Int {
    url.port ?? (isSecure(url) ? 443 : 80)
  }

  /// Whether a host's name must be looked up: an address and `localhost` need not be.
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

/// A redirect on its way from one hop of an exchange to the next: its cookies are kept in between.
struct Redirect: Sendable {
  let exchange: Int
  /// Which hop it answers.
  let hop: Int
  var decision: RedirectPolicy.Decision
  let head: ResponseHead
  let url: URL?
  let mainDocument: URL?
  let cookies: CookieJar?
  /// The body that a client sends again where it follows redirects itself, since the stream that it gave has been read;
  /// `nil` where the network follows them.
  let body: RequestBody?

  /// Stores the cookies that came with it, and adds cookies and body to the next request.
  ///
  /// The storage may be the client's own, write to disk and tell observers: not to be done under a network's lock.
  mutating func prepare() {
    cookies?.store(head, from: url, mainDocument: mainDocument)
    guard case .follow(var next, let keepsBody) = decision else { return }
    cookies?.apply(to: &next)
    if let body {
      next.httpBodyStream = nil
      if keepsBody { next.httpBody = try? body.load() }
    }
    decision = .follow(next, keepsBody: keepsBody)
  }
}
