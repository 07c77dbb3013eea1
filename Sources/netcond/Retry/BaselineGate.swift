import Internals
import Foundation
import RetryBenchmark

/// Implements `netcond retry --baseline FILE`: compares a report with a stored one and reports what got worse.
struct BaselineGate {
  private let path: String
  private let baseline: RetryReport
  private let junit: Output?
  private let annotates: Bool
  private let isJSON: Bool

  /// Reads the baseline, and refuses one of other trials, before any trial runs; `nil` without `--baseline`.
  init?(_ arguments: Arguments, _ options: RetryOptions, on console: Console) throws {
    guard let path = arguments[ReportOutput.baselineOption] else {
      let given = [ReportOutput.junitOption, ReportOutput.annotationsOption].first { arguments[flag: $0] }
      if let given { throw UsageError("--\(given.name) has no effect without --baseline FILE; add it") }
      return nil
    }
    self.path = path
    baseline = try MergeCommand.read(path)
    do throws(RetryBenchmarkError) {
      try RetryComparison.requireLike(baseline, options.benchmark, isSequential: options.goesOn)
    } catch {
      throw Failure(error).naming(path)
    }
    junit = try arguments[ReportOutput.junitOption].map { try Output($0, of: ReportOutput.junitOption, on: console) }
    annotates = arguments[flag: ReportOutput.annotationsOption]
    isJSON = arguments[flag: .json]
  }

  func discard() { junit?.discard() }

  func check(_ report: RetryReport, on console: Console) throws -> ExitStatus {
    let comparison: RetryComparison
    do throws(RetryBenchmarkError) {
      comparison = try RetryComparison(report, to: baseline)
    } catch {
      throw Failure(error).naming(path)
    }
    if let junit {
      try junit.write(Data(comparison.junit.utf8))
      try junit.keep()
    }
    let lines =
      (annotates ? comparison.annotations : []) + [
        comparison.worse.isEmpty ? "\(comparison)" : Explanation.regression.ending("\(comparison)")
      ]
    // With --json, standard output holds a single JSON object and nothing else.
    if isJSON {
      for line in lines { console.fail(line) }
    } else {
      console.out("\n" + lines.joined(separator: "\n") + "\n")
    }
    return comparison.worse.isEmpty ? .done : .failed
  }
}
