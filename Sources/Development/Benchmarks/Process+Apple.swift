#if !(os(macOS) || os(Linux))
  import Foundation

  /// Foundation's `Process` for systems that start no programs: each attempt fails.
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
