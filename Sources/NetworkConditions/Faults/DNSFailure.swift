struct DNSFailure: Fault {
  static let key = "dnsFailure"
  var requestFault: RequestFault { .dnsFailure }
  var words: String { "name does not resolve" }
  func canHappen(to line: RequestLine) -> Bool { line.server.needsResolution }
  var streamFault: StreamFault? { .resolutionFailure }
}
