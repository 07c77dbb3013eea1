struct Reset: PlacedFault {
  var place = BytePosition.zero
  var direction = Direction.down

  static let key = "reset"
  static let form = FaultForm<Reset>.object(
    "a reset", [.place("after", \.place), .direction("direction", \.direction)])
  var requestFault: RequestFault { .reset(after: place, direction: direction) }
  var words: String { "connection reset \(place.words) \(direction.rawValue)" }

  var isOfResponse: Bool { direction == .down }
  var streamFault: StreamFault? { place.bytes.map { .reset(direction: direction, afterBytes: $0) } }
}
