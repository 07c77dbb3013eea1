public import URLLoading

extension ResponseHead {
  /// The head of a response that Foundation made; its fields are sorted by name, since Foundation keeps no order.
  public init(_ response: HTTPURLResponse) {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { HeaderField($0, "\(value)") }
    }
    self.init(status: response.statusCode, headers: headers.sorted { $0.name < $1.name })
  }

  /// Whether the body is another on the wire than the client gets.
  package var isEncoded: Bool {
    guard let encoding = self["Content-Encoding"] else { return false }
    return !encoding.isEmpty && !ASCII.equalIgnoringCase(encoding, "identity")
  }

  /// Takes away all fields of this name, without regard to case.
  mutating func remove(_ name: String) {
    headers.removeAll { ASCII.equalIgnoringCase($0.name, name) }
  }

  /// Puts a field in the place of those of this name; cookies, of which there may be several, are added.
  mutating func set(_ field: HeaderField) {
    set([field])
  }

  /// Does so with one field after another, each looked at once.
  mutating func set(_ fields: [HeaderField]) {
    var names: Set<String> = []
    let kept = fields.reversed().filter { field in
      ASCII.equalIgnoringCase(field.name, "Set-Cookie") || names.insert(ASCII.lowercased(field.name)).inserted
    }
    if !names.isEmpty { headers.removeAll { names.contains(ASCII.lowercased($0.name)) } }
    headers += kept.reversed()
  }

  /// The head as `URLSession` hands it to clients.
  ///
  /// Fields of one name are joined by commas (RFC 9110, 5.3).
  func response(for url: URL) -> URLResponse {
    var fields: [String: String] = [:]
    for field in headers {
      // In place: a field that comes ten thousand times is not copied as often.
      if fields[field.name]?.append(", \(field.value)") == nil { fields[field.name] = field.value }
    }
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
      ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
  }
}
