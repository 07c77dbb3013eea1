struct Stall: PlacedFault {
  var place = BytePosition.zero
  var duration: Duration?

  static let key = "stall"
  static let form = FaultForm<Stall>.object(
    "a stall", [.place("after", \.place), .duration("for", \.duration, of: "a stall")])
  var requestFault: RequestFault { .stall(after: place, duration: duration) }
  var words: String { "response stalls \(place.words) \(duration.map { "for \($0.formatText)" } ?? "for ever")" }

  var problem: String? {
    duration.flatMap { $0.wholeNanoseconds <= 0 ? "a stall cannot last \($0)" : nil }
  }

  var streamFault: StreamFault? { place.bytes.map { .stall(afterBytes: $0, duration: duration) } }
  var weaker: [RequestFault] { Duration.shorter(than: duration).map { .stall(after: place, duration: $0) } }
}
