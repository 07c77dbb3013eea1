import Foundation
import Internals
import NetworkConditions

/// The program: finds the subcommand, runs it, and turns its result into an exit status.
@main
enum Netcond {
  static let version = PackageVersion.current

  static func main() async {
    Terminal.holdStandardStreams()
    // A reader that goes away makes the write fail instead, so that the program can still clean up.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(Array(CommandLine.arguments.dropFirst()), on: .standard)
    // `_exit` and not `exit`, which shuts down OpenSSL while Foundation's threads may use it (seen after an interrupted
    // `record`).
    fflush(nil)
    _exit(status.rawValue)
  }

  /// Runs a command line and returns how it ended; all output goes to `console`.
  static func run(_ words: [String], on console: Console) async -> ExitStatus {
    var status: ExitStatus
    do {
      status = try await begin(words, on: console)
    } catch {
      let failure = Failure(error)
      status = error is UsageError ? .usage : .failed
      // With --json the error goes to standard output, unless the JSON object was already printed.
      if words.prefix(while: { $0 != "--" }).contains("--json"), !console.printed.isAny { console.out(failure.json) }
      let command = Subcommands.all.first { $0.name == words.first }
      console.error("netcond\(command.map { " \($0.name)" } ?? ""): \(failure.line.printable)\n")
    }
    guard let problem = console.printed.problem, [.done, .failed].contains(status) else { return status }
    if console.printed.isUnwanted { return .unread }
    if status == .done { console.error("netcond: \(Console.lost(problem).printable)\n") }
    return .failed
  }

  private static func begin(_ words: [String], on console: Console) async throws -> ExitStatus {
    switch words.first ?? TourCommand.name {
    case "help", "--help", "-h":
      console.out(
        try words.first { !Self.help.contains($0) }.map { Help.text(of: try command(named: $0), width: console.width) }
          ?? Help.overview(width: console.width))
      return .done
    case "--version", "version":
      console.out("netcond \(version)\n")
      return .done
    case let name:
      let command = try command(named: name, of: words)
      let arguments = try Arguments(Array(words.dropFirst()), usage: command.usage)
      guard !arguments[flag: .help] else {
        console.out(Help.text(of: command, width: console.width))
        return .done
      }
      return try await command.init().run(arguments, on: console)
    }
  }

  private static let help = ["help", "--help", "-h"]

  private static func command(named word: String, of words: [String] = []) throws -> any Subcommand.Type {
    if let command = Subcommands.all.first(where: { $0.name == word }) { return command }
    let near = NearNames.find(word, among: Subcommands.all.map { $0.name } + ["help"], atMost: 3)
    let isOption = word.hasPrefix("-")
    if isOption, let late = words.first(where: { word in Subcommands.all.contains { $0.name == word } }) {
      throw UsageError("options come after the command: netcond \(late) \(word) …")
    }
    let kind = isOption ? "option" : "command"
    throw UsageError(
      "unknown \(kind) \(word.isEmpty ? "\"\"" : word)\(NearNames.question(near) ?? "; netcond help lists the commands")"
    )
  }
}
