/// The word of a gRPC server about further attempts, `grpc-retry-pushback-ms` (gRPC proposal A6, "Pushback").
enum Pushback: Hashable {
  /// The header is not there.
  case none
  /// Try again after exactly this time.
  case retry(after: Duration)
  /// Do not try again: the value is negative, or no 32-bit number without needless zeros.
  case stop

  /// Reads the header of an attempt's response.
  init(_ attempt: RetryAttempt) {
    guard case .response(let head) = attempt.outcome, let value = head.header("grpc-retry-pushback-ms") else {
      self = .none
      return
    }
    guard let milliseconds = Int32(value), milliseconds >= 0, String(milliseconds) == value else {
      self = .stop
      return
    }
    self = .retry(after: .milliseconds(Int64(milliseconds)))
  }
}
