import Internals
import NetworkConditions

/// A command of the program: a name, its operands and options, and one method.
///
/// To add one, write a file with a conforming type and add the type to ``Subcommands/all``.
protocol Subcommand {
  static var name: String { get }
  static var abstract: String { get }
  static var usage: Usage { get }
  init()
  /// Runs the command; throws ``UsageError`` when the command line makes no sense.
  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus
}

enum Subcommands {
  static var all: [any Subcommand.Type] {
    [
      TourCommand.self, GetCommand.self, ProfilesCommand.self, ShowCommand.self, SimulateCommand.self,
      RetryCommand.self, MergeCommand.self, CheckCommand.self, ImportCommand.self, ExportCommand.self,
      RecordCommand.self, ProxyCommand.self, ExplainCommand.self, CompletionsCommand.self,
    ]
  }
}

enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case usage = 2
  /// The terminal was closed: 128 and the number of SIGHUP.
  case hungUp = 129
  /// The user interrupted the program: 128 and the number of SIGINT.
  case interrupted = 130
  /// The reader of standard output went away: 128 and the number of SIGPIPE.
  case unread = 141
  /// The program was asked to terminate: 128 and the number of SIGTERM.
  case terminated = 143

  static func after(signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) ?? .terminated }
}

/// An error in the command line, printed as one line with exit status 2.
struct UsageError: ExplainedError, Equatable {
  let sentence: String
  /// The explanation to which the sentence refers: usually how command lines are written.
  let explanation: Explanation

  init(_ message: String, _ explanation: Explanation = .usage) {
    sentence = message
    self.explanation = explanation
  }

  var description: String { explanation.ending(sentence) }

  /// Calls `parse`, and puts the option's name before the message of an error.
  static func naming<Value>(_ option: String, _ parse: () throws -> Value) throws -> Value {
    do {
      return try parse()
    } catch let error as ProfileError {
      throw UsageError("--\(option): \(error)")
    }
  }
}
