/// Which requests count as equal to a recorded one: by method and URL, unless told otherwise.
///
/// ```swift
/// let matching = RequestMatching.standard.ignoringQueryItems("ts", "nonce").ignoringOrigin().matchingBody()
/// ```
///
/// URLs are compared as RFC 3986, section 6, makes them alike: the case of scheme and host, a scheme's own port, an
/// empty path, the fragment and needless escapes make no difference. The order of query items does.
public struct RequestMatching: Hashable, Sendable {
  /// The names of query items that make no difference.
  public var ignoredQueryItems: Set<String> = []
  /// Whether the whole query makes no difference.
  public var ignoresQuery = false
  /// Whether scheme, host and port make no difference.
  public var ignoresOrigin = false
  /// Whether the body must be the same.
  public var matchesBody = false
  /// The names of header fields that must be the same, in lower case and in order.
  public private(set) var headers: [String] = []

  /// The same method and the same URL.
  public static let standard = RequestMatching()

  /// Creates the standard matching.
  public init() {}

  /// The same matching, with these query items ignored.
  public func ignoringQueryItems(_ names: String...) -> RequestMatching {
    with { $0.ignoredQueryItems.formUnion(names) }
  }

  /// The same matching, with the whole query ignored.
  public func ignoringQuery() -> RequestMatching {
    with { $0.ignoresQuery = true }
  }

  /// The same matching, with scheme, host and port ignored: a recording of the production server answers for a local one.
  public func ignoringOrigin() -> RequestMatching {
    with { $0.ignoresOrigin = true }
  }

  /// The same, if the bodies are the same to the byte.
  public func matchingBody() -> RequestMatching {
    with { $0.matchesBody = true }
  }

  /// The same, if these header fields have the same values, such as `Range` or `Accept-Language`.
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
