import Foundation
import LoopbackServer

/// Parts of benchmarks that run in child processes, so that memory is measured for them alone.
enum Child {
  static func run(_ arguments: [String]) async throws {
    switch arguments.first {
    case "server": try await serve()
    case "requests": try await RequestRate.alone(Array(arguments.dropFirst()))
    case "bare-transfers": try await ManyTransfers.bare()
    case "simulated-transfers": try await ManyTransfers.simulated()
    case "soak-requests": try await Soak.requests(isFresh: arguments.last == "fresh")
    case "soak-simulations": try await Soak.simulations()
    case "simulation-storm": try await VirtualTime.stormChild()
    #if os(Linux)
      case "client-storm": await Clients.stormChild(Int(arguments[1]) ?? 0)
    #endif
    case "second-resume": SecondResume.child(Array(arguments.dropFirst()))
    case "stress": await Stress.child(Array(arguments.dropFirst()))
    case "retry-coverage": try await RetryCoverage.run(Array(arguments.dropFirst()))
    case "retry-bytes": try await RetryCoverage.bytes(Array(arguments.dropFirst()))
    case "retry-power": try await RetryPower.run(Array(arguments.dropFirst()))
    case "retry-decisions": try await RetryDecisions.run(Array(arguments.dropFirst()))
    case "retry-crowd": try await RetryTrials.crowd()
    case "retry-share": try await RetryTrials.share(Array(arguments.dropFirst()))
    case "worker": try await Working.serve(arguments[1])
    case "ahead": try await ServerAhead.receive(from: arguments[1])
    case "large-uploads": try await LargeBodies.upload()
    case "proxy-alone": try ProxyLoad.serve(arguments.last ?? "")
    case "sink": try ProxyLoad.sink()
    case "large-answer": try await LargeBodies.download()
    default: throw CocoaError(.featureUnsupported)
    }
  }

  /// Serves bodies of any size on the loopback interface until the process is terminated.
  private static func serve() async throws {
    let server = try LoopbackServer()
    print(server.url("/").absoluteString)
    fflush(nil)
    try await Task.sleep(for: .seconds(3_600))
    server.stop()
  }

  /// Runs one part in a new process of this program.
  static func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
    let own = URL(fileURLWithPath: "/proc/self/exe")
    let program =
      FileManager.default.fileExists(atPath: own.path) ? own.resolvingSymlinksInPath() : Bundle.main.executableURL
    return try start(program, ["child"] + arguments)
  }

  private static func start(_ program: URL?, _ arguments: [String]) throws -> (process: Process, output: Pipe) {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return (process, output)
  }

  /// Runs another build of this program to its end and returns its output lines.
  static func lines(of path: String, _ arguments: [String]) throws -> [String] {
    let (process, output) = try start(URL(fileURLWithPath: path), arguments)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }

  /// Runs a part to its end and returns its output words.
  static func collect(_ arguments: [String]) throws -> [String] {
    let (process, output) = try start(arguments)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Runs `body` while a loopback server runs in another process.
  static func withServer<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let (process, output) = try start(["server"])
    defer { process.terminate() }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return try await body(line.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

extension [String] {
  /// The number at an index; `usual` if it is missing or not a number.
  func number(_ index: Int, usual: Int) -> Int { indices.contains(index) ? Int(self[index]) ?? usual : usual }
}
