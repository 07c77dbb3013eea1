import Internals
import NetworkConditions

/// One thing that the program can do: a name, what it takes, and one method.
///
/// To add one, write a file with a type that conforms, and name it in ``Subcommands/all``.
protocol Subcommand {
  /// The word that calls it.
  static var name: String { get }
  /// Its effect, in one line.
  static var abstract: String { get }
  /// The operands and options that its command line may contain.
  static var usage: Usage { get }
  init()
  /// Does it; throws ``UsageError`` when the command line makes no sense.
  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus
}

/// The subcommands.
enum Subcommands {
  static var all: [any Subcommand.Type] {
    [
      TourCommand.self, GetCommand.self, ProfilesCommand.self, ShowCommand.self, SimulateCommand.self,
      RetryCommand.self, MergeCommand.self, CheckCommand.self, ImportCommand.self, ExportCommand.self,
      RecordCommand.self, ProxyCommand.self, ExplainCommand.self, CompletionsCommand.self,
    ]
  }
}

/// How the program ends, as the shell sees it.
enum ExitStatus: Int32 {
  /// It did what it was asked to.
  case done = 0
  /// The transfer or the check failed.
  case failed = 1
  /// It was asked for what makes no sense.
  case usage = 2
  /// Its terminal was closed: 128 and the number of SIGHUP.
  case hungUp = 129
  /// It was interrupted from the keyboard: 128 and the number of SIGINT.
  case interrupted = 130
  /// The reader of its standard output went away: 128 and the number of SIGPIPE.
  case unread = 141
  /// It was asked to terminate: 128 and the number of SIGTERM.
  case terminated = 143

  /// The status of a command that a signal cut short.
  static func after(signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) ?? .terminated }
}

/// A command line that makes no sense: one line, exit status 2.
struct UsageError: ExplainedError, Equatable {
  /// The words that were given, and those that would be right.
  let message: String
  /// What it means: how the command line is to be written, or more than that.
  let explanation: Explanation

  init(_ message: String, _ explanation: Explanation = .usage) {
    self.message = message
    self.explanation = explanation
  }

  var description: String { explanation.ending(message) }
  var sentence: String { message }

  /// Reads a quantity, and puts the option's name before what is wrong with it.
  static func naming<Value>(_ option: String, _ parse: () throws -> Value) throws -> Value {
    do {
      return try parse()
    } catch let error as ProfileError {
      throw UsageError("--\(option): \(error)")
    }
  }
}
