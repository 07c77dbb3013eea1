#if os(Linux)
  import Foundation

  /// Runs the built program in a real shell.
  enum Program {
    /// The folder of the test executable, where the build also puts the program.
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("netcond").path

    /// Runs a script in a folder, with `netcond` on the path, and returns everything that it printed.
    static func run(_ script: String, in folder: URL) async throws -> String {
      let file = folder.appendingPathComponent("output")
      try Data().write(to: file)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      // The shell finds the program by its name, as people call it.
      process.environment = ["PATH": "\(URL(fileURLWithPath: path).deletingLastPathComponent().path):/usr/bin:/bin"]
      process.arguments = ["-c", script]
      process.currentDirectoryURL = folder
      process.standardInput = FileHandle.nullDevice
      let output = try FileHandle(forWritingTo: file)
      (process.standardOutput, process.standardError) = (output, output)
      let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
      process.terminationHandler = { _ in continuation.yield() }
      try process.run()
      await ends.first { true }
      return try String(contentsOf: file, encoding: .utf8)
    }
  }
#endif
