/// Sends the response in pieces with pauses: each is shorter than an idle timeout, but together they take too long.
struct Drip: Fault {
  var bytes = 1
  var pause = Duration.zero

  static let key = "drip"
  static let form = FaultForm<Drip>.object(
    "a drip",
    [
      .count("bytes", \.bytes, 1...1_000_000_000, of: "a number of bytes", example: 32), .duration("pause", \.pause),
    ])
  /// After this many pauses, the server sends the rest at once.
  private static let mostPauses = 100

  var requestFault: RequestFault { .drip(bytes: bytes, pause: pause) }
  var words: String { "response drips, \(bytes) bytes and then a pause of \(pause.formatText)" }
  var isOfResponse: Bool { true }

  var problem: String? {
    if bytes < 1 { return "a drip needs at least 1 byte, not \(bytes)" }
    return pause <= .zero ? "a drip needs a pause longer than 0, not \(pause)" : nil
  }

  var streamFaults: [StreamFault] {
    (1...Self.mostPauses).map { .stall(afterBytes: Int64(min(bytes, .max / Self.mostPauses) * $0), duration: pause) }
  }

  var weaker: [RequestFault] { pause.shorter.map { .drip(bytes: bytes, pause: $0) } }
}
