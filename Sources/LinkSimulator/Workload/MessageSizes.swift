/// Measured sizes in bytes of the heads that a simple client and nginx 1.22 write.
enum MessageSizes {
  /// Bytes of `100 Continue`; `uploadResponse` is the whole response to a PUT.
  static let goOn: Int64 = 25
  static let uploadResponse: Int64 = 110
  /// Bytes of an HTTP/2 HEADERS frame: a connection's first request, a later one, and a response.
  ///
  /// Later requests are shorter by HPACK's dynamic table (RFC 7541, section 2.3.2). HTTP/3's are not: curl and Caddy use no
  /// dynamic table of QPACK (RFC 9204, section 3.2).
  static let firstShortHead: Int64 = 81
  static let laterShortHead: Int64 = 24
  static let shortResponseHead: Int64 = 127

  /// Bytes of an HTTP/1.1 request's head.
  static func head(of request: WorkloadScenario.Request) -> Int64 {
    let path = Int64(request.path.utf8.count)
    guard request.method == .put else { return 137 + path }
    return 153 + path + digits(request.requestBytes) + (request.expects ? 23 : 0)
  }

  /// Bytes of an HTTP/1.1 response's head.
  ///
  /// The head includes the body's length twice: in decimal, and in hexadecimal in the `ETag` (`ngx_http_set_etag`).
  static func responseHead(of request: WorkloadScenario.Request) -> Int64 {
    let tag = Int64(String(request.responseBytes, radix: 16).utf8.count)
    return 247 + digits(request.responseBytes) + tag + (request.closes ? -5 : 0)
  }

  /// Bytes that `Connection: close` adds to a request.
  static let close: Int64 = 19

  private static func digits(_ count: Int64) -> Int64 { Int64(String(count).utf8.count) }
}
