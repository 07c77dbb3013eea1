import Foundation
import Internals
import RetryBenchmark

struct ReportOutput {
  static let csvOption = Option(
    "csv", value: "FILE", help: "also write one row for each profile and policy to a file")
  static let htmlOption = Option("html", value: "FILE", help: "also write a page with charts to a file")
  static let svgOption = Option(
    "svg", value: "FILE", help: "also write a picture of the first profile to a file")
  static let baselineOption = Option(
    "baseline", value: "FILE",
    help:
      "fail when success, p99 or load is worse than in this --json report of the same seeds, by more than noise")
  static let junitOption = Option("junit", value: "FILE", help: "also write what --baseline finds as JUnit XML")
  static let annotationsOption = Option("annotations", help: "also print it as annotations for GitHub Actions")
  static let allOption = Option("all", help: "print all figures and what they mean, not only the answer and a table")
  static let options = [allOption, csvOption, htmlOption, svgOption, Option.json]

  /// Renders a report, with the trials drawn in it, as a file's text.
  private typealias Text = @Sendable (RetryReport, [NamedTrial]) -> String

  private let json: Bool
  private let showsAll: Bool
  private let takesStandardOutput: Bool
  private let files: [(output: Output, text: Text)]

  /// Opens all output files before any trial runs, so that errors show early.
  init(_ arguments: Arguments, on console: Console) throws {
    json = arguments[flag: .json]
    showsAll = arguments[flag: Self.allOption]
    drawsTrials = arguments[Self.htmlOption] != nil
    let kinds: [(Option, Text)] = [
      (Self.csvOption, { report, _ in CSVReport(report).text }),
      (Self.htmlOption, { HTMLReport($0, trials: $1, command: $0.command).text }),
      (Self.svgOption, { report, _ in SVGReport(report, command: report.command).text }),
    ]
    let named = kinds.compactMap { option, text in arguments[option].map { (option: option, path: $0, text: text) } }
    takesStandardOutput = try Output.takesStandard(named.map { ($0.option, $0.path) }, json: json)
    files = try named.map { (try Output($0.path, of: $0.option, on: console), $0.text) }
  }

  func discard() {
    for file in files { file.output.discard() }
  }

  let drawsTrials: Bool

  /// Prints a report, with the trials that the page draws; files appear only when they are complete.
  func show(
    _ report: RetryReport, trials: [NamedTrial] = [], interrupted: Bool, on console: Console
  ) throws {
    if json {
      console.out(String(decoding: try report.json(), as: UTF8.self) + "\n")
    } else {
      console.show(nil, isTaken: takesStandardOutput, or: RetryTable(report: report, showsAll: showsAll).lines)
    }
    guard !interrupted else {
      let paths = files.map(\.output.path)
      if !paths.isEmpty { console.fail("retry: interrupted; nothing was written to \(paths.joined(separator: ", "))") }
      return
    }
    for (output, text) in files {
      try output.write(Data(text(report, trials).utf8))
      try output.keep()
    }
  }
}

extension RetryReport {
  /// The command line that reproduces this report, with its shards merged.
  var command: String {
    var words = ["netcond retry", "--profile \(Self.quoted(profiles.joined(separator: ",")))"]
    words.append("--policy \(Self.quoted(plans.joined(separator: plans == policies ? "," : ", ")))")
    words.append("--clients \(workload.clients)")
    words.append("--seeds \(Self.quoted(SeedRange.text(seeds)))")
    if workload.requestsPerClient != 1 { words.append("--requests \(workload.requestsPerClient)") }
    if case .poisson(let length) = workload.arrival {
      words.append("--arrival \(Self.quoted("poisson \(Self.time(length))"))")
    }
    if case .evenly(let length) = workload.arrival {
      words.append("--arrival \(Self.quoted("evenly \(Self.time(length))"))")
    }
    if let every = workload.every { words.append("--every \(Self.quoted(every.text))") }
    if workload.think != .seconds(0) { words.append("--think \(Self.quoted(workload.think.text))") }
    if workload.method != "GET" { words.append("--method \(workload.method)") }
    words.append("--get \(Self.quoted("\(workload.responseBytes) B"))")
    if workload.requestBytes > 0 { words.append("--put \(Self.quoted("\(workload.requestBytes) B"))") }
    words.append("--server \(Self.quoted(server.text))")
    if !server.brownOutsText.isEmpty { words.append("--brown-out \(Self.quoted(server.brownOutsText))") }
    if !server.outagesText.isEmpty { words.append("--outage \(Self.quoted(server.outagesText))") }
    if let deadline = workload.deadline { words.append("--deadline \(Self.quoted(Self.time(deadline)))") }
    if let perTry = workload.perTry { words.append("--per-try \(Self.quoted(Self.time(perTry)))") }
    if let margin { words.append("--margin \(Self.quoted(margin.text))") }
    if let part = parts.first, parts.count == 1, part.count > 1 {
      words.append("--shard \(part.index + 1)/\(part.count)")
    }
    return words.joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ",.-_/".contains($0)) }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
  }
}
