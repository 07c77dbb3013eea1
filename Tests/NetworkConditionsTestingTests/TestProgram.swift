#if os(Linux)
  import Foundation

  /// This test program, started as a new process.
  enum TestProgram {
    /// Runs the tests of a suite; returns the printed output and how the process ended.
    static func run(
      _ suite: String, with variables: [String: String], _ arguments: [String] = []
    ) throws -> (text: String, end: Process.TerminationReason) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", "\(suite)/"] + arguments
      process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
      let output = Pipe()
      (process.standardError, process.standardOutput) = (output, output)
      try process.run()
      try output.fileHandleForWriting.close()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (text, process.terminationReason)
    }
  }
#endif
