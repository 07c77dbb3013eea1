/// Reads and writes a fault: `{ "match": …, "probability": "2 %", "reset": { "after": "1200 bytes" } }`.
enum FaultFormat {
  /// One kind of fault in the format; another kind is one more line in ``kinds``.
  private struct KindFormat: Sendable {
    let key: String
    let read: @Sendable (FormatReader) throws(ProfileError) -> FaultRule.Kind

    init(_ key: String, read: @escaping @Sendable (FormatReader) throws(ProfileError) -> FaultRule.Kind) {
      self.key = key
      self.read = read
    }

    /// A kind that has nothing to say but that it happens.
    init(_ key: String, _ kind: FaultRule.Kind) {
      self.init(key) { reader throws(ProfileError) in
        guard reader.value == .bool(true) else { throw reader.error("write \(key.quoted): true") }
        return kind
      }
    }
  }

  private static let kinds: [KindFormat] = [
    KindFormat("dnsFailure", .dnsFailure),
    KindFormat("refused", .refused),
    KindFormat("connectTimeout", .connectTimeout),
    KindFormat("tlsFailure", .tlsFailure),
    KindFormat("reset") { reader throws(ProfileError) in
      let object = try reader.object(keys: ["after", "direction"], of: "a reset")
      return .reset(after: try bytes("after", of: object), direction: try direction(object["direction"]))
    },
    KindFormat("stall") { reader throws(ProfileError) in
      let object = try reader.object(keys: ["after", "for"], of: "a stall")
      return .stall(after: try bytes("after", of: object), duration: try object["for"]?.length(of: "a stall"))
    },
    KindFormat("truncate") { reader throws(ProfileError) in
      .truncate(after: try bytes("after", of: try reader.object(keys: ["after"], of: "a truncation")))
    },
    KindFormat("corrupt") { reader throws(ProfileError) in
      .corrupt(at: try bytes("at", of: try reader.object(keys: ["at"], of: "a corruption")))
    },
    KindFormat("slowClose") { reader throws(ProfileError) in
      let object = try reader.object(keys: ["delay"], of: "a slow close")
      return .slowClose(delay: try object.required("delay", "write for example \"delay\": \"2 s\"").duration())
    },
    KindFormat("status") { reader throws(ProfileError) in
      let object = try reader.object(keys: ["code", "retryAfter"], of: "a status")
      let code = try object.required("code", "write for example \"code\": 503").count(100...599, "a status")
      return .status(code: code, retryAfter: try object["retryAfter"]?.duration())
    },
    KindFormat("delay") { reader throws(ProfileError) in .delay(try reader.duration()) },
  ]

  private static let keys = ["match", "probability"] + kinds.map(\.key)

  /// - Parameter others: keys that may stand beside the fault's own, for whoever reads them.
  static func read(_ reader: FormatReader, also others: [String] = []) throws(ProfileError) -> FaultRule {
    let object = try reader.object(keys: keys + others, of: "a fault")
    let match = try MatchFormat.read(object["match"], counts: true)
    let probability = try object["probability"]?.probability() ?? .one
    var chosen: (key: String, kind: FaultRule.Kind)?
    for format in kinds {
      guard let value = object[format.key] else { continue }
      if let chosen {
        throw reader.error("a fault is of one kind, and this is both \(chosen.key.quoted) and \(format.key.quoted)")
      }
      chosen = (format.key, try format.read(value))
    }
    guard let chosen else {
      throw reader.error("no kind of fault is given, one of \(kinds.map(\.key.quoted).joined(separator: ", "))")
    }
    return FaultRule(chosen.kind, match: match, probability: probability)
  }

  private static func bytes(_ key: String, of object: FormatObject) throws(ProfileError) -> BytePosition {
    let place = try object.required(key, "write for example \(key.quoted): \"1200 bytes\", or \"anywhere\"")
    return place.value == .string("\(BytePosition.anywhere)") ? .anywhere : .after(try place.bytes())
  }

  static func direction(_ reader: FormatReader?) throws(ProfileError) -> Direction {
    guard let reader else { return .down }
    guard case .string(let name) = reader.value, let direction = Direction(rawValue: name) else {
      throw reader.error("\(reader.value.shown) is no direction; write \"up\" or \"down\"")
    }
    return direction
  }

  // MARK: Writing

  static func write(_ fault: FaultRule) -> JSONValue {
    var members: [JSONValue.Member] = []
    if fault.match != .any { members.append(.init("match", MatchFormat.write(fault.match))) }
    if fault.probability != .one { members.append(.init("probability", .string(fault.probability.formatText))) }
    members.append(write(fault.kind))
    return .object(members)
  }

  private static func write(_ kind: FaultRule.Kind) -> JSONValue.Member {
    func bytes(_ key: String, _ count: BytePosition) -> JSONValue.Member { .init(key, .string(count.description)) }
    func time(_ key: String, _ duration: Duration?) -> [JSONValue.Member] {
      duration.map { [.init(key, .string($0.formatText))] } ?? []
    }
    switch kind {
    case .dnsFailure: return .init("dnsFailure", .bool(true))
    case .refused: return .init("refused", .bool(true))
    case .connectTimeout: return .init("connectTimeout", .bool(true))
    case .tlsFailure: return .init("tlsFailure", .bool(true))
    case .reset(let count, let direction):
      let side = direction == .down ? [] : [JSONValue.Member("direction", .string(direction.rawValue))]
      return .init("reset", .object([bytes("after", count)] + side))
    case .stall(let count, let duration):
      return .init("stall", .object([bytes("after", count)] + time("for", duration)))
    case .truncate(let count): return .init("truncate", .object([bytes("after", count)]))
    case .corrupt(let position): return .init("corrupt", .object([bytes("at", position)]))
    case .slowClose(let delay): return .init("slowClose", .object(time("delay", delay)))
    case .status(let code, let wait):
      return .init("status", .object([.init("code", .number(String(code)))] + time("retryAfter", wait)))
    case .delay(let delay): return .init("delay", .string(delay.formatText))
    }
  }
}

extension FaultRule {
  /// The rule as the profile format writes it.
  var document: JSONValue { FaultFormat.write(self) }
}
