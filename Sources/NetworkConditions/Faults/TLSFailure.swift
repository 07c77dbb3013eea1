struct TLSFailure: Fault {
  static let key = "tlsFailure"
  var requestFault: RequestFault { .tlsFailure }
  var words: String { "TLS handshake fails" }
  func canHappen(to line: RequestLine) -> Bool { line.server.isSecure }
  var streamFault: StreamFault? { .handshakeFailure }
}
