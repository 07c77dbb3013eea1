import Internals

/// A report as comma-separated values: one row for each profile and contender, times in seconds, shares from 0 to 1.
public struct CSVReport: Sendable {
  private let report: RetryReport

  /// Creates the table of a report.
  public init(_ report: RetryReport) {
    self.report = report
  }

  private static let ownColumns: [Column] = [
    ("profile", { $0.profile.csvField }), ("policy", { $0.policy.csvField }), ("trials", { "\($0.trials)" }),
    ("requests", { "\($0.success.total)" }), ("successes", { "\($0.success.successes)" }),
    ("success", { number($0.success.rate) }), ("success_low", { number($0.success.interval()?.lowerBound) }),
    ("success_high", { number($0.success.interval()?.upperBound) }), ("latency_p50_s", { seconds($0.latency?.p50) }),
    ("latency_p90_s", { seconds($0.latency?.p90) }), ("latency_p99_s", { seconds($0.latency?.p99) }),
    ("give_up_p50_s", { seconds($0.timeToGiveUp) }), ("attempts_mean", { number($0.attempts) }),
    ("attempts_p99", { $0.attempts99.map { "\($0)" } ?? "" }), ("worst_second", { number($0.worstSecond) }),
    ("wasted_bytes_per_request", { number($0.wastedBytes) }),
  ]
  private static let columns: [Column] = [
    ownColumns, differences("difference") { $0.difference },
    differences("latency_difference_s") { $0.latencyDifference },
    differences("attempts_difference") { $0.attemptsDifference },
  ].flatMap { $0 }

  private typealias Column = (name: String, value: @Sendable (PolicyFigures) -> String)

  /// The mean, its interval, the probability by chance, and whether it is beyond noise.
  private static func differences(
    _ name: String, _ difference: @escaping @Sendable (PolicyFigures) -> PolicyFigures.Difference?
  ) -> [Column] {
    [
      (name, { number(difference($0)?.mean) }),
      ("\(name)_low", { number(difference($0)?.interval.lowerBound) }),
      ("\(name)_high", { number(difference($0)?.interval.upperBound) }),
      ("\(name)_p", { number(difference($0)?.probability) }),
      ("\(name)_beyond_noise", { difference($0).map { $0.isBeyondNoise ? "yes" : "no" } ?? "" }),
    ]
  }

  /// The rows, a heading first, each ended by a line feed; what was not measured is empty.
  public var text: String {
    let rows = report.profiles.flatMap { report.figures(of: $0) }.map { figures in
      Self.columns.map { $0.value(figures) }.joined(separator: ",")
    }
    return ([Self.columns.map(\.name).joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Double?) -> String {
    value.map { "\($0)" } ?? ""
  }

  private static func seconds(_ time: Duration?) -> String {
    number(time?.inSeconds)
  }
}
