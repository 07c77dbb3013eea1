import Foundation

enum NetworkProfileFormat {
  /// A profile, and its path in its file: empty, or for example `profiles[3]`.
  struct Entry {
    var profile: NetworkProfile
    var path: String
  }

  private static let version = 1
  private static let keys =
    ["version", "name", "aliases", "summary", "source"] + ConditionsFormat.keys + EndpointFormat.keys + [
      "phases", "repeat", "rules", "faults",
    ]

  /// The profiles of a file, one or a list with a common source; their rules are checked once all files are read.
  static func entries(in data: Data, file: String) throws(ProfileError) -> [Entry] {
    let reader = try DocumentKind.profile.value(json: data, file: file)
    guard case .object(let members) = reader.value, members.contains(where: { $0.key == "profiles" }) else {
      return [Entry(profile: try read(reader, source: ""), path: "")]
    }
    let object = try reader.object(keys: ["version", "source", "profiles"], of: "a list of profiles")
    try checkVersion(object)
    let source = try object["source"]?.string("a source") ?? ""
    let elements = try object["profiles"]?.elements(of: "the profiles") ?? []
    guard !elements.isEmpty else { throw reader.error("the list of profiles is empty") }
    var entries: [Entry] = []
    for element in elements {
      entries.append(Entry(profile: try read(element, source: source), path: element.path))
    }
    return entries
  }

  // MARK: Reading

  static func read(_ reader: FormatReader, source: String) throws(ProfileError) -> NetworkProfile {
    let object = try reader.object(keys: keys, of: "a profile")
    try checkVersion(object)
    let name = try readName(try object.required("name", "write for example \"name\": \"tunnel\""))
    var aliases: [String] = []
    for reader in try list("aliases", of: object) {
      let alias = try readName(reader)
      guard !([name] + aliases).contains(where: { $0.lowercased() == alias.lowercased() }) else {
        throw reader.error("\(alias.quoted) is already a name of this profile; leave it out")
      }
      aliases.append(alias)
    }
    let base = try ConditionsFormat.read(object, over: .unlimited)
    let (phases, repeats) = try readPhases(object, over: base)
    var rules: [ProfileRule] = []
    for reader in try list("rules", of: object) {
      let rule = try readRule(reader)
      if let index = rules.firstIndex(where: { $0.match == .any || $0.match == rule.match }) {
        throw reader.error(
          "no request gets this far, because rules[\(index)] matches all of them; the first match decides")
      }
      rules.append(rule)
    }
    var faults: [FaultRule] = []
    for fault in try list("faults", of: object) { faults.append(try FaultFormat.read(fault)) }
    return NetworkProfile(
      name: name, aliases: aliases, summary: try object["summary"]?.string("a summary") ?? "",
      source: try object["source"]?.string("a source") ?? source, base: base, phases: phases, repeats: repeats,
      rules: rules, faults: faults, configuration: try EndpointFormat.read(object))
  }

  /// The elements of an optional list; an empty list is an error.
  private static func list(_ key: String, of object: FormatObject) throws(ProfileError) -> [FormatReader] {
    guard let given = object[key] else { return [] }
    let elements = try given.elements(of: "the \(key)")
    guard !elements.isEmpty else { throw given.error("the list is empty; leave the key \(key.quoted) out") }
    return elements
  }

  private static func checkVersion(_ object: FormatObject) throws(ProfileError) {
    guard let given = object["version"], given.value != .number("\(version)") else { return }
    throw given.error("\(given.value.shown) is not a version that this package reads; it reads version \(version)")
  }

  private static func readName(_ reader: FormatReader) throws(ProfileError) -> String {
    let name = try reader.string("a name")
    let scalars = name.unicodeScalars
    guard !scalars.isEmpty, scalars.count <= 100, scalars.first != " ", scalars.last != " ",
      !scalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw reader.error(
        "\(name.quoted) is not a name; write 1 to 100 characters, on one line, without spaces around them")
    }
    return name
  }

  private static func readPhases(
    _ object: FormatObject, over base: PathConditions
  ) throws(ProfileError) -> ([NetworkProfile.Phase], repeats: Bool) {
    let repeats = try object["repeat"]?.bool() ?? false
    let readers = try list("phases", of: object)
    var phases: [NetworkProfile.Phase] = []
    for reader in readers {
      let phase = try reader.object(keys: ["name", "for"] + ConditionsFormat.keys, of: "a phase")
      let name = try phase["name"].map(readName) ?? ""
      let duration = try phase["for"]?.length(of: "a phase")
      guard duration != nil || (phases.count == readers.count - 1 && !repeats) else {
        throw reader.error(
          "the key \"for\" is missing; write for example \"for\": \"45 s\", since only the last phase of a profile "
            + "that does not repeat may last for ever")
      }
      phases.append(.init(name, for: duration, conditions: try ConditionsFormat.read(phase, over: base)))
    }
    if repeats, phases.isEmpty, let reader = object["repeat"] {
      throw reader.error("there are no phases to repeat; give \"phases\" or leave \"repeat\" out")
    }
    if repeats, let problem = NetworkProfile.problem(ofCycle: phases), let reader = object["phases"] {
      throw reader.error(problem)
    }
    return (phases, repeats)
  }

  private static func readRule(_ reader: FormatReader) throws(ProfileError) -> ProfileRule {
    let object = try reader.object(keys: ["match", "use"], of: "a rule")
    let match = try MatchFormat.read(object["match"], counts: false)
    let use = try object.required("use", "write for example \"use\": \"wifi\"")
    if case .object = use.value { return ProfileRule(match: match, use: try read(use, source: "")) }
    return ProfileRule(match: match, use: try use.string("the name of a profile"))
  }

  // MARK: Writing

  static func write(_ profile: NetworkProfile, isInner: Bool = false) -> JSONValue {
    let phases = profile.phases.map { phase in
      JSONValue.object(
        JSONValue.present([
          "name": text(phase.name), "for": phase.duration.map { .string($0.formatText) },
        ]) + ConditionsFormat.write(phase.conditions, over: profile.base))
    }
    return .object(
      JSONValue.present([
        "version": isInner ? nil : .number("\(version)"), "name": .string(profile.name),
        "aliases": list(profile.aliases.map { .string($0) }), "summary": text(profile.summary),
        "source": text(profile.source),
      ]) + ConditionsFormat.write(profile.base, over: .unlimited) + EndpointFormat.write(profile.configuration)
        + JSONValue.present([
          "phases": list(phases), "repeat": !phases.isEmpty && profile.repeats ? .bool(true) : nil,
          "rules": list(profile.rules.map(write)), "faults": list(profile.faults.map(\.document)),
        ]))
  }

  private static func text(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }

  private static func list(_ elements: [JSONValue]) -> JSONValue? { elements.isEmpty ? nil : .array(elements) }

  private static func write(_ rule: ProfileRule) -> JSONValue {
    let target: JSONValue =
      switch rule.target {
      case .named(let name): .string(name)
      case .profile(let profile): write(profile, isInner: true)
      }
    return ["match": rule.match == .any ? nil : MatchFormat.write(rule.match), "use": target]
  }
}
