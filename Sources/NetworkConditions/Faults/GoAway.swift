/// The server takes the request's connection out of service, and serves those before it to their end (GOAWAY, RFC 9113,
/// section 6.8); only HTTP/2 has that: nothing happens to a request without TLS.
struct GoAway: Fault {
  static let kind = FaultKind.goAway
  var requestFault: RequestFault { .goAway }
  var words: String { "server goes away before this request" }
  func canHappen(to line: RequestLine) -> Bool { line.version != .http1 }
  var streamFault: StreamFault? { .goAway }
}
