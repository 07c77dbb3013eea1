/// How the program ends, as the shell sees it.
enum ExitStatus: Int32 {
  /// It did what it was asked to.
  case done = 0
  /// The transfer or the check failed.
  case failed = 1
  /// It was asked for what makes no sense.
  case usage = 2
  /// It was interrupted from the keyboard: 128 and the number of SIGINT.
  case interrupted = 130
  /// The reader of its standard output went away: 128 and the number of SIGPIPE.
  case unread = 141
  /// It was asked to terminate: 128 and the number of SIGTERM.
  case terminated = 143

  /// What a command ends with that a signal cut short.
  static func after(signal: Int32) -> ExitStatus { signal == 2 ? .interrupted : .terminated }
}

/// A command line that makes no sense: one line, exit status 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What was given, and what would be right.
  let message: String

  init(_ message: String) {
    self.message = message
  }

  var description: String { message }
}
