import LinkSimulator

enum ConditionsFormat {
  static let keys = ["model", "down", "up", "dns", "outage", "udp", "device"]
  private static let directionKeys =
    ["rate", TraceFormat.key, "delay"] + ImpairmentKind.allCases.map(\.name) + ["queue", "reorder"]

  private static let devToolsKeys = ["rate", "delay"]

  // MARK: Reading

  static func read(_ object: FormatObject, over base: PathConditions) throws(ProfileError) -> PathConditions {
    var conditions = base
    if let model = object["model"] { conditions.model = try model.choice("model") }
    if let down = object["down"] { conditions.down = try direction(down, over: base.down, conditions.model) }
    if let up = object["up"] { conditions.up = try direction(up, over: base.up, conditions.model) }
    if let dns = object["dns"] {
      let keys = try dns.object(keys: ["delay"], of: "name resolution")
      conditions.dnsDelay = try keys.required("delay", "write for example \"delay\": \"40 ms\"").duration()
    }
    if let outage = object["outage"] { conditions.outage = try readOutage(outage) }
    if let udp = object["udp"] { conditions.udp = try readUDP(udp) }
    if let device = object["device"] { conditions.device = try readDevice(device, over: base.device) }
    return conditions.normalized
  }

  private static func readUDP(_ reader: FormatReader) throws(ProfileError) -> PathConditions.UDP {
    switch reader.value {
    case .string("open"): return .open
    case .string("blocked"): return .blocked
    case .object:
      let limit = try reader.object(keys: ["rate"], of: "UDP").required(
        "rate", "write for example \"rate\": \"1 Mbit/s\"")
      return try limit.rate().map { .limited($0) } ?? .open
    default:
      throw reader.error(
        "\(reader.value.shown) is not a condition for UDP; write \"open\", \"blocked\" or { \"rate\": \"1 Mbit/s\" }"
      )
    }
  }

  private static func write(_ udp: PathConditions.UDP) -> JSONValue {
    switch udp {
    case .open: .string("open")
    case .blocked: .string("blocked")
    case .limited(let rate): .object([.init("rate", .string(rate.formatText))])
    }
  }

  private static func readDevice(
    _ reader: FormatReader, over base: DeviceConditions
  ) throws(ProfileError) -> DeviceConditions {
    let object = try reader.object(keys: ["interface", "constrained", "suspended"], of: "a device")
    var device = base
    if let interface = object["interface"] {
      guard case .string(let name) = interface.value, !name.isEmpty else {
        throw interface.error(
          "\(interface.value.shown) is not an interface; write \"wifi\", \"cellular\", \"wired\" or a name")
      }
      device.interface = DeviceConditions.Interface(rawValue: name)
    }
    if let constrained = object["constrained"] { device.isConstrained = try constrained.bool() }
    if let suspended = object["suspended"] { device.suspendsApp = try suspended.bool() }
    return device
  }

  private static func readOutage(_ reader: FormatReader) throws(ProfileError) -> PathConditions.Outage? {
    if reader.value == .string("none") { return nil }
    guard case .string(let name) = reader.value, let outage = PathConditions.Outage(rawValue: name) else {
      throw reader.error("\(reader.value.shown) is not an outage; write \"drop\", \"refuse\" or \"none\"")
    }
    return outage
  }

  private static func direction(
    _ reader: FormatReader, over base: LinkConditions, _ model: PathConditions.Model
  ) throws(ProfileError) -> LinkConditions {
    let object = try reader.object(keys: directionKeys, of: "a direction")
    guard !object.keys.isEmpty else { throw reader.error("this direction is empty; leave it out") }
    if model == .devTools, let key = object.keys.first(where: { !devToolsKeys.contains($0) }), let other = object[key] {
      throw other.error("the model \(model.rawValue.quoted) has only a rate and a delay, and no packets; leave it out")
    }
    var link = base
    if let rate = object["rate"] { link.rate = try rate.rate() }
    if let trace = object[TraceFormat.key] {
      guard object["rate"] == nil else {
        throw trace.error("a direction has either a rate or a trace; leave one of them out")
      }
      link.capacity = .trace(try TraceFormat.read(trace))
    }
    if let delay = object["delay"] { link.delay = try delay.duration() }
    for kind in ImpairmentKind.allCases {
      if let value = object[kind.name] { try read(kind.type, value, into: &link) }
    }
    if let queue = object["queue"] { link.queue = try queue.packets() }
    if let reorder = object["reorder"] { link.reorders = try reorder.bool() }
    return link
  }

  private static func read<Kind: Impairment>(
    _: Kind.Type, _ value: FormatReader, into link: inout LinkConditions
  ) throws(ProfileError) {
    link.set(try Kind.read(value))
  }

  static func write(_ conditions: PathConditions, over base: PathConditions) -> [JSONValue.Member] {
    let new = Changes(value: conditions, base: base)
    return JSONValue.present([
      "model": new(\.model) { .string($0.rawValue) }, "down": new(\.down) { write($0, over: base.down) },
      "up": new(\.up) { write($0, over: base.up) },
      "dns": new(\.dnsDelay) { ["delay": .string($0.formatText)] },
      "outage": new(\.outage) { .string($0?.rawValue ?? "none") }, "udp": new(\.udp, write),
      "device": new(\.device) { write($0, over: base.device) },
    ])
  }

  private static func write(_ device: DeviceConditions, over base: DeviceConditions) -> JSONValue {
    let new = Changes(value: device, base: base)
    return [
      "interface": new(\.interface) { .string($0.rawValue) }, "constrained": new(\.isConstrained) { .bool($0) },
      "suspended": new(\.suspendsApp) { .bool($0) },
    ]
  }

  private static func write(_ link: LinkConditions, over base: LinkConditions) -> JSONValue {
    let new = Changes(value: link, base: base)
    let capacity = new(\.capacity) { _ in .string(link.rate?.formatText ?? "unlimited") }
    let trace = capacity == nil ? nil : link.trace.map(TraceFormat.write)
    let impairments = ImpairmentKind.allCases.filter { link[$0].setting != base[$0].setting }
    return .object(
      JSONValue.present([
        TraceFormat.key: trace, "rate": trace == nil ? capacity : nil,
        "delay": new(\.delay) { .string($0.formatText) },
      ]) + impairments.map { .init($0.name, JSONValue(link[$0].setting)) }
        + JSONValue.present([
          "queue": new(\.queue) { .string("\($0) packet\($0 == 1 ? "" : "s")") },
          "reorder": new(\.reorders) { .bool($0) },
        ]))
  }
}

private struct Changes<Value> {
  let value: Value
  let base: Value

  func callAsFunction<Part: Equatable>(_ path: KeyPath<Value, Part>, _ write: (Part) -> JSONValue) -> JSONValue? {
    value[keyPath: path] == base[keyPath: path] ? nil : write(value[keyPath: path])
  }
}

/// Lets impairments read and write their settings in a profile's JSON.
extension FormatReader: SettingReader {
  package var shown: String { value.shown }
  package var word: String? { if case .string(let text) = value { text } else { nil } }
  package var bareNumber: Double? { if case .number(let text) = value { Double(text) } else { nil } }
  package var isObject: Bool { if case .object = value { true } else { false } }
}

extension FormatObject: SettingObject {}

extension JSONValue {
  init(_ setting: Setting) {
    switch setting {
    case .word(let text): self = .string(text)
    case .probability(let probability): self = .string(probability.formatText)
    case .duration(let duration): self = .string(duration.formatText)
    case .number(let number): self = .number("\(number)")
    case .members(let members): self = .object(members.map { Member($0.key, JSONValue($0.value)) })
    }
  }
}
