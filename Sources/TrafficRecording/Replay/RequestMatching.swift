/// Which requests count as equal to a recorded one; by default those with the same method and URL.
///
/// ```swift
/// let matching = RequestMatching.standard.ignoringQueryItems("ts", "nonce").ignoringOrigin().matchingBody()
/// ```
///
/// URLs are normalized first (RFC 3986, section 6). The case of scheme and host, the default port, an empty path, the
/// fragment and unnecessary escapes do not matter. The order of query items does.
public struct RequestMatching: Hashable, Sendable {
  /// The names of query items that do not matter.
  public var ignoredQueryItems: Set<String> = []
  /// Whether the whole query does not matter.
  public var ignoresQuery = false
  /// Whether scheme, host and port do not matter.
  public var ignoresOrigin = false
  /// Whether the body must be the same.
  public var matchesBody = false
  /// The names of the header fields that must be the same, sorted, in lower case.
  public private(set) var headers: [String] = []

  /// Requires the same method and the same URL.
  public static let standard = RequestMatching()

  /// Creates the same matching as ``standard``.
  public init() {}

  /// Returns this matching, but with these query items ignored.
  public func ignoringQueryItems(_ names: String...) -> RequestMatching {
    with { $0.ignoredQueryItems.formUnion(names) }
  }

  /// Returns this matching, but with the whole query ignored.
  public func ignoringQuery() -> RequestMatching {
    with { $0.ignoresQuery = true }
  }

  /// Returns this matching, but with scheme, host and port ignored: then a production recording serves a local client.
  public func ignoringOrigin() -> RequestMatching {
    with { $0.ignoresOrigin = true }
  }

  /// Returns this matching, but with equal bodies required, byte for byte.
  public func matchingBody() -> RequestMatching {
    with { $0.matchesBody = true }
  }

  /// Returns this matching, but with these header fields required to be equal, such as `Range` or `Accept-Language`.
  ///
  /// A field whose value was redacted in the recording matches any value.
  public func matchingHeaders(_ names: String...) -> RequestMatching {
    with { $0.headers = Set(headers).union(names.map { $0.lowercased() }).sorted() }
  }

  private func with(_ change: (inout RequestMatching) -> Void) -> RequestMatching {
    var copy = self
    change(&copy)
    return copy
  }
}
