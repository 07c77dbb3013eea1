import Internals
import NetworkConditions

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The program: finds the subcommand, hands it its words, and turns what comes of it into an exit status.
@main
enum Netcond {
  static let version = PackageVersion.current

  static func main() async {
    let status = await run(Array(CommandLine.arguments.dropFirst()), on: .standard)
    exit(status.rawValue)
  }

  /// Runs a command line and says how it ended; everything that it prints goes through `console`.
  static func run(_ words: [String], on console: Console) async -> ExitStatus {
    guard let first = words.first else {
      console.out(Help.overview(width: console.width))
      return .done
    }
    switch first {
    case "help", "--help", "-h": return help(Array(words.dropFirst()), on: console)
    case "--version", "version":
      console.out("netcond \(version)\n")
      return .done
    default: break
    }
    guard let command = Subcommands.all.first(where: { $0.name == first }) else {
      return unknown(first, on: console)
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), usage: command.usage)
      if arguments[flag: .help] {
        console.out(Help.text(of: command, width: console.width))
        return .done
      }
      return try await command.init().run(arguments, on: console)
    } catch let error as UsageError {
      console.fail("\(command.name): \(error.message)")
      return .usage
    } catch {
      console.fail("\(command.name): \(error)")
      return .failed
    }
  }

  private static func help(_ words: [String], on console: Console) -> ExitStatus {
    guard let name = words.first else {
      console.out(Help.overview(width: console.width))
      return .done
    }
    guard let command = Subcommands.all.first(where: { $0.name == name }) else { return unknown(name, on: console) }
    console.out(Help.text(of: command, width: console.width))
    return .done
  }

  private static func unknown(_ word: String, on console: Console) -> ExitStatus {
    let near = NearNames.of(word, among: Subcommands.all.map { $0.name } + ["help"])
    let kind = word.hasPrefix("-") ? "option" : "command"
    console.fail("unknown \(kind) \(word)\(NearNames.question(near) ?? "; netcond help lists the commands")")
    return .usage
  }
}
