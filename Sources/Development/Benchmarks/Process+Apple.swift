#if !(os(macOS) || os(Linux))
  import Foundation

  /// Replaces Foundation's `Process` on systems that cannot start programs: `run()` fails.
  final class Process: Sendable {
    nonisolated(unsafe) var executableURL: URL?
    nonisolated(unsafe) var arguments: [String]?
    nonisolated(unsafe) var standardOutput: Any?
    nonisolated(unsafe) var standardError: Any?
    var processIdentifier: Int32 { 0 }
    var isRunning: Bool { false }
    var terminationStatus: Int32 { 1 }
    func run() throws { throw CocoaError(.featureUnsupported) }
    func terminate() {}
    func waitUntilExit() {}
  }
#endif
