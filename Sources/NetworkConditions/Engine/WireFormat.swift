import URLLoading

/// How many bytes a head takes on the wire.
///
/// HTTP/1.1 (RFC 9112): the start line and every field with its separators. HTTP/2 (RFC 9113, RFC 7541): a 9-byte frame
/// header, one byte for each of the pseudo-header fields that the static table holds, and literals with two bytes of
/// lengths for the rest, without counting on Huffman coding or a filled dynamic table.
package enum WireFormat {
  /// The bytes that `URLSession` adds to a request (User-Agent, Accept, Accept-Encoding, Connection), as measured on
  /// Linux: about 110 bytes.
  static let automaticFieldBytes: Int64 = 110

  static func requestHeadBytes(_ request: URLRequest, _ line: RequestLine) -> Int64 {
    var bytes = Int64(line.method.utf8.count + line.url.utf8.count) + automaticFieldBytes
    bytes += line.version == .http1 ? 20 : 16
    for (name, value) in request.allHTTPHeaderFields ?? [:] { bytes += fieldBytes(name, value, line.version) }
    return bytes
  }

  package static func responseHeadBytes(_ head: ResponseHead, version: StreamRequest.HTTPVersion) -> Int64 {
    // "HTTP/1.1 200 OK", two line ends; or a frame header and the indexed :status.
    var bytes: Int64 = version == .http1 ? 19 : 10
    for field in head.headers { bytes += fieldBytes(field.name, field.value, version) }
    return bytes
  }

  /// Whether a `Connection` field, a list of words, has `close` among them (RFC 9110, 7.6.1).
  static func closes(_ connection: String?) -> Bool {
    connection?.split { ", \t".contains($0) }.contains { ASCII.equalIgnoringCase(String($0), "close") } ?? false
  }

  private static func fieldBytes(_ name: String, _ value: String, _ version: StreamRequest.HTTPVersion) -> Int64 {
    Int64(name.utf8.count + value.utf8.count + (version == .http1 ? 4 : 3))
  }
}

extension ResponseHead {
  /// Whether the server closes an HTTP/1.1 connection after this response.
  var closesConnection: Bool {
    headers.contains { ASCII.equalIgnoringCase($0.name, "Connection") && WireFormat.closes($0.value) }
  }
}
