#if os(Linux)
  import Dispatch
  import Foundation

  /// One run of a test target, with at most one active mutation.
  ///
  /// It stops at the first failure. Time and memory are limited, since a mutation may hang or allocate endlessly.
  struct TestRun {
    enum Outcome: Equatable {
      case passed
      /// With the output line that reports the failure.
      case failed(String)
      case timedOut
    }

    let binary: URL
    let target: String
    /// The suites to run; empty means all of the target.
    var suites: [String] = []
    let mutant: String?
    let limit: TimeInterval

    /// The limit of the address space, in KiB, since a mutation may allocate endlessly.
    private static let memory = 12 << 20

    func run() throws -> (outcome: Outcome, seconds: TimeInterval) {
      let start = Date()
      for library in ["swift-testing", "xctest"]
      where library == "swift-testing" || (suites.isEmpty && target.hasSuffix("XCTestTests")) {
        let outcome = try run(library, limit: limit - Date().timeIntervalSince(start))
        if outcome != .passed { return (outcome, Date().timeIntervalSince(start)) }
      }
      return (.passed, Date().timeIntervalSince(start))
    }

    private func run(_ library: String, limit: TimeInterval) throws -> Outcome {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/bash")
      let names = suites.isEmpty ? "" : "(.*/)?(\(suites.joined(separator: "|")))/"
      let filter =
        library == "xctest"
        ? "'\(target)'" : "--testing-library swift-testing --filter '^\(target)\\.\(names)'"
      process.arguments = ["-c", "ulimit -c 0 -v \(Self.memory); exec '\(binary.path)' \(filter) 2>&1"]
      var environment = ProcessInfo.processInfo.environment
      environment[MutatedSource.variable] = mutant
      environment["NETCOND_THOROUGH"] = "1"
      process.environment = environment
      process.currentDirectoryURL = binary.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      process.standardInput = FileHandle.nullDevice
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let pid = process.processIdentifier
      let watchdog = DispatchWorkItem { end(pid) }
      DispatchQueue.global().asyncAfter(deadline: .now() + max(1, limit), execute: watchdog)
      var text = Data()
      var failure: String?
      let begin = Date()
      while failure == nil {
        let piece = output.fileHandleForReading.availableData
        guard !piece.isEmpty else { break }
        text += piece
        failure = Self.failure(in: text)
        if let newline = text.lastIndex(of: UInt8(ascii: "\n")) { text = text[text.index(after: newline)...] }
      }
      if failure != nil { end(pid) }
      process.waitUntilExit()
      watchdog.cancel()
      if let failure { return .failed(failure) }
      if Date().timeIntervalSince(begin) >= max(1, limit) { return .timedOut }
      // The selected suites may have no tests on this system; then no test failed.
      let hasNoTests = process.terminationStatus == EX_UNAVAILABLE && !suites.isEmpty
      return process.terminationStatus == 0 || hasNoTests
        ? .passed : .failed("the test process ended with \(process.terminationStatus)")
    }

    /// Kills the process and its process group.
    private func end(_ pid: Int32) {
      kill(-pid, SIGKILL)
      kill(pid, SIGKILL)
    }

    /// The first output line that reports a failure.
    private static func failure(in output: Data) -> String? {
      String(decoding: output, as: UTF8.self).split(separator: "\n").first {
        $0.contains("✘") && $0.contains(" recorded an issue") || $0.contains(": error: ")
      }.map { $0.replacing(#/\u{1B}\[[0-9]+m/#, with: "").trimmingCharacters(in: .whitespaces) }
    }
  }
#endif
