import LinkSimulator

/// Reads and writes fault schedules: `{ "schedule": 1, "profile": "3G", "seed": "42", "faults": [ … ] }`.
///
/// The seed is a string, because many JSON readers cannot hold integers above 2^53.
enum FaultScheduleFormat {
  static let kind = DocumentKind("a schedule", usually: "a few kilobytes", atMostMebibytes: 64)
  private static let version = 1

  // MARK: Reading

  static func read(_ reader: FormatReader) throws(ProfileError) -> FaultSchedule {
    let object = try reader.object(keys: ["schedule", "profile", "seed", "faults"], of: "a schedule")
    let given = try object.required("schedule", "write \"schedule\": \(version)")
    guard given.value == .number("\(version)") else {
      throw given.error("\(given.value.shown) is not a version that this package reads; it reads version \(version)")
    }
    let profile = try readProfile(try object.required("profile", "write for example \"profile\": \"3G\""))
    var seed: UInt64 = 0
    if let given = object["seed"] {
      guard case .string(let text) = given.value, let number = UInt64(text) else {
        throw given.error("\(given.value.shown) is not a seed; write for example \"seed\": \"42\"")
      }
      seed = number
    }
    var faults: [ScheduledFault] = []
    for fault in try object["faults"]?.elements(of: "the faults") ?? [] {
      faults.append(try readFault(fault, of: profile))
    }
    return FaultSchedule(profile, seed: seed, faults: faults)
  }

  private static func readProfile(_ reader: FormatReader) throws(ProfileError) -> NetworkProfile {
    guard case .string(let name) = reader.value else { return try NetworkProfileFormat.read(reader, source: "") }
    do throws(ProfileError) {
      return try .named(name)
    } catch {
      throw reader.error(error.sentence)
    }
  }

  private static func readFault(_ reader: FormatReader, of profile: NetworkProfile) throws(ProfileError)
    -> ScheduledFault
  {
    let object = try reader.openObject(of: "a scheduled fault")
    let via = try object["via"]?.string("the name of a profile")
    /// The value for a key and the whole object, which may have only this key and `others`; `nil` without the key.
    func value(
      _ key: String, _ others: [String] = [], of what: String
    ) throws(ProfileError) -> (given: FormatReader, object: FormatObject)? {
      guard let given = object[key] else { return nil }
      return (given, try reader.object(keys: [key] + others, of: what))
    }
    if object["packet"] != nil { return ScheduledFault(try readPacket(reader), via: via) }
    if let (time, _) = try value("cancel", of: "a cancellation") {
      return ScheduledFault(.cancellation(at: try time.duration()))
    }
    for (key, kind) in [("kill", ScheduledFault.Kind.kill), ("powerLoss", ScheduledFault.Kind.powerLoss)] {
      if let (time, _) = try value(key, of: "the end of a client") {
        return ScheduledFault(kind(.at(try time.duration())))
      }
      if let (number, _) = try value(key + "AfterFileChange", of: "the end of a client") {
        return ScheduledFault(kind(.afterFileChange(try number.count(1...Int.max, "the number of a change"))))
      }
    }
    let spans = [
      ("brownOut", "a brown-out", ScheduledFault.Kind.brownOut),
      ("suspended", "a suspension", ScheduledFault.Kind.suspension),
    ]
    for (key, words, kind) in spans {
      guard let (given, span) = try value(key, ["from", "for"], of: words) else { continue }
      guard given.value == .bool(true) else {
        throw reader.error("write \"\(key)\": true, \"from\": \"45 s\", \"for\": \"12 s\"")
      }
      let length = try span.required("for", "write for example \"for\": \"12 s\"").duration()
      return ScheduledFault(kind(try start(span), length))
    }
    for (key, sign) in [("clockAhead", 1), ("clockBack", -1)] {
      guard let (length, jump) = try value(key, ["at"], of: "a jump of the clock") else { continue }
      let time = try jump.required("at", "write for example \"at\": \"45 s\"").duration()
      return ScheduledFault(.clockJump(by: try length.duration() * sign, at: time))
    }
    if let (given, span) = try value("outage", ["from", "for", "via"], of: "an outage") {
      guard case .string(let name) = given.value, let outage = PathConditions.Outage(rawValue: name) else {
        throw given.error("\(given.value.shown) is not an outage; write \"drop\" or \"refuse\"")
      }
      return ScheduledFault(
        .outage(outage, from: try start(span), for: try span["for"]?.length(of: "an outage")), via: via)
    }
    if let (given, span) = try value("phase", ["from", "for", "via"], of: "a phase") {
      let name = try given.string("the name of a phase")
      if via == nil, profile.phase(called: name) == nil {
        let names = profile.phaseNames.map(\.quoted).joined(separator: ", ")
        throw given.error(
          "\(profile.name.quoted) has no phase \(name.quoted); \(names.isEmpty ? "it has none" : "it has \(names)")")
      }
      return ScheduledFault(.phase(name, from: try start(span), for: try span["for"]?.length(of: "a phase")), via: via)
    }
    let rule = try FaultFormat.read(reader, also: ["via"])
    guard rule.probability == .one else {
      throw reader.error("a scheduled fault always happens, so it has no \"probability\"; leave it out")
    }
    return ScheduledFault(.request(rule.match, rule.fault), via: via)
  }

  private static func readPacket(_ reader: FormatReader) throws(ProfileError) -> ScheduledFault.Kind {
    let object = try reader.object(
      keys: ["packet", "of", "connection", "direction", "via"] + PacketEffect.keys, of: "a packet's fault")
    let number = try object.required("packet", "write for example \"packet\": 17").count(
      0...Int.max, "a packet's number")
    let origin = try object.required("of", "write for example \"of\": \"api.example.com:443\"").string("an origin")
    let connection = try object["connection"]?.count(0...Int.max, "a connection's number") ?? 0
    let direction = try object.required("direction", "write \"direction\": \"down\" or \"up\"").direction()
    let effects = try PacketEffect.read(object)
    guard effects.count == 1 else { throw reader.error("a packet's fault is exactly one of \(PacketEffect.examples)") }
    return .packet(
      PacketName(origin: origin, connection: connection, direction: direction, number: number), effects[0])
  }

  private static func start(_ object: FormatObject) throws(ProfileError) -> Duration {
    try object.required("from", "write for example \"from\": \"45 s\"").duration()
  }

  // MARK: Writing

  static func write(_ schedule: FaultSchedule) -> JSONValue {
    let isBuiltIn = ProfileCatalogue.contains(schedule.profile)
    return .object([
      .init("schedule", .number("\(version)")),
      .init(
        "profile",
        isBuiltIn ? .string(schedule.profile.name) : NetworkProfileFormat.write(schedule.profile, isInner: true)),
      .init("seed", .string("\(schedule.seed)")),
      .init("faults", .array(schedule.faults.map(write))),
    ])
  }

  private static func write(_ fault: ScheduledFault) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch fault.kind {
    case .request(let match, let fault): members = FaultRule(fault, match: match).members
    case .packet(let packet, let effect):
      members = [.init("packet", .number("\(packet.number)")), .init("of", .string(packet.origin))]
      if packet.connection != 0 { members.append(.init("connection", .number("\(packet.connection)"))) }
      members.append(.init("direction", .string(packet.direction.rawValue)))
      members.append(effect.member)
    case .outage(let outage, let start, let duration):
      members = [.init("outage", .string(outage.rawValue))] + span(start, duration)
    case .phase(let name, let start, let duration):
      members = [.init("phase", .string(name))] + span(start, duration)
    case .cancellation(let time): members = [.init("cancel", .string(time.formatText))]
    case .brownOut(let start, let duration): members = [.init("brownOut", .bool(true))] + span(start, duration)
    case .suspension(let start, let duration): members = [.init("suspended", .bool(true))] + span(start, duration)
    case .clockJump(let jump, let time):
      members = [
        .init(jump < .zero ? "clockBack" : "clockAhead", .string(jump.magnitude.formatText)),
        .init("at", .string(time.formatText)),
      ]
    case .kill(let moment): members = [end("kill", moment)]
    case .powerLoss(let moment): members = [end("powerLoss", moment)]
    }
    if let via = fault.via, fault.kind.hasPath { members.append(.init("via", .string(via))) }
    return .object(members)
  }

  private static func end(_ key: String, _ moment: KillMoment) -> JSONValue.Member {
    switch moment {
    case .at(let time): .init(key, .string(time.formatText))
    case .afterFileChange(let number): .init(key + "AfterFileChange", .number("\(number)"))
    }
  }

  private static func span(_ start: Duration, _ duration: Duration?) -> [JSONValue.Member] {
    [.init("from", .string(start.formatText))] + (duration.map { [.init("for", .string($0.formatText))] } ?? [])
  }
}

extension PacketEffect {
  fileprivate static let keys = ImpairmentKind.allCases.flatMap { kind in
    switch kind.type.entry {
    case .happens(let word): [word]
    case .shifts(let later, let earlier): [later, earlier]
    }
  }

  fileprivate static let examples = ImpairmentKind.allCases.reversed().map { kind in
    switch kind.type.entry {
    case .happens(let word): "\(word.quoted): true"
    case .shifts(let later, let earlier): "\(later.quoted): \"20 ms\" or \(earlier.quoted): \"5 ms\""
    }
  }.joined(separator: ", ")

  fileprivate static func read(_ object: FormatObject) throws(ProfileError) -> [PacketEffect] {
    var effects: [PacketEffect] = []
    for kind in ImpairmentKind.allCases {
      switch kind.type.entry {
      case .happens(let word):
        guard let given = object[word] else { continue }
        guard given.value == .bool(true) else { throw given.error("write \(word.quoted): true") }
        effects.append(PacketEffect(kind))
      case .shifts(let later, let earlier):
        if let given = object[later] { effects.append(PacketEffect(kind, try given.duration().wholeNanoseconds)) }
        if let given = object[earlier] { effects.append(PacketEffect(kind, -(try given.duration().wholeNanoseconds))) }
      }
    }
    return effects
  }

  fileprivate var member: JSONValue.Member { .init(key, length.map { .string($0) } ?? .bool(true)) }
}
