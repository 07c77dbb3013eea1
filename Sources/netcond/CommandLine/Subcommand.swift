/// One thing that the program can do: a name, what it takes, and one method.
///
/// To add one, write a file with a type that conforms, and name it in ``Subcommands/all``.
protocol Subcommand {
  /// The word that calls it.
  static var name: String { get }
  /// What it does, in one line.
  static var abstract: String { get }
  /// What its command line may contain.
  static var usage: Usage { get }
  init()
  /// Does it; throws ``UsageError`` when the command line makes no sense.
  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus
}

/// The subcommands.
enum Subcommands {
  static var all: [any Subcommand.Type] {
    [
      GetCommand.self, ProfilesCommand.self, ShowCommand.self, SimulateCommand.self, RetryCommand.self,
      MergeCommand.self, CheckCommand.self, ImportCommand.self, ExportCommand.self, RecordCommand.self,
      CompletionsCommand.self,
    ]
  }
}
