import NetworkConditions
import ProfileFormats

/// `netcond export`: a profile as another tool reads it.
struct ExportCommand: Subcommand {
  static let name = "export"
  static let abstract = "write a profile in the format of another tool"
  static let usage = Usage(
    operands: "NAME|FILE", count: 1...1, options: [format, FormatChoice.output, .json],
    notes: [
      "What the format cannot hold goes to standard error, a line each.", "",
      "  netcond export 3G --to toxiproxy", "  netcond export tunnel --to csv -o tunnel.csv", "",
    ] + FormatChoice.notes)

  static let format = Option("to", short: "t", value: "FORMAT", help: "the format, one of those below")

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    guard let name = arguments[Self.format] else {
      throw UsageError("--to FORMAT is missing; there are \(FormatChoice.names.joined(separator: ", "))")
    }
    let document = try FormatChoice.named(name).export(try ProfileFacts.load(arguments.operands[0]))
    let json = JSON.members([("document", .string(document.text)), ("losses", FormatChoice.json(document.losses))])
    return try FormatChoice.show(document.text, json, lost: document.losses, "not written", arguments, on: console)
  }
}
