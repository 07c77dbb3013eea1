import Internals

/// A report as comma-separated values: one row for each profile and candidate.
///
/// Times are in seconds, shares from 0 to 1. The columns `_low` and `_high` are a figure's interval. `inf` is a time
/// that never comes, or a bound that takes more seeds.
public struct CSVReport: Sendable {
  private let report: RetryReport

  /// Creates the comma-separated values of a report.
  public init(_ report: RetryReport) {
    self.report = report
  }

  private typealias Column = (name: String, value: (PolicyFigures) -> String)

  private static var columns: [Column] {
    var columns: [Column] = [
      ("profile", { $0.profile.csvField }), ("policy", { $0.policy.csvField }), ("trials", { "\($0.trials)" }),
      ("requests", { "\($0.success.total)" }), ("successes", { "\($0.success.successes)" }),
      ("limits", { ($0.limits?.text ?? "").csvField }),
    ]
    for measure in TrialSummary.Measure.allCases { columns += estimate(name(measure)) { $0.measures[measure] } }
    columns += estimate("answer_p50_s") { $0.answers?.p50 }
    columns += estimate("answer_p90_s") { $0.answers?.p90 }
    columns += estimate("answer_p99_s") { $0.answers?.p99 }
    columns += estimate("give_up_p50_s") { $0.timeToGiveUp }
    for (index, time) in PolicyFigures.times.enumerated() {
      columns += estimate("within_\(time.inSeconds)_s") { $0.within.indices.contains(index) ? $0.within[index] : nil }
    }
    columns += estimate("failure_ratio") { $0.failureRatio }
    for measure in PolicyFigures.compared {
      columns += differences("\(name(measure))_difference") { $0.differences?[measure] }
    }
    return columns
  }

  private static func name(_ measure: TrialSummary.Measure) -> String {
    switch measure {
    case .successRate: "success"
    case .amplification: "attempts"
    case .wait: "wait_s_per_answer"
    case .attemptsPerAnswer: "attempts_per_answer"
    case .bytesPerAnswer: "bytes_per_answer"
    case .radioPerAnswer: "radio_s_per_answer"
    case .wastedBytes: "wasted_bytes_per_request"
    case .repeatedEffects: "carried_out_twice"
    case .unreportedEffects: "carried_out_and_reported_failed"
    case .busiestSecond: "busiest_second"
    case .recoveryLoad: "attempts_per_s_in_recovery"
    }
  }

  /// The columns for a figure and the ends of its interval.
  private static func estimate(_ name: String, _ estimate: @escaping (PolicyFigures) -> Estimate?) -> [Column] {
    [
      (name, { number(estimate($0)?.value) }), ("\(name)_low", { number(estimate($0)?.interval.lowerBound) }),
      ("\(name)_high", { number(estimate($0)?.interval.upperBound) }),
    ]
  }

  /// The columns for a difference: value, interval, probability by chance, whether beyond noise, number of seeds.
  private static func differences(
    _ name: String, _ difference: @escaping (PolicyFigures) -> PairedComparison?
  ) -> [Column] {
    [
      (name, { number(difference($0)?.difference) }),
      ("\(name)_low", { number(difference($0)?.interval.lowerBound) }),
      ("\(name)_high", { number(difference($0)?.interval.upperBound) }),
      ("\(name)_p", { number(difference($0)?.probability) }),
      ("\(name)_beyond_noise", { difference($0).map { $0.isBeyondNoise ? "yes" : "no" } ?? "" }),
      ("\(name)_pairs", { difference($0).map { "\($0.count)" } ?? "" }),
    ]
  }

  /// The rows, a heading first, each ended by a line feed; cells without a measurement are empty.
  public var text: String {
    let columns = Self.columns
    let rows = report.profiles.flatMap { report.figures(of: $0) }.map { figures in
      columns.map { $0.value(figures) }.joined(separator: ",")
    }
    return ([columns.map(\.name).joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Double?) -> String {
    value.map { "\($0)" } ?? ""
  }
}
