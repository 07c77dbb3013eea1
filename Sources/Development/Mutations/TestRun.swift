#if os(Linux)
  import Dispatch
  import Foundation

  /// One run of a test target, with at most one mutation switched on.
  ///
  /// It ends at the first failed test. Limits on time and memory stop mutations that hang or take all memory.
  struct TestRun {
    enum Outcome: Equatable {
      case passed
      /// With the line of the failure.
      case failed(String)
      case timedOut
    }

    let binary: URL
    let target: String
    /// The suites to run; empty for all of the target's.
    var suites: [String] = []
    let mutant: String?
    let limit: TimeInterval

    /// The limit of the address space in KiB, for mutations that collect without end.
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
      // A folder may have no suite that runs here; then no test has noticed the mutation.
      let hasNoTests = process.terminationStatus == EX_UNAVAILABLE && !suites.isEmpty
      return process.terminationStatus == 0 || hasNoTests
        ? .passed : .failed("the test process ended with \(process.terminationStatus)")
    }

    /// Ends the process and its children.
    private func end(_ pid: Int32) {
      kill(-pid, SIGKILL)
      kill(pid, SIGKILL)
    }

    /// The first line about a failed test.
    private static func failure(in output: Data) -> String? {
      String(decoding: output, as: UTF8.self).split(separator: "\n").first {
        $0.contains("✘") && $0.contains(" recorded an issue") || $0.contains(": error: ")
      }.map { $0.replacing(#/\u{1B}\[[0-9]+m/#, with: "").trimmingCharacters(in: .whitespaces) }
    }
  }
#endif
