public import URLLoading

/// Which requests a rule or a fault is meant for: by host, path, scheme, method and, for faults, by their occurrence.
///
/// A member that is left out matches everything.
public struct RequestMatch: Hashable, Sendable {
  /// A pattern of the host's name, without regard to case, such as `*.cdn.example`.
  public var host: Glob?
  /// A pattern of the path, such as `/pay` or `/files/**`.
  public var path: Glob?
  /// The scheme of the URL, `http` or `https`, without regard to case.
  public var scheme: String?
  /// The method, without regard to case.
  public var method: String?
  /// Which of the requests that match otherwise is meant, counted from 1; `nil` is each.
  public var nth: Int?
  /// The whole URL, with its query, to the letter, or as texts show it; `nil` is any.
  public var url: String?

  /// A match for every request.
  public static let any = RequestMatch()

  /// Creates a match; `host` ignores case from here on.
  public init(
    host: Glob? = nil, path: Glob? = nil, scheme: String? = nil, method: String? = nil, nth: Int? = nil,
    url: String? = nil
  ) {
    self.host = host.map { Glob(host: $0.description) }
    self.path = path
    self.scheme = scheme?.lowercased()
    self.method = method?.uppercased()
    self.nth = nth
    self.url = url
  }

  /// Whether a request matches, apart from its occurrence.
  public func matches(_ request: URLRequest) -> Bool { matches(request, shownAs: nil) }

  func matches(_ request: URLRequest, shownAs shownURL: String?) -> Bool {
    if let method, method != (request.httpMethod ?? "GET").uppercased() { return false }
    if let url, url != shownURL, url != request.url?.absoluteString { return false }
    if let scheme, scheme != request.url?.scheme?.lowercased() { return false }
    if let host, !host.matches(request.url?.host ?? "") { return false }
    if let path {
      let given = request.url?.path ?? ""
      if !path.matches(given.isEmpty ? "/" : given) { return false }
    }
    return true
  }
}
