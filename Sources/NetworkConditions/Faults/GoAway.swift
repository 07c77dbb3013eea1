/// The server stops accepting requests on the connection and serves only earlier ones (GOAWAY, RFC 9113, section 6.8).
///
/// Has no effect without TLS, because only HTTP/2 has it.
struct GoAway: Fault {
  static let key = "goAway"
  var requestFault: RequestFault { .goAway }
  var words: String { "server goes away before this request" }
  func canHappen(to line: RequestLine) -> Bool { line.version != .http1 }
  var streamFault: StreamFault? { .goAway }
}
