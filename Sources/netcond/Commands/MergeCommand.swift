import Internals
import NetworkConditions
import RetryBenchmark

struct MergeCommand: Subcommand {
  static let name = "merge"
  static let abstract = "merge the shards of one run of netcond retry"
  static let usage = Usage(
    operands: "PART ...", count: 1...10_000, options: ReportOutput.options,
    examples: ["netcond merge a.json b.json --html report.html"],
    inCode: "RetryReport.merging(_:).",
    notes: [
      "Each PART is a file with the output of netcond retry --json. All shards together are the whole run, byte for byte.",
      "Exit status: 0 done, 1 when a part cannot be read, belongs to another run, or is missing, 2 wrong usage.",
    ])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    var whole: RetryReport?
    for path in arguments.operands {
      let part = try Self.read(path)
      do {
        whole = try RetryReport.merging([whole, part].compactMap { $0 })
      } catch {
        throw Failure(error).naming(path)
      }
    }
    guard let whole else { throw UsageError("needs \(Self.usage.operands)") }
    let output = try ReportOutput(arguments, on: console)
    try output.show(whole, interrupted: false, on: console)
    let known = Set(whole.parts.map(\.index))
    let missing = (0..<(whole.parts.first?.count ?? 1)).filter { !known.contains($0) }.map { "\($0 + 1)" }
    guard !missing.isEmpty else { return .done }
    console.fail(
      Explanation.unlikeReports.ending(
        "merge: these of the \(missing.count + known.count) shards are missing: \(missing.joined(separator: ", "))"))
    return .failed
  }

  static func read(_ path: String) throws -> RetryReport {
    let data = try Input.file(path, atMost: 1 << 30)
    do throws(ProfileError) {
      return try RetryReport(json: data)
    } catch {
      throw Failure(error).naming("\(path): this is not a report of netcond retry --json")
    }
  }
}
