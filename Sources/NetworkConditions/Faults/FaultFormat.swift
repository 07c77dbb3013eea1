/// Reads and writes a fault rule: `{ "match": …, "probability": "2 %", "reset": { "after": "1200 bytes" } }`.
enum FaultFormat {
  /// The kinds of faults; errors list them in this order.
  static let kinds: [any Fault.Type] = [
    DNSFailure.self, Refused.self, ConnectTimeout.self, TLSFailure.self, Reset.self, Stall.self, Truncate.self,
    Corrupt.self, SlowClose.self, IdleClose.self, IdleForget.self, GoAway.self, ResetStream.self, Drip.self,
    Status.self, Shorten.self, Redirect.self, Stale.self, Delay.self,
  ]
  private static let keys = ["match", "probability"] + kinds.map { $0.key }

  /// - Parameter others: further keys to accept; the caller reads their values.
  static func read(_ reader: FormatReader, also others: [String] = []) throws(ProfileError) -> FaultRule {
    let object = try reader.object(keys: keys + others, of: "a fault")
    let match = try MatchFormat.read(object["match"], counts: true)
    let probability = try object["probability"]?.probability() ?? .one
    var chosen: (key: String, fault: RequestFault)?
    for kind in kinds {
      guard let value = object[kind.key] else { continue }
      if let chosen {
        throw reader.error("a fault has one kind, but this has both \(chosen.key.quoted) and \(kind.key.quoted)")
      }
      chosen = (kind.key, try kind.read(value))
    }
    guard let chosen else {
      let kinds = kinds.map { $0.key.quoted }.joined(separator: ", ")
      throw reader.error("the kind of fault is missing; write one of \(kinds)")
    }
    return FaultRule(chosen.fault, match: match, probability: probability)
  }
}

extension FaultRule {
  var document: JSONValue { .object(members) }

  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if match != .any { members.append(.init("match", MatchFormat.write(match))) }
    if probability != .one { members.append(.init("probability", .string(probability.formatText))) }
    return members + [fault.value.member]
  }
}
