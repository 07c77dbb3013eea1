public import URLLoading

extension ResponseHead {
  /// Creates the head of a Foundation response, with fields sorted by name, because Foundation keeps no order.
  public init(_ response: HTTPURLResponse) {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { HeaderField($0, "\(value)") }
    }
    self.init(status: response.statusCode, headers: headers.sorted { $0.name < $1.name })
  }

  /// Whether the body has a content coding, so that its bytes on the wire differ from the client's.
  package var isEncoded: Bool {
    guard let encoding = self["Content-Encoding"] else { return false }
    return !encoding.isEmpty && !ASCII.equalIgnoringCase(encoding, "identity")
  }

  mutating func remove(_ name: String) {
    headers.removeAll { ASCII.equalIgnoringCase($0.name, name) }
  }

  /// Sets a field, and removes others of its name; `Set-Cookie` fields are added.
  mutating func set(_ field: HeaderField) {
    set([field])
  }

  /// Sets fields in order; the last of each name counts, and `Set-Cookie` fields are added.
  mutating func set(_ fields: [HeaderField]) {
    var names: Set<String> = []
    let kept = fields.reversed().filter { field in
      ASCII.equalIgnoringCase(field.name, "Set-Cookie") || names.insert(ASCII.lowercased(field.name)).inserted
    }
    if !names.isEmpty { headers.removeAll { names.contains(ASCII.lowercased($0.name)) } }
    headers += kept.reversed()
  }

  /// The head as `URLSession` hands it to clients; fields of one name are joined by commas (RFC 9110, 5.3).
  func response(for url: URL) -> URLResponse {
    var fields: [String: String] = [:]
    var names: [String: String] = [:]
    for field in headers {
      let name = names[ASCII.lowercased(field.name), default: field.name]
      names[ASCII.lowercased(field.name)] = name
      // Append in place, so that a field with ten thousand values is not copied for each.
      if fields[name]?.append(", \(field.value)") == nil { fields[name] = field.value }
    }
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
      ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
  }
}
