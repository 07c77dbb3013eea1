/// The sizes of the heads that a plain client and nginx 1.22 write, as they were measured.
enum MessageSizes {
  /// `100 Continue`, and the whole response to a PUT.
  static let goOn: Int64 = 25
  static let uploadResponse: Int64 = 110
  /// A HEADERS frame of HTTP/2 with its head: the first of a connection, whose fields HPACK's dynamic table then knows
  /// (RFC 7541, section 2.3.2), and a later one; and the server's.
  static let firstShortHead: Int64 = 81
  static let laterShortHead: Int64 = 24
  static let shortResponseHead: Int64 = 127

  /// The head of a request of HTTP/1.1.
  static func head(of request: WorkloadScenario.Request) -> Int64 {
    let path = Int64(request.path.utf8.count)
    guard request.method == .put else { return 137 + path }
    return 153 + path + digits(request.requestBytes) + (request.expects ? 23 : 0)
  }

  /// The head of a response of HTTP/1.1 with a body.
  ///
  /// Its length stands there twice: in decimal digits, and in hexadecimal ones as a part of the `ETag`
  /// (`ngx_http_set_etag`).
  static func responseHead(of request: WorkloadScenario.Request) -> Int64 {
    let tag = Int64(String(request.responseBytes, radix: 16).utf8.count)
    return 247 + digits(request.responseBytes) + tag + (request.closes ? -5 : 0)
  }

  /// The difference that `Connection: close` makes to a request.
  static let close: Int64 = 19

  private static func digits(_ count: Int64) -> Int64 { Int64(String(count).utf8.count) }
}
