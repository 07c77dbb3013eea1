import LinkSimulator
import URLLoading

/// An HTTP library's automatic retries, after a reused connection was dead or the server did not process the request.
extension EngineState {
  /// How often one request is sent again (`CONN_MAX_RETRIES` in libcurl's `transfer.c`; Apple's limit is not documented).
  private static let repetitions = 5

  /// Sends a request again if the server did not process it, or its reused connection was dead; returns whether it did.
  mutating func repeats(_ exchange: Exchange, after failure: StreamFailure) -> Bool {
    let isDead =
      [.reset, .truncated, .retransmissionsExhausted].contains(failure) && exchange.transfer.reusedConnection == true
    // A request that the server did not process may be sent again, whatever its method (RFC 9113, section 8.7).
    let isHarmless = failure == .notServed || HTTPMethods.idempotent.contains(exchange.line.method)
    guard isDead || failure == .notServed, exchange.server.error == nil, (exchange.answer?.arrived ?? 0) == 0,
      exchange.repetitions < Self.repetitions
    else { return false }
    let hasBody = exchange.upload.size != 0
    switch paths.configuration(of: exchange.path).repeats {
    case .none: return false
    case .idempotent:
      // A stream that is still being read cannot be read again from its beginning.
      guard exchange.upload.size != nil, isHarmless else { return false }
    case .bodiless: break
    }
    record(.repeated, of: exchange)
    close(exchange, as: .failed(.networkConnectionLost))
    let isMute = hasBody && paths.configuration(of: exchange.path).repeats == .bodiless
    exchange.repeat(isMute ? .withoutBody : .whole)
    exchange.line = RequestLine(exchange.request, identities: &identities)
    start(exchange)
    return true
  }
}
