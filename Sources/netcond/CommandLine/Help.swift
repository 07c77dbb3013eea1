import Internals

enum Help {
  static func overview(width: Int) -> String {
    let commands = Subcommands.all.map { (left: $0.name, right: $0.abstract) }
    return """
      netcond: network conditions for URLSession, on the command line

        netcond get --profile tunnel --virtual
        netcond help get

      usage: netcond COMMAND [OPTION ...]

      \(columns(commands + [("help [COMMAND]", "show what a command does and which options it has")], width: width))

      Without a command, it runs netcond tour, which needs no network.

      """
  }

  static func text(of command: any Subcommand.Type, width: Int) -> String {
    let usage = command.usage
    let operands = usage.operands.isEmpty ? "" : " \(usage.operands)"
    var text = "netcond \(command.name): \(command.abstract)\n\n"
    for example in usage.examples { text += lines(of: "  \(example)", width: width).joined(separator: "\n") + "\n" }
    if let code = usage.inCode {
      text += "\n" + "In code: \(code)".wrapped(to: max(24, min(width, 110))).joined(separator: "\n") + "\n"
    }
    text += "\nusage: netcond \(command.name)\(operands) [OPTION ...]\n\n"
    text += columns((usage.options + [.help]).map { ($0.spelling, $0.help) }, width: width) + "\n"
    let notes = usage.notes.flatMap { lines(of: $0, width: max(24, min(width, 110))) }
    if !notes.isEmpty { text += "\n" + notes.joined(separator: "\n") + "\n" }
    return text
  }

  /// Wraps a note; an indented line, such as an example, stays unchanged if it fits.
  private static func lines(of note: String, width: Int) -> [String] {
    guard note.hasPrefix(" ") else { return note.wrapped(to: width) }
    if note.count <= max(width, 80) { return [note] }
    return note.wrapped(to: width - 6).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
  }

  private static func columns(_ rows: [(left: String, right: String)], width: Int) -> String {
    let left = (rows.map(\.left.count).max() ?? 0) + 2
    return rows.map { row in
      let lines = row.right.wrapped(to: max(24, min(width, 110) - left - 2))
      let padding = String(repeating: " ", count: left + 2)
      return "  \(row.left.padded(to: left))\(lines.joined(separator: "\n\(padding)"))"
    }.joined(separator: "\n")
  }
}
