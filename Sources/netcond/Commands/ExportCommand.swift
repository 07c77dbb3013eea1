import NetworkConditions
import ProfileFormats

/// `netcond export`: a profile as another tool reads it.
struct ExportCommand: Subcommand {
  static let name = "export"
  static let abstract = "write a profile in the format of another tool"
  static let usage = Usage(
    operands: "NAME|FILE", count: 1...1, options: [format, output, .json],
    notes: [
      "What the format cannot hold goes to standard error, a line each.", "",
      "  netcond export 3G --to toxiproxy", "  netcond export tunnel --to csv -o tunnel.csv", "",
    ] + FormatChoice.notes)

  static let format = Option("to", short: "t", value: "FORMAT", help: "the format, one of those below")
  static let output = Option(
    "output", short: "o", value: "FILE", help: "write the document to FILE instead of standard output")

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    guard let name = arguments[Self.format] else {
      throw UsageError("--to FORMAT is missing; there are \(FormatChoice.names.joined(separator: ", "))")
    }
    let document = try FormatChoice.named(name).export(try ProfileFacts.load(arguments.operands[0]))
    if let path = arguments[Self.output] { try DocumentFile.write(document.text, to: path) }
    if arguments[flag: .json] {
      console.out(.object([("document", .string(document.text)), ("losses", FormatChoice.json(document.losses))]))
    } else {
      if arguments[Self.output] == nil { console.out(document.text) }
      FormatChoice.show(document.losses, "not written", on: console)
    }
    return .done
  }
}
