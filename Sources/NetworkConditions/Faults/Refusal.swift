struct Refusal: Fault {
  static let kind = FaultKind.refused
  var requestFault: RequestFault { .refused }
  var words: String { "connection refused" }
  var streamFault: StreamFault? { .refused }
}
