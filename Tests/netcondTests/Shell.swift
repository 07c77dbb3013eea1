import Foundation
import Internals
import NetworkConditions

@testable import netcond

/// Runs command lines in this process and keeps what they print.
struct Shell {
  /// The result of a command line.
  struct Outcome {
    let status: ExitStatus
    let output: String
    let error: String
    let bytes: Data

    /// The printed JSON object; fails if anything else was printed.
    var object: [String: Any] {
      get throws {
        let value = try JSONSerialization.jsonObject(with: bytes)
        guard let object = value as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
        return object
      }
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  var width = 80
  var style = Style.none
  /// Whether progress is drawn on standard error.
  var isLive = false
  /// Whether simulated networks run without real waits.
  var runsAtOnce = true
  /// The error with which every write to standard output fails; `nil` if writes succeed.
  var lost: SystemError?
  /// The transport that answers instead of the real network.
  var transport: (any Transport)?

  func run(_ words: String...) async -> Outcome {
    await run(words)
  }

  func run(_ words: [String]) async -> Outcome {
    let record = Record()
    let lost = lost
    var console = Console(
      sink: { (data, stream) throws(SystemError) in
        if let lost, stream == .output { throw lost }
        record.text.withLock { stream == .output ? $0.output.append(data) : $0.error.append(data) }
      },
      style: style, errorStyle: style, isLive: isLive, measure: { [width] in width })
    console.overrides.runsAtOnce = runsAtOnce
    console.overrides.transport = transport
    let status = await Netcond.run(words, on: console)
    let (output, error) = record.text.withLock { $0 }
    return Outcome(
      status: status, output: String(decoding: output, as: UTF8.self), error: String(decoding: error, as: UTF8.self),
      bytes: output)
  }

  private final class Record: Sendable {
    let text = Mutex((output: Data(), error: Data()))
  }
}

/// A temporary folder, which is removed with its contents.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("netcond-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}
