/// Reads and writes a fault rule: `{ "match": …, "probability": "2 %", "reset": { "after": "1200 bytes" } }`.
enum FaultFormat {
  private static let keys = ["match", "probability"] + FaultKind.allCases.map(\.rawValue)

  /// - Parameter others: further keys to accept, which the caller reads.
  static func read(_ reader: FormatReader, also others: [String] = []) throws(ProfileError) -> FaultRule {
    let object = try reader.object(keys: keys + others, of: "a fault")
    let match = try MatchFormat.read(object["match"], counts: true)
    let probability = try object["probability"]?.probability() ?? .one
    var chosen: (key: String, fault: RequestFault)?
    for kind in FaultKind.allCases {
      guard let value = object[kind.rawValue] else { continue }
      if let chosen {
        throw reader.error("a fault has one kind, but this has both \(chosen.key.quoted) and \(kind.rawValue.quoted)")
      }
      chosen = (kind.rawValue, try kind.type.read(value))
    }
    guard let chosen else {
      let kinds = FaultKind.allCases.map(\.rawValue.quoted).joined(separator: ", ")
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
