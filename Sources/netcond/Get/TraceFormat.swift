import Foundation
import NetworkConditions
import TimelineReports
import TrafficRecording

/// A format for `--trace`, chosen by the ending of the file's name.
///
/// To add a format, add it to ``all``, before any format whose ending is a suffix of the new ending.
struct TraceFormat: Sendable {
  let ending: String
  let content: @Sendable (Timeline) throws -> Data

  static let all = [
    TraceFormat(ending: ".events.csv") { Data($0.eventCSV.utf8) },
    TraceFormat(ending: ".packets.csv") { Data($0.packetCSV.utf8) },
    TraceFormat(ending: ".csv") { Data($0.transferCSV.utf8) },
    TraceFormat(ending: ".json") { Data(TraceEventReport($0).text.utf8) },
    TraceFormat(ending: ".har") { HTTPArchive($0).json },
    TraceFormat(ending: ".html") { Data(TimelinePage($0).text.utf8) },
    TraceFormat(ending: ".svg") { Data(TimelinePicture($0).text.utf8) },
  ]

  /// Returns the format and path of `FILE`, by its ending, or of `csv:FILE`; throws an error that names all formats.
  static func of(_ path: String) throws -> (format: TraceFormat, path: String) {
    let name = URL(fileURLWithPath: path).lastPathComponent.lowercased()
    if let format = all.first(where: { name.hasSuffix($0.ending) && name.count > $0.ending.count }) {
      return (format, path)
    }
    let parts = path.split(separator: ":", maxSplits: 1)
    if parts.count == 2, let format = all.first(where: { $0.ending.dropFirst() == parts[0] }) {
      return (format, String(parts[1]))
    }
    let endings = all.map(\.ending)
    let list = "\(endings.dropLast().joined(separator: ", ")) or \(endings.last ?? "")"
    throw UsageError(
      "--trace: \"\(path)\" does not say what to write; end the name with \(list), or write for example csv:-")
  }
}

/// The files of `--trace`, which are opened before the transfer, so that an error comes early.
struct TraceFiles: Sendable {
  private let files: [(format: TraceFormat, output: Output)]

  init(_ targets: [GetOptions.Trace], on console: Console) throws {
    files = try targets.map { ($0.format, try Output($0.path, of: GetOptions.traceOption, on: console)) }
  }

  /// Writes the timeline to each file, also after a failure, and returns the files' names.
  func write(_ timeline: Timeline) throws -> [String] {
    for (format, output) in files {
      try output.write(format.content(timeline))
      try output.keep()
    }
    return files.map(\.output.path)
  }

  func discard() {
    for file in files { file.output.discard() }
  }
}
