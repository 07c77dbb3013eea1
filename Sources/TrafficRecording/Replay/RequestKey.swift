import NetworkConditions
import URLLoading

/// The key by which a request is looked up.
struct RequestKey: Hashable {
  private(set) var method: String
  let url: String
  /// `nil` where bodies make no difference.
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

/// The values of the header fields that must be the same, in the order of their names.
struct HeaderKey: Hashable {
  /// `nil` where a value was redacted: any is right.
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
    zip(values, other.values).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}

/// Finds requests of which something was left out in an archive: the same is left out of the one that comes.
struct RedactedRequests {
  private let redaction: Redaction
  private let matching: RequestMatching

  /// - Parameter names: under which something was left out, as ``maskedNames(_:_:_:)`` finds them.
  init(names: Set<String>, matching: RequestMatching) {
    redaction = .standard.adding(names)
    self.matching = matching
  }

  /// The names under which something was left out of a request; `nil` when it is whole.
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
