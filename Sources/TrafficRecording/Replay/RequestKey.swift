import NetworkConditions
import URLLoading

struct RequestKey: Hashable {
  private(set) var method: String
  let url: String
  /// The request's body; `nil` where bodies do not matter.
  var body: Data?

  init(method: String, url: URLText, body: Data?, matching: RequestMatching) {
    self.method = method.uppercased()
    var text = matching.ignoresOrigin ? url.path : url.origin + url.path
    if !matching.ignoresQuery, let query = url.query(without: matching.ignoredQueryItems) { text += "?\(query)" }
    self.url = text
    self.body = matching.matchesBody ? body ?? Data() : nil
  }

  func with(method: String) -> RequestKey {
    var key = self
    key.method = method
    return key
  }
}

/// The values of the header fields that must match, in the order of their names.
struct HeaderKey: Hashable {
  /// The values; `nil` for a redacted one, which matches any value.
  private let values: [String?]

  init(_ request: HTTPArchive.Request, names: [String]) {
    values = names.map { name in
      let fields = request.headers.filter { $0.name.lowercased() == name }
      if fields.contains(where: { $0.isRedacted || $0.value == Redaction.placeholder }) { return nil }
      return fields.map(\.value).joined(separator: ", ")
    }
  }

  init(_ request: URLRequest, names: [String]) {
    values = names.map { request.value(forHTTPHeaderField: $0) ?? "" }
  }

  var isRedacted: Bool { values.contains { $0 == nil } }

  func matches(_ other: HeaderKey) -> Bool {
    zip(values, other.values).allSatisfy { $0 == nil || $0 == $1 }
  }
}

/// Finds requests that were redacted in the archive, by redacting the incoming request in the same way.
struct RedactedRequests {
  private let redaction: Redaction
  private let matching: RequestMatching

  /// - Parameter names: the names whose values were left out, from ``maskedNames(_:_:_:)``.
  init(names: Set<String>, matching: RequestMatching) {
    redaction = .standard.adding(names)
    self.matching = matching
  }

  /// The names whose values were left out of a recorded request; `nil` when nothing was.
  static func maskedNames(_ url: String, _ body: Data?, _ mediaType: String?) -> Set<String>? {
    let inURL = Redaction.standard.maskedNames(inURL: url)
    let inBody = body.map { Redaction.standard.maskedNames(in: $0, mediaType: mediaType) } ?? []
    return inURL == nil && inBody.isEmpty ? nil : inBody.union(inURL ?? [])
  }

  func key(_ method: String, _ url: String, _ body: Data?, _ mediaType: String?) -> RequestKey {
    RequestKey(
      method: method, url: URLText(redaction.url(url)),
      body: body.map { redaction.canonical($0, mediaType: mediaType) }, matching: matching)
  }
}
