import Foundation

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
      .object([
        ("url", .string(url)), ("status", status.map { .integer(Int64($0)) } ?? .null), ("bytes", .integer(bytes)),
        ("error", JSON(failure?.sentence)), ("error_code", JSON(failure?.code)),
      ])
    }
  }

  let file: String
  let entries: Int
  let results: [Result]

  var json: JSON {
    .object([
      ("file", .string(file)), ("entries", .integer(Int64(entries))), ("transfers", .array(results.map(\.json))),
    ])
  }

  var lines: [String] {
    results.map(\.line) + ["saved \(file.printable), \(entries) \(entries == 1 ? "entry" : "entries")"]
  }
}
