import Foundation
import NetworkConditions

/// The files of `--trace`: begun before the transfer, so that it is not made in vain, and written after it.
struct TraceFiles: Sendable {
  private var files: [(path: String, format: TraceFormat, file: PendingFile)] = []

  /// Makes sure that there is a place for each file.
  init(_ targets: [GetOptions.Trace]) throws {
    do {
      for target in targets {
        let file = try PendingFile(URL(fileURLWithPath: target.path), option: GetOptions.traceOption.name)
        files.append((target.path, target.format, file))
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Writes what happened in a network, also when it is a failure, and says where.
  mutating func write(_ network: SimulatedNetwork) throws -> [String] {
    defer { discard() }
    for index in files.indices {
      try files[index].file.write(files[index].format.content(network))
      try files[index].file.keep()
    }
    return files.map { URL(fileURLWithPath: $0.path).path }
  }

  /// Removes what was begun.
  mutating func discard() {
    for index in files.indices { files[index].file.discard() }
  }
}
