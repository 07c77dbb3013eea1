import NetworkConditions
import URLLoading

/// What a request is looked up by.
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

  /// The same request by another method.
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

  /// What a recorded request has.
  init(_ request: HTTPArchive.Request, names: [String]) {
    values = names.map { name in
      let fields = request.headers.filter { $0.name.lowercased() == name }
      if fields.contains(where: { $0.isRedacted || $0.value == Redaction.placeholder }) { return nil }
      return fields.map(\.value).joined(separator: ", ")
    }
  }

  /// What a request has.
  init(_ request: URLRequest, names: [String]) {
    values = names.map { request.value(forHTTPHeaderField: $0) ?? "" }
  }

  /// Whether any value was redacted.
  var isRedacted: Bool { values.contains { $0 == nil } }

  func matches(_ other: HeaderKey) -> Bool {
    zip(values, other.values).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}
