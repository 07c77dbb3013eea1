import NetworkConditions

/// Translates lines of toxiproxy-cli that add toxics into JSON (Shopify/toxiproxy, cmd/cli/cli.go).
///
/// A toxic that is updated or toggled later is refused, since it has no single condition. One that is removed later
/// stays in force.
struct ToxicCommands {
  private let file: String
  private var proxies: [(name: String, toxics: [JSONValue])] = []
  /// The word of the command that gave each value, by the value's path in the JSON; for error messages.
  private var places: [String: Word] = [:]
  private var losses = LossList()

  init?(in document: FormatDocument) throws(ProfileError) {
    guard let text = try? document.text(), let first = text.first(where: { !$0.isWhitespace }),
      first != "{", first != "[", text.contains("toxiproxy-cli")
    else { return nil }
    file = document.file
    for case .command(let words) in try ShellWords.parse(text, at: Place(file: file)) {
      if let start = words.firstIndex(where: { $0.text.split(separator: "/").last == "toxiproxy-cli" }) {
        try follow(words[(start + 1)...], after: words[start])
      }
    }
    guard !proxies.isEmpty else {
      throw Place(file: file).error(
        "no toxic is added; write for example toxiproxy-cli toxic add -t latency -a latency=1000 web")
    }
  }

  func profiles(of format: ToxiproxyFormat) throws(ProfileError) -> [ImportedProfile] {
    let json = JSONValue.array(proxies.map { ["name": .string($0.name), "toxics": .array($0.toxics)] })
    do throws(ProfileError) {
      return try format.profiles(in: FormatDocument(json.prettyText, file: file)).map {
        var all = losses
        all.add($0.losses)
        return ImportedProfile($0.profile, from: format, losses: all.losses)
      }
    } catch {
      guard case .value(_, let path, let reason) = error, let word = places[path] else { throw error }
      // The position in the generated JSON does not help the user.
      let plain = reason.split(separator: " (line ").first.map(String.init) ?? reason
      throw word.error(plain.hasPrefix("unknown key") ? "\(word.shown): \(plain)" : plain)
    }
  }

  private mutating func follow(_ words: ArraySlice<Word>, after program: Word) throws(ProfileError) {
    var words = words
    var host = CommandOptions(["host h"])
    try host.take(from: &words, of: "toxiproxy-cli")
    guard let object = words.popFirst() else { throw program.error("toxic add should follow toxiproxy-cli") }
    switch object.text {
    case "toxic", "t": break
    case "create", "c", "new", "list", "l", "li", "ls", "inspect", "i", "ins": return
    case "delete", "d": return losses.add("delete", "the setup of the commands before it is kept")
    default: throw object.error("\(object.shown) is not supported; write only the lines of toxiproxy-cli toxic add")
    }
    let verb = try words.take("add", after: object)
    switch verb.text {
    case "add", "a": try add(words, after: verb)
    case "remove", "r", "delete", "d": losses.add("toxic \(verb.text)", "the setup of the commands before it is kept")
    default: throw verb.error("\(verb.shown) is not supported; write each toxic as it is in the end, with toxic add")
    }
  }

  private mutating func add(_ words: ArraySlice<Word>, after verb: Word) throws(ProfileError) {
    var words = words
    var options = CommandOptions(
      ["toxicName n", "type t", "toxicity tox", "attribute a"], flags: ["upstream u", "downstream d"])
    try options.take(from: &words, of: "toxiproxy-cli toxic add")
    guard let proxy = words.popFirst() else { throw verb.error("the name of a proxy should end toxic add") }
    // Older versions write the name before the options.
    try options.take(from: &words, of: "toxiproxy-cli toxic add")
    if let word = words.first { throw word.error("\(word.shown) follows the name of the proxy, which ends toxic add") }
    guard let type = options["type"] else { throw verb.error("the type is missing; write for example -t latency") }
    if let word = options["upstream"], options["downstream"] != nil {
      throw word.error("a toxic is either --upstream or --downstream; write two lines for both")
    }
    let index = proxies.firstIndex { $0.name == proxy.text } ?? proxies.endIndex
    guard index < FormatDocument.mostProfiles else { throw proxy.error(FormatDocument.tooMany(index + 1)) }
    if index == proxies.endIndex { proxies.append((proxy.text, [])) }
    let path = "[\(index)].toxics[\(proxies[index].toxics.count)]"
    var attributes: [(String, JSONValue)] = []
    for (name, list) in options.given where name == "attribute" {
      for text in list.text.split(separator: ",") {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let word = Word(text: String(text), place: list.place)
        guard parts.count == 2 else {
          throw word.error("\(word.shown) is not an attribute; write for example latency=1000")
        }
        attributes.removeAll { $0.0 == parts[0] }
        attributes.append((parts[0], Self.value(parts[1])))
        places[FormatReader.path("\(path).attributes", to: parts[0])] = word
      }
    }
    var toxic: [(String, JSONValue)] = [
      ("type", .string(type.text)), ("stream", .string(options["upstream"] == nil ? "downstream" : "upstream")),
    ]
    if let toxicity = options["toxicity"] {
      toxic.append(("toxicity", Self.value(toxicity.text)))
      places["\(path).toxicity"] = toxicity
    }
    places["\(path).type"] = type
    places[path] = verb
    proxies[index].toxics.append(.members(toxic + [("attributes", .members(attributes))]))
  }

  private static func value(_ text: String) -> JSONValue {
    guard let number = DecimalNumber(text) else { return .string(text) }
    if let whole = Int64(text) { return .number("\(whole)") }
    return .number("\(number.isNegative ? "-" : "")\(number.digits)e\(number.exponent)")
  }
}
