import Foundation

/// What the process knows of its terminal.
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
