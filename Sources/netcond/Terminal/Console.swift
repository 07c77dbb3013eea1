import Foundation
import Internals
import NetworkConditions

struct Console: Sendable {
  enum Stream: Sendable {
    case output
    case error
  }

  /// Writes bytes to a stream; throws when they are lost.
  let sink: @Sendable (Data, Stream) throws(SystemError) -> Void
  let style: Style
  let errorStyle: Style
  let isLive: Bool
  /// Whether standard output is a terminal: a body would then mix with the progress bar.
  var isOutputTerminal = false
  let measure: @Sendable () -> Int
  var overrides = Overrides()

  /// Settings with which tests replace the real network and real time.
  struct Overrides: Sendable {
    var runsAtOnce = false
    var transport: (any Transport)?
  }

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

  var width: Int { measure() }

  /// Whether standard output has received everything that was printed.
  var printed: Printed { record.value }
  private let record = Locked(Printed())

  struct Printed: Sendable {
    var isAny = false
    /// Why output was lost, such as a full disk or a reader that has gone.
    var problem: SystemError?
    /// Whether the reader has closed standard output (EPIPE).
    var isUnwanted: Bool { problem?.code == EPIPE }
  }

  /// Prints on standard output; an error is kept in ``printed`` and fails the command at its end.
  func out(_ text: String) {
    try? out(Data(text.utf8))
  }

  func out(_ data: Data) throws(SystemError) {
    do {
      try sink(data, .output)
      record.withLock { $0.isAny = true }
    } catch {
      record.withLock { $0.problem = error }
      throw error
    }
  }

  static func lost(_ problem: SystemError) -> String {
    Explanation.unwritableFile.ending("Standard output cannot be written: \(problem).")
  }

  func error(_ text: String) {
    if !printed.isUnwanted { try? sink(Data(text.utf8), .error) }
  }

  func fail(_ message: String) {
    error("netcond \(message.printable)\n")
  }
}

typealias JSON = JSONValue

extension JSON {
  /// The JSON of a duration in seconds, to the microsecond; null without one.
  init(seconds duration: Duration?) {
    self = duration.map { .real(Double(Int64(($0 / .microseconds(1)).rounded())) / 1e6) } ?? .null
  }
}

extension Console {
  func out(_ json: JSON) {
    out(json.lineText + "\n")
  }

  /// Prints the JSON object or else the lines; lines go to standard error if a file uses standard output (`isTaken`).
  func show(_ json: JSON?, isTaken: Bool = false, or lines: (_ width: Int, _ style: Style) -> [String]) {
    if let json { return out(json) }
    let text = lines(width, isTaken ? errorStyle : style).joined(separator: "\n") + "\n"
    if isTaken { error(text) } else { out(text) }
  }
}

enum Terminal {
  static let output: Int32 = 1
  static let error: Int32 = 2
  static let defaultWidth = 100

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Opens standard streams that are closed; otherwise another file could get their descriptor and receive the output.
  static func holdStandardStreams() {
    for descriptor in [0, output, error] where fcntl(descriptor, F_GETFD) < 0 {
      // The wrong direction makes reads and writes fail, as on a closed stream.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether the user allows colours (no-color.org).
  static var allowsColour: Bool {
    (environment("NO_COLOR") ?? "").isEmpty && isCapable
  }

  static var isCapable: Bool { environment("TERM") != "dumb" }

  /// The terminal's width: from the system, else from COLUMNS, else a usual width.
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
