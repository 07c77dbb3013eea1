import Foundation
import Internals
import NetworkConditions
import ProfileFormats

struct ExportCommand: Subcommand {
  static let name = "export"
  static let abstract = "write a profile in the format of another tool"
  static let usage = Usage(
    operands: "NAME|FILE", count: 1...1, options: [format, FormatChoice.output, .json],
    examples: ["netcond export 3G --to toxiproxy", "netcond export tunnel --to csv -o tunnel.csv"],
    inCode: "profile.exported(as: .toxiproxy), of ProfileFormats.",
    notes: [
      "What the format cannot hold is listed on standard error, one line each.", "",
    ] + FormatChoice.notes)

  static let format = Option("to", short: "t", value: "FORMAT", help: "one of the formats below")

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    guard let name = arguments[Self.format] else {
      throw UsageError("--to FORMAT is missing; the formats are \(FormatChoice.names.joined(separator: ", "))")
    }
    let document = try ProfileFacts.load(arguments.operands[0]).exported(as: FormatChoice.named(name))
    let json: JSON = ["document": .string(document.text), "losses": FormatChoice.json(document.losses)]
    return try FormatChoice.show(
      document.text, json, lost: document.losses.map(\.description), "not written", arguments, on: console)
  }
}

struct ImportCommand: Subcommand {
  static let name = "import"
  static let abstract = "turn another tool's network conditions into a profile"
  static let usage = Usage(
    operands: "FORMAT FILE", count: 2...2, options: [FormatChoice.output, .json],
    examples: [
      "netcond import link-conditioner prefs.plist -o ours.json",
      "echo 'delay 100ms 20ms loss 1% rate 1mbit' | netcond import netem -",
    ],
    inCode: "NetworkProfile(netem: \"delay 100ms\") and the like, of ProfileFormats.",
    notes: [
      "FILE may be - for standard input. What a profile cannot hold is listed on standard error, one line each, and in "
        + "the profile's source.",
      "Exit status: 0 done, 1 when the file is not in that format, 2 wrong usage.", "",
    ] + FormatChoice.notes)

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let format = try FormatChoice.named(arguments.operands[0])
    let document = try Input.read(
      arguments.operands[1], atMost: FormatDocument.largestSize, file: FormatDocument.init(contentsOf:),
      stream: { FormatDocument($0, file: $1) })
    let imported = try format.profiles(in: document)
    let profiles = imported.map(\.profile)
    let text = profiles.count == 1 ? profiles[0].formatText : NetworkProfile.formatText(of: profiles)
    return try FormatChoice.show(
      text, Self.json(imported), lost: Self.lines(imported), "left out", arguments, on: console)
  }

  /// Lists each loss once; if there are several profiles, the line names those that have the loss.
  private static func lines(_ imported: [ImportedProfile]) -> [String] {
    var losses: [FormatLoss] = []
    var names: [FormatLoss: [String]] = [:]
    for entry in imported {
      for loss in entry.losses {
        if names[loss] == nil { losses.append(loss) }
        names[loss, default: []].append(entry.profile.name)
      }
    }
    guard imported.count > 1 else { return losses.map(\.description) }
    let most = 3
    return losses.map { loss in
      let all = names[loss] ?? []
      let more = all.count > most ? " and \(all.count - most) more" : ""
      return "\(loss) (in \(all.prefix(most).joined(separator: ", "))\(more))"
    }
  }

  private static func json(_ imported: [ImportedProfile]) -> JSON {
    let profiles = imported.map { entry -> JSON in
      ["profile": ProfileText.whole(entry.profile), "losses": FormatChoice.json(entry.losses)]
    }
    return ["profiles": .array(profiles)]
  }
}

enum FormatChoice {
  static var names: [String] { ProfileFormat.all.map(\.name) }

  static var notes: [String] {
    let width = (names.map(\.count).max() ?? 0) + 2
    return ["Formats:"] + ProfileFormat.all.map { "  \($0.name.padded(to: width))\($0.summary)" }
  }

  static func named(_ name: String) throws -> ProfileFormat {
    guard let format = ProfileFormat.named(name) else {
      let question = NearNames.question(NearNames.find(name, among: names, atMost: 3))
      throw UsageError("unknown format \(name)\(question ?? "; the formats are \(names.joined(separator: ", "))")")
    }
    return format
  }

  static let output = Option(
    "output", short: "o", value: "FILE", help: "write the document to FILE instead of standard output")

  /// Writes a document to `--output` or standard output, and losses to standard error; with `--json` prints the JSON.
  static func show(
    _ document: String, _ json: JSON, lost losses: [String], _ verb: String, _ arguments: Arguments,
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
    for loss in losses { console.error("\(console.errorStyle(.warning, verb))  \(loss.printable)\n") }
    return .done
  }

  static func json(_ losses: [FormatLoss]) -> JSON {
    .array(losses.map { ["subject": .string($0.subject), "reason": .string($0.reason)] })
  }
}
