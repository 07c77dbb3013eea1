/// The server takes the connection of the request out of service: it serves those before it to their end, and neither this
/// one nor any after it (GOAWAY, RFC 9113, section 6.8).
///
/// Only HTTP/2 has that; nothing happens to a request without TLS, which travels by HTTP/1.1.
struct GoAway: Fault {
  static let kind = FaultKind.goAway
  var requestFault: RequestFault { .goAway }
  var words: String { "server goes away before this request" }
  func canHappen(to line: RequestLine) -> Bool { line.version != .http1 }
  var streamFault: StreamFault? { .goAway }
}
