import Internals
import NetworkConditions
import ProfileFormats

/// The formats of other tools on the command line.
enum FormatChoice {
  static var names: [String] { ProfileFormat.all.map(\.name) }

  /// A line of help for each format.
  static var notes: [String] {
    let width = (names.map(\.count).max() ?? 0) + 2
    return ["Formats:"] + ProfileFormat.all.map { "  \($0.name.padded(to: width))\($0.summary)" }
  }

  static func named(_ name: String) throws -> any ProfileCoding {
    guard let format = ProfileFormat.named(name) else {
      let question = NearNames.question(NearNames.of(name, among: names))
      throw UsageError("no format \(name)\(question ?? "; there are \(names.joined(separator: ", "))")")
    }
    return format
  }

  static let output = Option(
    "output", short: "o", value: "FILE", help: "write the document to FILE instead of standard output")

  /// Writes a document to the file of `--output`, or to standard output, which is the object's with `--json`.
  ///
  /// What was lost goes to standard error, so that standard output is the document alone.
  static func show(
    _ document: String, _ json: JSON, lost losses: [FormatLoss], _ verb: String, _ arguments: Arguments,
    on console: Console
  ) throws -> ExitStatus {
    let path = arguments[output]
    let isJSON = arguments[flag: .json]
    _ = try Output.takesStandard(path.map { [(output, $0)] } ?? [], json: isJSON)
    if path != nil || !isJSON { try Output.write(document, to: path, of: output, on: console) }
    guard !isJSON else {
      console.out(json)
      return .done
    }
    var seen: [FormatLoss] = []
    for loss in losses where !seen.contains(loss) {
      seen.append(loss)
      console.error("\(console.errorStyle(.warning, verb))  \("\(loss)".printable)\n")
    }
    return .done
  }

  static func json(_ losses: [FormatLoss]) -> JSON {
    .array(losses.map { .members([("subject", .string($0.subject)), ("reason", .string($0.reason))]) })
  }
}
