import Foundation
import NetworkConditions

/// The files of `--trace`: begun before the transfer, so that it is not made in vain, and written after it.
struct TraceFiles: Sendable {
  private let files: [(format: TraceFormat, output: Output)]

  /// Makes sure that there is a place for each file.
  init(_ targets: [GetOptions.Trace], on console: Console) throws {
    files = try targets.map { ($0.format, try Output($0.path, of: GetOptions.traceOption, on: console)) }
  }

  /// Writes what happened in a network, also when it is a failure, and says where.
  func write(_ network: SimulatedNetwork) throws -> [String] {
    for (format, output) in files {
      try output.write(format.content(network))
      try output.keep()
    }
    return files.map(\.output.path)
  }

  /// Removes what was begun.
  func discard() {
    for file in files { file.output.discard() }
  }
}
