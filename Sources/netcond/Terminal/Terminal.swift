import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the process knows of its terminal.
enum Terminal {
  static let output: Int32 = 1
  static let error: Int32 = 2
  /// The width of what is no terminal.
  static let defaultWidth = 100

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
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

  /// Writes all of the bytes; says whether they were taken.
  static func write(_ data: Data, to descriptor: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0 {
          if errno == EINTR || errno == EAGAIN { continue }
          return false
        }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
