struct Refused: Fault {
  static let key = "refused"
  var requestFault: RequestFault { .refused }
  var words: String { "connection refused" }
  var streamFault: StreamFault? { .refused }
}
