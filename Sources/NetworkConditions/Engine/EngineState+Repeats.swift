import LinkSimulator
import URLLoading

/// What an HTTP library does by itself about a kept connection that turns out dead.
extension EngineState {
  /// How often one request is sent again (`CONN_MAX_RETRIES` in libcurl's `transfer.c`; nobody says how often Apple's does).
  private static let repetitions = 5

  /// Sends a request again whose kept connection turned out dead before anything came back; says whether it did.
  mutating func repeats(_ exchange: Exchange, after failure: StreamFailure) -> Bool {
    guard [.reset, .truncated, .retransmissionsExhausted].contains(failure), exchange.server.error == nil,
      exchange.transfer.reusedConnection == true, (exchange.answer?.arrived ?? 0) == 0,
      exchange.repetitions < Self.repetitions
    else { return false }
    let hasBody = exchange.upload.size != 0
    switch paths.configuration(of: exchange.path).repeats {
    case .none: return false
    case .idempotent:
      // A body that is still being read cannot be read from its beginning.
      guard exchange.upload.size != nil, HTTPMethods.idempotent.contains(exchange.line.method) else { return false }
    case .bodiless: break
    }
    record(.repeated, of: exchange)
    close(exchange, as: .failed(.networkConnectionLost))
    exchange.repeat(isMute: hasBody && paths.configuration(of: exchange.path).repeats == .bodiless)
    exchange.line = RequestLine(exchange.request, identities: &identities)
    start(exchange)
    return true
  }
}
