import Foundation
import RetryBenchmark

/// Where a report goes: to standard output as a table or as JSON, and to files.
struct ReportOutput {
  static let csvOption = Option(
    "csv", value: "FILE", help: "write one row for each profile and policy to a file, too")
  static let htmlOption = Option("html", value: "FILE", help: "write a page with charts to a file, too")
  static let svgOption = Option(
    "svg", value: "FILE", help: "write a picture of the first profile to a file, too")
  static let options = [csvOption, htmlOption, svgOption, Option.json]

  /// Turns a report, and the trials that are drawn in it, into a file's text.
  private typealias Text = @Sendable (RetryReport, [TrialCourse]) -> String

  private let json: Bool
  private var files: [(path: String, file: PendingFile, text: Text)] = []

  /// Makes sure that there is a place for each file, before any work is done.
  init(_ arguments: Arguments) throws {
    json = arguments[flag: .json]
    drawsTrials = arguments[Self.htmlOption] != nil
    let kinds: [(Option, Text)] = [
      (Self.csvOption, { report, _ in CSVReport(report).text }),
      (Self.htmlOption, { HTMLReport($0, courses: $1).text }),
      (Self.svgOption, { report, _ in SVGReport(report).text }),
    ]
    do {
      for (option, text) in kinds {
        guard let path = arguments[option] else { continue }
        let file = try PendingFile(URL(fileURLWithPath: path), option: option.name)
        files.append((path, file, text))
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Removes what was begun.
  mutating func discard() {
    for index in files.indices { files[index].file.discard() }
    files = []
  }

  /// Whether trials are drawn anywhere.
  let drawsTrials: Bool

  /// Prints a report; files appear only when it is whole.
  ///
  /// - Parameter courses: the trials that are drawn on the page.
  mutating func show(
    _ report: RetryReport, courses: [TrialCourse] = [], interrupted: Bool, on console: Console
  ) throws {
    if json {
      console.out(String(decoding: try report.json(), as: UTF8.self) + "\n")
    } else {
      let lines = RetryTable(report: report).lines(width: console.width, style: console.style)
      console.out(lines.joined(separator: "\n") + "\n")
    }
    guard !interrupted else {
      let paths = files.map(\.path)
      discard()
      if !paths.isEmpty { console.fail("retry: interrupted; nothing was written to \(paths.joined(separator: ", "))") }
      return
    }
    defer { discard() }
    for index in files.indices {
      try files[index].file.write(Data(files[index].text(report, courses).utf8))
      try files[index].file.keep()
    }
  }
}
