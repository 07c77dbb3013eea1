import URLLoading

/// Computes the size of message heads on the wire.
///
/// HTTP/1.1 (RFC 9112) has the start line and every field with its separators. HTTP/2 (RFC 9113) compresses a request's
/// head (``HeaderCompression``), and a response's as nginx does. HTTP/3 has a frame header and a literal for each field
/// with 3 bytes of overhead, without Huffman coding or a dynamic table.
package enum WireFormat {
  /// The bytes of the fields that `URLSession` adds to a request (User-Agent, Accept, Accept-Encoding, Connection),
  /// measured on Linux.
  static let automaticFieldBytes: Int64 = 110
  /// The fields that `URLSession` adds in HTTP/2 (Swift 6.3, libcurl 7.88, a program with a short name).
  private static let automaticFields = [
    HeaderField("accept", "*/*"), HeaderField("accept-encoding", "deflate, gzip, br, zstd"),
    HeaderField("accept-language", "en"), HeaderField("user-agent", "app (unknown version) curl/7.88.1"),
  ]
  /// The fields that only HTTP/1.1 has (RFC 9113, section 8.2.2).
  private static let connectionFields: Set<String> = [
    "connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
  ]
  /// The size of a frame's header (RFC 9113, section 4.1).
  static let frameHeadBytes: Int64 = 9

  /// The size of a request's head in HTTP/1.1 or HTTP/3.
  static func requestHeadBytes(_ request: URLRequest, _ line: RequestLine) -> Int64 {
    var bytes = Int64(line.method.utf8.count + line.url.utf8.count) + automaticFieldBytes
    bytes += line.version == .http1 ? 20 : 16
    for (name, value) in request.allHTTPHeaderFields ?? [:] { bytes += fieldBytes(name, value, line.version) }
    return bytes
  }

  /// The fields of a request's head in HTTP/2, in a fixed order.
  static func requestFields(_ request: URLRequest, _ line: RequestLine) -> [HeaderField] {
    let server = line.server
    var fields = [
      HeaderField(":method", line.method), HeaderField(":path", target(line.url)), HeaderField(":scheme", "https"),
      HeaderField(":authority", server.port == 443 ? server.host : "\(server.host):\(server.port)"),
    ]
    var own = (request.allHTTPHeaderFields ?? [:]).map { HeaderField(ASCII.lowercased($0.key), $0.value) }
    own.removeAll { connectionFields.contains($0.name) }
    own += automaticFields.filter { automatic in !own.contains { $0.name == automatic.name } }
    fields += own.sorted { $0.name < $1.name }
    return fields
  }

  private static func target(_ url: String) -> String {
    let behindScheme = url.utf8.dropFirst("https://".utf8.count)
    guard let start = behindScheme.firstIndex(where: { "/?#".utf8.contains($0) }) else { return "/" }
    let target = String(url[start...].prefix { $0 != "#" })
    return target.hasPrefix("/") ? target : "/" + target
  }

  package static func responseHeadBytes(_ head: ResponseHead, version: StreamRequest.HTTPVersion) -> Int64 {
    if version == .http2 { return compressedBytes(head) }
    // "HTTP/1.1 200 OK", two line ends; or a frame header and the indexed :status.
    var bytes: Int64 = version == .http1 ? 19 : 10
    for field in head.headers { bytes += fieldBytes(field.name, field.value, version) }
    return bytes
  }

  /// The size of a response's head as nginx writes it, without a dynamic table (`ngx_http_v2_header_filter`).
  private static func compressedBytes(_ head: ResponseHead) -> Int64 {
    var bytes = frameHeadBytes + (indexedStatuses.contains(head.status) ? 1 : 5)
    for field in head.headers {
      let name = ASCII.lowercased(field.name)
      if connectionFields.contains(name) { continue }
      // nginx writes the length as digits, preceded by one byte for their number.
      let value = name == "content-length" ? 1 + field.value.utf8.count : HeaderText.bytes(field.value)
      bytes += Int64(1 + (indexedNames.contains(name) ? 0 : HeaderText.bytes(name)) + value)
    }
    return bytes
  }

  private static let indexedStatuses: Set<Int> = [200, 204, 206, 304, 400, 404, 500]
  private static let indexedNames: Set<String> = [
    "content-length", "content-type", "date", "last-modified", "location", "server", "vary",
  ]

  /// Whether a `Connection` field contains the option `close` (RFC 9110, 7.6.1).
  static func closes(_ connection: String?) -> Bool {
    connection?.split { ", \t".contains($0) }.contains { ASCII.equalIgnoringCase(String($0), "close") } ?? false
  }

  private static func fieldBytes(_ name: String, _ value: String, _ version: StreamRequest.HTTPVersion) -> Int64 {
    Int64(name.utf8.count + value.utf8.count + (version == .http1 ? 4 : 3))
  }
}

extension ResponseHead {
  var closesConnection: Bool {
    headers.contains { ASCII.equalIgnoringCase($0.name, "Connection") && WireFormat.closes($0.value) }
  }
}
