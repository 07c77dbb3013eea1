public import URLLoading

/// Selects the requests for a rule or a fault, by host, path, scheme, method, URL and, for faults, occurrence.
///
/// A `nil` member matches everything.
public struct RequestMatch: Hashable, Sendable {
  /// A pattern for the host, such as `*.cdn.example`; ignores case.
  public var host: Glob? { didSet { host = host.map { Glob(host: $0.description) } } }
  /// A pattern for the path, such as `/pay` or `/files/**`; `%20` stands for a space, and `%2A` for a star.
  public var path: Glob? { didSet { path = path.map { Glob(decoding: $0.description) } } }
  /// The URL's scheme, `http` or `https`; ignores case.
  public var scheme: String? { didSet { scheme = scheme?.lowercased() } }
  /// The request's method; ignores case.
  public var method: String? { didSet { method = method?.uppercased() } }
  /// Selects one request: its number, from 1, among those that match the other members; `nil` selects all.
  public var nth: Int?
  /// The exact URL with its query, or that URL without secrets.
  public var url: String?

  /// Matches every request.
  public static let any = RequestMatch()

  /// Creates a match.
  public init(
    host: Glob? = nil, path: Glob? = nil, scheme: String? = nil, method: String? = nil, nth: Int? = nil,
    url: String? = nil
  ) {
    self.host = host.map { Glob(host: $0.description) }
    self.path = path.map { Glob(decoding: $0.description) }
    self.scheme = scheme?.lowercased()
    self.method = method?.uppercased()
    self.nth = nth
    self.url = url
  }

  /// Whether a request matches, regardless of ``nth``.
  public func matches(_ request: URLRequest) -> Bool { matches(request, shownAs: nil) }

  func matches(_ request: URLRequest, shownAs shownURL: String?) -> Bool {
    if let method, method != (request.httpMethod ?? "GET").uppercased() { return false }
    if let url, url != shownURL, url != request.url?.absoluteString { return false }
    if let scheme, scheme != request.url?.scheme?.lowercased() { return false }
    if let host, !host.matches(request.url?.host ?? "") { return false }
    if let path {
      let given = request.url?.decodedPath ?? ""
      // `URL.path` lacks the slash at the end.
      guard
        path.matches(given.isEmpty ? "/" : given)
          || given.utf8.count > 1 && request.url?.hasDirectoryPath == true && path.matches("\(given)/")
      else { return false }
    }
    return true
  }
}
