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
  /// The choices that tests make instead of the user.
  var overrides = Overrides()

  /// The things that tests put in the place of the world.
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

  /// The fate of everything that was printed on standard output.
  var printed: Printed { record.value }
  private let record = Locked(Printed())

  /// The fate of everything that a command printed on standard output.
  struct Printed: Sendable {
    /// Whether anything was.
    var isAny = false
    /// Why something was lost: the disk is full, or the reader has gone.
    var problem: SystemError?
    /// Whether the reader has closed standard output (EPIPE).
    var isUnwanted: Bool { problem?.code == EPIPE }
  }

  /// Prints on standard output; what is lost counts at the end of the command.
  func out(_ text: String) {
    try? out(Data(text.utf8))
  }

  /// Writes bytes as they are to standard output.
  func out(_ data: Data) throws(SystemError) {
    do {
      try sink(data, .output)
      record.withLock { $0.isAny = true }
    } catch {
      record.withLock { $0.problem = error }
      throw error
    }
  }

  /// How it is said that standard output takes no more.
  static func lost(_ problem: SystemError) -> String {
    Explanation.unwritableFile.ending("Standard output cannot be written: \(problem).")
  }

  /// Prints on standard error.
  func error(_ text: String) {
    if !printed.isUnwanted { try? sink(Data(text.utf8), .error) }
  }

  /// Prints the one line that says what went wrong.
  func fail(_ message: String) {
    error("netcond \(message.printable)\n")
  }
}

typealias JSON = JSONValue

extension JSON {
  /// Seconds, to the microsecond, or null.
  init(seconds duration: Duration?) {
    self = duration.map { .real(Double(Int64(($0 / .microseconds(1)).rounded())) / 1e6) } ?? .null
  }
}

extension Console {
  /// Prints the one object of `--json`.
  func out(_ json: JSON) {
    out(json.lineText + "\n")
  }

  /// Prints what came of a command: the object of `--json` if there is one, or lines for people.
  ///
  /// - Parameter isTaken: whether standard output is a file's, which is not to be mixed with words.
  func show(_ json: JSON?, isTaken: Bool = false, or lines: (_ width: Int, _ style: Style) -> [String]) {
    if let json { return out(json) }
    let text = lines(width, isTaken ? errorStyle : style).joined(separator: "\n") + "\n"
    if isTaken { error(text) } else { out(text) }
  }
}

/// Asks for the properties of the process's terminal.
enum Terminal {
  static let output: Int32 = 1
  static let error: Int32 = 2
  /// The width of what is no terminal.
  static let defaultWidth = 100

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Makes sure that no file gets the number of a standard stream that is closed: what is printed would end up in it.
  static func holdStandardStreams() {
    for descriptor in [0, output, error] where fcntl(descriptor, F_GETFD) < 0 {
      // Opened the wrong way round, so that it is as good as closed.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether colours are wanted: see no-color.org.
  static var allowsColour: Bool {
    (environment("NO_COLOR") ?? "").isEmpty && isCapable
  }

  /// Whether the terminal understands that a line is drawn again.
  static var isCapable: Bool { environment("TERM") != "dumb" }

  /// The columns of the terminal: what the system says, then COLUMNS, then a width that fits most places.
  static var width: Int {
    for descriptor in [output, error] {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    }
    return environment("COLUMNS").flatMap(Int.init).flatMap { (20...1000).contains($0) ? $0 : nil } ?? defaultWidth
  }

  private static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
