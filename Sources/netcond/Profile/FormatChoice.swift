import Internals
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

  /// Prints what was lost on standard error, so that standard output is the document alone.
  static func show(_ losses: [FormatLoss], _ verb: String, on console: Console) {
    var seen: [FormatLoss] = []
    for loss in losses where !seen.contains(loss) {
      seen.append(loss)
      console.error("\(console.errorStyle(.warning, verb))  \("\(loss)".printable)\n")
    }
  }

  static func json(_ losses: [FormatLoss]) -> JSON {
    .array(losses.map { .object([("subject", .string($0.subject)), ("reason", .string($0.reason))]) })
  }
}
