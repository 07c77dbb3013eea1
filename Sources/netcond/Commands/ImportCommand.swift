import Foundation
import NetworkConditions
import ProfileFormats

/// `netcond import`: a profile out of another tool's format.
struct ImportCommand: Subcommand {
  static let name = "import"
  static let abstract = "turn network conditions of another tool into a profile"
  static let usage = Usage(
    operands: "FORMAT FILE", count: 2...2, options: [FormatChoice.output, .json],
    notes: [
      "FILE is - for standard input. What a profile cannot hold goes to standard error, a line each, and into its source.",
      "Exit status: 0 done, 1 when the file is not what the format says, 2 wrong usage.", "",
      "  echo 'delay 100ms 20ms loss 1% rate 1mbit' | netcond import netem -",
      "  netcond import link-conditioner prefs.plist -o ours.json", "",
    ] + FormatChoice.notes)

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let format = try FormatChoice.named(arguments.operands[0])
    let imported = try format.profiles(in: try Self.document(arguments.operands[1]))
    let profiles = imported.map(\.profile)
    let text = profiles.count == 1 ? profiles[0].formatText : NetworkProfile.formatText(of: profiles)
    return try FormatChoice.show(
      text, Self.json(imported), lost: imported.flatMap(\.losses), "not held", arguments, on: console)
  }

  private static func document(_ path: String) throws -> FormatDocument {
    if let data = try Input.stream(path, atMost: FormatDocument.largestSize) {
      return FormatDocument(data, file: Input.name(path))
    }
    return try FormatDocument(contentsOf: URL(fileURLWithPath: path))
  }

  private static func json(_ imported: [ImportedProfile]) -> JSON {
    .members([
      (
        "profiles",
        .array(
          imported.map { entry in
            .members([("profile", ProfileText.whole(entry.profile)), ("losses", FormatChoice.json(entry.losses))])
          })
      )
    ])
  }
}
