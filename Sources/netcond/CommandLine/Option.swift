struct Option: Hashable, Sendable {
  /// The long name, without its dashes.
  let name: String
  let short: Character?
  /// The name of the value in the help; `nil` for a flag.
  let value: String?
  let help: String
  let repeats: Bool

  init(_ name: String, short: Character? = nil, value: String? = nil, repeats: Bool = false, help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
    self.repeats = repeats
  }

  /// The option as the help spells it, such as `-o, --output FILE`.
  var spelling: String {
    let prefix = short.map { "-\($0), " } ?? "    "
    return "\(prefix)--\(name)\(value.map { " \($0)" } ?? "")\(repeats ? " ..." : "")"
  }

  static let help = Option("help", short: "h", help: "show what the command does and which options it has")
  static let json = Option("json", help: "print one JSON object on standard output and nothing else")
}

struct Usage: Sendable {
  var operands = ""
  var count = 0...0
  /// The options except `--help`.
  var options: [Option] = []
  /// Typical command lines, the simplest first: the help begins with them.
  var examples: [String] = []
  /// Text for the help: how users do the same in code, with their own client.
  var inCode: String?
  var notes: [String] = []
}
