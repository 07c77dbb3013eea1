import Internals
import LinkSimulator
import NetworkConditions

struct Toxic: Equatable {
  /// The kinds of toxics, with the whole numbers that each kind takes.
  enum Kind: String, CaseIterable {
    case latency, bandwidth, timeout, slicer, noop
    case slowClose = "slow_close"
    case resetPeer = "reset_peer"
    case limitData = "limit_data"

    var attributes: [String] {
      switch self {
      case .latency: ["latency", "jitter"]
      case .bandwidth: ["rate"]
      case .slowClose: ["delay"]
      case .timeout, .resetPeer: ["timeout"]
      case .slicer: ["average_size", "size_variation", "delay"]
      case .limitData: ["bytes"]
      case .noop: []
      }
    }

    /// Whether the link applies the toxic, for all connections alike.
    var isOfLink: Bool { self == .latency || self == .bandwidth }
  }

  let name: String
  let kind: Kind
  let direction: Direction
  private(set) var toxicity: Double
  private(set) var attributes: [String: Int64]

  subscript(attribute: String) -> Int64 { attributes[attribute] ?? 0 }

  init(_ json: JSONValue) throws(ControlError) {
    guard case .string(let type)? = json["type"], let kind = Kind(rawValue: type) else {
      throw ControlError(400, "invalid toxic type")
    }
    let stream = try json.text("stream") ?? ""
    guard ["", "downstream", "upstream"].contains(stream) else {
      throw ControlError(400, "stream was invalid, can be either upstream or downstream")
    }
    self.kind = kind
    direction = stream == "upstream" ? .up : .down
    let given = try json.text("name") ?? ""
    name = given.isEmpty ? "\(type)_\(stream.isEmpty ? "downstream" : stream)" : given
    toxicity = 1
    attributes = Dictionary(uniqueKeysWithValues: kind.attributes.map { ($0, 0) })
    try update(json)
  }

  mutating func update(_ json: JSONValue) throws(ControlError) {
    if let share = try json.number("toxicity") {
      guard (0...1).contains(share) else {
        throw ControlError(400, "bad request body: toxicity must be a share from 0 to 1")
      }
      toxicity = share
    }
    guard let given = json["attributes"], given != .null else { return }
    guard case .object(let members) = given else {
      throw ControlError(400, "bad request body: attributes must be an object")
    }
    // toxiproxy ignores unknown attributes, which would hide a typing error.
    for member in members {
      guard kind.attributes.contains(member.key) else {
        throw ControlError(400, "bad request body: \(kind.rawValue) has no attribute \(member.key.quoted)")
      }
      guard let value = try given.number(member.key), (0...1e12).contains(value) else {
        throw ControlError(400, "bad request body: \(member.key) must be a number from 0 to 10^12")
      }
      attributes[member.key] = Int64(value)
    }
  }

  var json: JSONValue {
    [
      "attributes": .members(kind.attributes.map { ($0, .integer(self[$0])) }), "name": .string(name),
      "type": .string(kind.rawValue), "stream": .string(direction == .up ? "upstream" : "downstream"),
      "toxicity": .real(toxicity),
    ]
  }

  /// Adds the toxic's delay, jitter and rate to the conditions of a link.
  func apply(to conditions: inout PathConditions) {
    switch kind {
    case .latency:
      conditions[direction].delay += .milliseconds(self["latency"])
      if self["jitter"] > 0 {
        conditions[direction].jitter = Jitter(.uniform, spread: .milliseconds(self["jitter"]))
      }
    case .bandwidth:
      // The unit is kilobytes per second.
      let bits = min(self["rate"], Bandwidth.maximum.bitsPerSecond / 8_000) * 8_000
      guard let rate = Bandwidth(bitsPerSecond: bits) else { return }
      conditions[direction].rate = min(conditions[direction].rate ?? .maximum, rate)
    default: break
    }
  }
}

/// The effects of toxics on one direction of a connection, apart from those on its link.
struct ToxicEffects {
  var isStopped = false
  var limit: Int64?
  /// How much later the end of the stream is passed on.
  var closeDelay: Duration = .zero
  /// The size, variation and pause of the pieces in which bytes pass.
  var slices: (size: Int64, variation: Int64, pause: Duration)?
  var passed: Int64 = 0
  var nextSlice = SimulatedInstant.zero

  /// Combines the effects of toxics for a direction in which `passed` bytes have passed.
  init(_ toxics: [Toxic], passed: Int64) {
    self.passed = passed
    for toxic in toxics {
      switch toxic.kind {
      case .timeout: isStopped = true
      case .limitData: limit = min(limit ?? .max, toxic["bytes"])
      case .slowClose: closeDelay += .milliseconds(toxic["delay"])
      case .slicer:
        slices = (max(1, toxic["average_size"]), toxic["size_variation"], .microseconds(toxic["delay"]))
      case .latency, .bandwidth, .resetPeer, .noop: break
      }
    }
  }

  var isIdle: Bool { !isStopped && limit == nil && closeDelay == .zero && slices == nil }

  func allowance(at time: SimulatedInstant, _ chance: KeyedRandom) -> Int {
    if isStopped { return 0 }
    var count = Int64.max
    if let limit { count = max(0, limit - passed) }
    if let slices {
      guard time >= nextSlice else { return 0 }
      let spread = min(slices.variation, slices.size - 1)
      let drawn = spread > 0 ? chance.keyed(by: UInt64(passed)).number(below: 2 * spread + 1) - spread : 0
      count = min(count, slices.size + drawn)
    }
    return Int(clamping: count)
  }
}

struct ControlError: Error, Equatable {
  let status: Int
  let sentence: String

  init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  var answer: ControlAnswer {
    let json: JSONValue = [
      "error": .string(sentence), "explain": .string(Explanation.proxyRequest.name), "status": .integer(status),
    ]
    return ControlAnswer(status: status, json: json.compactText)
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  func text(_ key: String) throws(ControlError) -> String? {
    try read(key, "a text") { if case .string(let text) = $0 { text } else { nil } }
  }

  func number(_ key: String) throws(ControlError) -> Double? {
    try read(key, "a number") { value in
      if case .number(let text) = value, let number = Double(text), number.isFinite { number } else { nil }
    }
  }

  func flag(_ key: String) throws(ControlError) -> Bool? {
    try read(key, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  private func read<Value>(
    _ key: String, _ what: String, _ value: (JSONValue) -> Value?
  ) throws(ControlError) -> Value? {
    guard let given = self[key], given != .null else { return nil }
    guard let value = value(given) else { throw ControlError(400, "bad request body: \(key) must be \(what)") }
    return value
  }
}
