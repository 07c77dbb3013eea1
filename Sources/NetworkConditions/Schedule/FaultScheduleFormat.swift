import LinkSimulator

/// Reads and writes schedules of faults: `{ "schedule": 1, "profile": "3G", "seed": "42", "faults": [ … ] }`.
///
/// A fault of a request is written as in a profile; a seed is a text, since JSON's numbers end at 2^53 for many.
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
        throw given.error("\(given.value.shown) is no seed; write for example \"seed\": \"42\"")
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
    guard case .string(let name) = reader.value else { return try ProfileFormat.read(reader, source: "") }
    do throws(ProfileError) {
      return try .named(name)
    } catch {
      throw reader.error(error.description)
    }
  }

  private static func readFault(_ reader: FormatReader, of profile: NetworkProfile) throws(ProfileError)
    -> ScheduledFault
  {
    let object = try reader.openObject(of: "a scheduled fault")
    let via = try object["via"]?.string("the name of a profile")
    if object["packet"] != nil { return ScheduledFault(try readPacket(reader), via: via) }
    if object["outage"] != nil {
      let span = try reader.object(keys: ["outage", "from", "for", "via"], of: "an outage")
      let given = try span.required("outage", "write \"outage\": \"drop\"")
      guard case .string(let name) = given.value, let outage = PathConditions.Outage(rawValue: name) else {
        throw given.error("\(given.value.shown) is no outage; write \"drop\" or \"refuse\"")
      }
      return ScheduledFault(
        .outage(outage, from: try start(span), for: try span["for"]?.length(of: "an outage")), via: via)
    }
    if object["phase"] != nil {
      let span = try reader.object(keys: ["phase", "from", "for", "via"], of: "a phase")
      let given = try span.required("phase", "write for example \"phase\": \"portal\"")
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
      throw reader.error("a scheduled fault happens, and has no \"probability\"; leave it out")
    }
    return ScheduledFault(.request(rule.match, rule.kind), via: via)
  }

  private static func readPacket(_ reader: FormatReader) throws(ProfileError) -> ScheduledFault.Kind {
    let object = try reader.object(
      keys: ["packet", "of", "connection", "direction", "lost", "late", "early", "via"], of: "a packet's fault")
    let number = try object.required("packet", "write for example \"packet\": 17").count(
      0...Int.max, "a packet's number")
    let origin = try object.required("of", "write for example \"of\": \"api.example.com:443\"").string("an origin")
    let connection = try object["connection"]?.count(0...Int.max, "a connection's number") ?? 0
    let direction = try FaultFormat.direction(
      try object.required("direction", "write \"direction\": \"down\" or \"up\""))
    var effects: [PacketFault.Effect] = []
    if let lost = object["lost"] {
      guard lost.value == .bool(true) else { throw lost.error("write \"lost\": true") }
      effects.append(.lost)
    }
    if let late = object["late"] { effects.append(.late(nanoseconds: try late.duration().wholeNanoseconds)) }
    if let early = object["early"] { effects.append(.late(nanoseconds: -(try early.duration().wholeNanoseconds))) }
    guard effects.count == 1 else {
      throw reader.error("a packet's fault is one of \"lost\": true, \"late\": \"20 ms\" or \"early\": \"5 ms\"")
    }
    return .packet(
      PacketName(origin: origin, connection: connection, direction: direction, number: number), effects[0])
  }

  private static func start(_ object: FormatObject) throws(ProfileError) -> Duration {
    try object.required("from", "write for example \"from\": \"45 s\"").duration()
  }

  // MARK: Writing

  static func write(_ schedule: FaultSchedule) -> JSONValue {
    let isBuiltIn = (try? NetworkProfile.named(schedule.profile.name)) == schedule.profile
    return .object([
      .init("schedule", .number("\(version)")),
      .init(
        "profile", isBuiltIn ? .string(schedule.profile.name) : ProfileFormat.write(schedule.profile, isInner: true)),
      .init("seed", .string("\(schedule.seed)")),
      .init("faults", .array(schedule.faults.map(write))),
    ])
  }

  private static func write(_ fault: ScheduledFault) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch fault.kind {
    case .request(let match, let kind):
      guard case .object(let rule) = FaultFormat.write(FaultRule(kind, match: match)) else { break }
      members = rule
    case .packet(let packet, let effect):
      members = [.init("packet", .number("\(packet.number)")), .init("of", .string(packet.origin))]
      if packet.connection != 0 { members.append(.init("connection", .number("\(packet.connection)"))) }
      members.append(.init("direction", .string(packet.direction.rawValue)))
      switch effect {
      case .lost: members.append(.init("lost", .bool(true)))
      case .late(let time):
        let text = Duration.nanoseconds(Int64(clamping: time.magnitude)).formatText
        members.append(.init(time < 0 ? "early" : "late", .string(text)))
      }
    case .outage(let outage, let start, let duration):
      members = [.init("outage", .string(outage.rawValue))] + span(start, duration)
    case .phase(let name, let start, let duration):
      members = [.init("phase", .string(name))] + span(start, duration)
    }
    if let via = fault.via { members.append(.init("via", .string(via))) }
    return .object(members)
  }

  private static func span(_ start: Duration, _ duration: Duration?) -> [JSONValue.Member] {
    [.init("from", .string(start.formatText))] + (duration.map { [.init("for", .string($0.formatText))] } ?? [])
  }
}
