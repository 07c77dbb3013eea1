/// The server's body ends early, and its `Content-Length` matches, so that no client can tell.
///
/// Has no effect on bodies with a content coding or unknown length, nor in a proxy.
struct Shorten: PlacedFault {
  var place = BytePosition.zero

  static let key = "shorten"
  static let form = FaultForm<Shorten>.object("a shortened body", [.place("to", \.place)])
  var requestFault: RequestFault { .shorten(to: place) }
  var words: String { "body shortened to \(place.bytes.map { "\($0) bytes" } ?? "some of its bytes")" }

  func placed(in message: MessageLength, by chance: KeyedRandom) -> Shorten? {
    guard let body = message.body else { return nil }
    let fault = drawn(below: body, by: chance)
    return fault.place.isWithin(body) ? fault : nil
  }

  func decide(in plan: inout FaultPlan) -> Bool {
    guard plan.mayShorten, plan.bodyLength == nil || plan.bodyLength == place.bytes else { return false }
    plan.bodyLength = place.bytes
    return true
  }

  var weaker: [RequestFault] { [] }
}
