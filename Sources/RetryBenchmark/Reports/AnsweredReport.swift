/// A report with its headlines and failure ratios, for readers of its JSON.
struct AnsweredReport: Encodable {
  let report: RetryReport

  private struct Answer: Encodable {
    let profile: String
    let headline: String
    let failures: [Failures]
  }

  /// A candidate's failures divided by the first one's, with its interval; infinite values are left out.
  private struct Failures: Encodable {
    let policy: String
    let ratio: Double?
    let low: Double
    let high: Double?
  }

  private enum Key: String, CodingKey { case answers }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(report.profiles.map(answer), forKey: .answers)
  }

  private func answer(of profile: String) -> Answer {
    let failures = report.figures(of: profile).compactMap { figures in
      figures.failureRatio.map { ratio in
        func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
        return Failures(
          policy: figures.policy, ratio: finite(ratio.value), low: ratio.interval.lowerBound,
          high: finite(ratio.interval.upperBound))
      }
    }
    return Answer(profile: profile, headline: report.headline(of: profile), failures: failures)
  }
}
