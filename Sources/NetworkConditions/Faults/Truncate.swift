struct Truncate: PlacedFault {
  var place = BytePosition.zero

  static let key = "truncate"
  static let form = FaultForm<Truncate>.object("a truncation", [.place("after", \.place)])
  var requestFault: RequestFault { .truncate(after: place) }
  var words: String { "response cut off \(place.words)" }
  var streamFault: StreamFault? { place.bytes.map { .truncation(afterBytes: $0) } }
}
