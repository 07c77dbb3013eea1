import Foundation
import NetworkConditions

/// Where a command's output goes, and what is known of the other end.
struct Console: Sendable {
  /// One of the two ways out.
  enum Stream: Sendable {
    case output
    case error
  }

  /// Takes the bytes; says whether they were taken.
  let sink: @Sendable (Data, Stream) -> Bool
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
      sink: { data, stream in Terminal.write(data, to: stream == .output ? Terminal.output : Terminal.error) },
      style: Style(isOn: outputIsTerminal && Terminal.allowsColour),
      errorStyle: Style(isOn: errorIsTerminal && Terminal.allowsColour),
      isLive: errorIsTerminal && Terminal.isCapable, isOutputTerminal: outputIsTerminal,
      measure: { Terminal.width })
  }

  /// How many columns there are.
  var width: Int { measure() }

  /// Prints on standard output.
  func out(_ text: String) {
    _ = sink(Data(text.utf8), .output)
  }

  /// Writes bytes as they are to standard output; says whether they were taken.
  func out(_ data: Data) -> Bool {
    sink(data, .output)
  }

  /// Prints on standard error.
  func error(_ text: String) {
    _ = sink(Data(text.utf8), .error)
  }

  /// Prints the one line that says what went wrong.
  func fail(_ message: String) {
    error("netcond \(message.printable)\n")
  }
}
