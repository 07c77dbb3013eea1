/// The server abandons the request after a number of bytes of the response (RST_STREAM, RFC 9113, section 6.4).
///
/// Has no effect without TLS, because only HTTP/2 has it.
struct ResetStream: PlacedFault {
  var place = BytePosition.zero

  static let key = "resetStream"
  static let form = FaultForm<ResetStream>.object("a reset of a stream", [.place("after", \.place)])
  var requestFault: RequestFault { .resetStream(after: place) }
  var words: String { "stream reset \(place.words) down" }
  func canHappen(to line: RequestLine) -> Bool { line.version != .http1 }
  var streamFault: StreamFault? { place.bytes.map { .streamReset(afterBytes: $0) } }
}
