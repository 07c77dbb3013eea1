import Foundation
import NetworkConditions
import TrafficRecording

/// What came of `netcond record`, as text and as JSON.
struct RecordReport {
  /// What came of one URL.
  struct Result: Sendable {
    let url: String
    var status: Int?
    var bytes: Int64 = 0
    var failure: Failure?

    var line: String {
      let head = status.map { "\($0)" } ?? "no response"
      return "\(head)  \(url.printable)  \(failure?.line ?? Amounts.bytes(bytes))"
    }

    var json: JSON {
      .members([
        ("url", .string(url)), ("status", status.map { .integer($0) } ?? .null), ("bytes", .integer(bytes)),
        ("error", JSON(failure?.sentence)), ("error_code", JSON(failure?.code)),
      ])
    }
  }

  let file: String
  let results: [Result]
  /// How many exchanges were recorded; `nil` when the archive that was there stays.
  var entries: Int?
  /// What was left out of them.
  var omissions = HTTPArchive.Omissions()

  var json: JSON {
    .members([
      ("file", .string(file)), ("entries", entries.map { .integer($0) } ?? .null),
      ("redacted", .integer(omissions.total)),
      ("transfers", .array(results.map(\.json))),
    ])
  }

  var lines: [String] {
    let end = entries.map { "saved \(file.printable), \($0) \($0 == 1 ? "entry" : "entries"), \(omissions)" }
    return results.map(\.line) + [end ?? "\(file.printable) stays as it was: not all were answered"]
  }
}
