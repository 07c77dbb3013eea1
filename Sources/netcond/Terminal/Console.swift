import Foundation
import Internals
import NetworkConditions

/// Where a command's output goes, and what is known of the other end.
struct Console: Sendable {
  /// One of the two ways out.
  enum Stream: Sendable {
    case output
    case error
  }

  /// Takes the bytes; throws when they are lost.
  let sink: @Sendable (Data, Stream) throws(SystemError) -> Void
  /// Colours for standard output.
  let style: Style
  /// Colours for standard error.
  let errorStyle: Style
  /// Whether a bar may move on standard error.
  let isLive: Bool
  /// Whether standard output is a terminal, which a body and a bar would share.
  var isOutputTerminal = false
  /// Asks how many columns there are: a window may change its size meanwhile.
  let measure: @Sendable () -> Int
  /// What tests decide instead of the user.
  var overrides = Overrides()

  /// What tests put in the place of the world.
  struct Overrides: Sendable {
    /// Whether the network waits for nothing.
    var runsAtOnce = false
    /// Who answers instead of the real network.
    var transport: (any Transport)?
  }

  /// The process's own standard output and standard error.
  static var standard: Console {
    let outputIsTerminal = Terminal.isTerminal(Terminal.output)
    let errorIsTerminal = Terminal.isTerminal(Terminal.error)
    return Console(
      sink: { (data, stream) throws(SystemError) in
        try SystemError.write(data, to: stream == .output ? Terminal.output : Terminal.error)
      },
      style: Style(isOn: outputIsTerminal && Terminal.allowsColour),
      errorStyle: Style(isOn: errorIsTerminal && Terminal.allowsColour),
      isLive: errorIsTerminal && Terminal.isCapable, isOutputTerminal: outputIsTerminal,
      measure: { Terminal.width })
  }

  /// How many columns there are.
  var width: Int { measure() }

  /// What became of what was printed on standard output.
  var printed: Printed { record.state.withLock { $0 } }
  private let record = Record()

  /// What became of what a command printed on standard output.
  struct Printed {
    /// Whether anything was.
    var isAny = false
    /// Why something was lost: the disk is full, or the reader has gone.
    var problem: SystemError?
    /// Whether the reader has gone, who then wants to hear nothing more.
    var isUnwanted: Bool { problem?.code == EPIPE }
  }

  private final class Record: Sendable {
    let state = Mutex(Printed())
  }

  /// Prints on standard output; what is lost counts at the end of the command.
  func out(_ text: String) {
    try? out(Data(text.utf8))
  }

  /// Writes bytes as they are to standard output.
  func out(_ data: Data) throws(SystemError) {
    do {
      try sink(data, .output)
      record.state.withLock { $0.isAny = true }
    } catch {
      record.state.withLock { $0.problem = error }
      throw error
    }
  }

  /// How it is said that standard output takes no more.
  static func lost(_ problem: SystemError) -> String { "Standard output cannot be written: \(problem)." }

  /// Prints on standard error.
  func error(_ text: String) {
    if !printed.isUnwanted { try? sink(Data(text.utf8), .error) }
  }

  /// Prints the one line that says what went wrong.
  func fail(_ message: String) {
    error("netcond \(message.printable)\n")
  }
}
