struct Corrupt: PlacedFault {
  var place = BytePosition.zero

  static let key = "corrupt"
  static let form = FaultForm<Corrupt>.object("a corruption", [.place("at", \.place)])
  var requestFault: RequestFault { .corrupt(at: place) }
  var words: String { "byte \(place.bytes.map(String.init) ?? place.words) of the body corrupted" }

  func placed(in message: MessageLength, by chance: KeyedRandom) -> Corrupt? {
    let fault = drawn(below: message.body ?? BytePosition.usualLength, by: chance)
    return fault.place.isWithin(message.body.map { $0 - 1 }) ? fault : nil
  }

  /// Flips a byte of the body, unless an earlier fault has chosen one; a second call with the same place changes
  /// nothing.
  func decide(in plan: inout FaultPlan) -> Bool {
    guard plan.corruptedByte == nil || plan.corruptedByte == place.bytes else { return false }
    plan.corruptedByte = place.bytes
    return true
  }

  var weaker: [RequestFault] { [] }
}
