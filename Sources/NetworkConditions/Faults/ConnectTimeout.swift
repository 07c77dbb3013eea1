struct ConnectTimeout: Fault {
  static let key = "connectTimeout"
  var requestFault: RequestFault { .connectTimeout }
  var words: String { "connection never answered" }
  var streamFault: StreamFault? { .unreachable }
}
