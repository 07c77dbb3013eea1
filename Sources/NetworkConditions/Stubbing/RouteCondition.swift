import URLLoading

struct RouteCondition: Sendable {
  var method = MethodPattern.any
  var url: URLPattern?
  var query: [URLPattern.QueryItem] = []
  var headers: [URLPattern.QueryItem] = []
  var body: BodyPattern?
  var predicate: (@Sendable (URLRequest) -> Bool)?

  /// The compared values of a condition that has neither a body pattern nor a closure; `nil` for any other condition.
  var key: Key? { isOfHead ? Key(method: method, url: url, query: query, headers: headers) : nil }

  struct Key: Hashable {
    let method: MethodPattern
    let url: URLPattern?
    let query: [URLPattern.QueryItem]
    let headers: [URLPattern.QueryItem]
  }

  /// Whether method and URL match; the result depends on nothing else, so it can be cached.
  func matchesLine(_ method: String, _ parts: URLParts) -> Bool {
    self.method.matches(method) && url?.matches(parts) ?? true && URLPattern.matches(query, parts)
  }

  /// Whether this route surely matches every request that `other` matches; `false` if that cannot be decided.
  func covers(_ other: RouteCondition) -> Bool {
    (method == .any || method == other.method) && (url == nil || other.url.map { url?.covers($0) == true } == true)
      && Set(query).isSubset(of: other.query) && Set(headers).isSubset(of: other.headers) && isOfHead
  }

  var isOfHead: Bool { body == nil && predicate == nil }

  var hasClosure: Bool { predicate != nil || body?.isClosure == true }

  /// Whether the request's headers and body match, and the closure returns `true`.
  func matchesRest(_ request: TransportRequest) -> Bool {
    (headers.isEmpty || matchesHeaders(request)) && body?.matches(request.body) ?? true
      && predicate?(request.request) ?? true
  }

  private func matchesHeaders(_ request: TransportRequest) -> Bool {
    headers.allSatisfy { wanted in
      request.request.value(forHTTPHeaderField: wanted.name).map(wanted.value.matches) ?? false
    }
  }

  /// The mismatching parts of a request, one word each, for the error that lists the routes.
  func mismatches(_ request: TransportRequest, _ method: String, _ parts: URLParts) -> [String] {
    var result = url?.mismatches(parts) ?? []
    if !self.method.matches(method) { result.append("method") }
    if !URLPattern.matches(query, parts) { result.append("query") }
    if !matchesHeaders(request) { result.append("headers") }
    if let body, !body.matches(request.body) { result.append("body") }
    if let predicate, !predicate(request.request) { result.append("closure") }
    return result
  }

  func text(_ redaction: Redaction) -> String {
    var text = method == .any && url != nil ? "" : "\(method) "
    text += (url?.description).map(redaction.url) ?? "any URL"
    if !query.isEmpty {
      text += " with \(redaction.url(query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")))"
    }
    if !headers.isEmpty {
      let fields = redaction.headers(headers.map { HeaderField($0.name, "\($0.value)") })
      text += " with \(fields.map { "\($0.name): \($0.value)" }.joined(separator: ", "))"
    }
    if let body { text += " with \(redaction.text(body.description))" }
    if predicate != nil { text += " that a closure accepts" }
    return text
  }
}
