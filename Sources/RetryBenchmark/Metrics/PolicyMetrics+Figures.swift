public import Foundation

extension PolicyMetrics {
  /// Attempts per request: how many times the load that callers asked for reached the server.
  public var amplification: Double? { attempts.mean }

  /// Whether this policy does better than another one on the seeds that both have, in one measure.
  public func compared(
    to other: PolicyMetrics, by measure: TrialSummary.Measure, confidence: Double = 0.95
  ) -> PairedComparison? {
    PairedComparison(values(of: measure), other.values(of: measure), confidence: confidence)
  }

  /// One measure of each trial, by its seed, where it has one.
  func values(of measure: TrialSummary.Measure) -> [UInt64: Double] {
    var values: [UInt64: Double] = [:]
    for trial in trials { values[trial.seed] = trial[measure] }
    return values
  }

  /// The metrics as JSON; equal metrics are equal bytes.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Reads metrics.
  ///
  /// - Throws: a `DecodingError` that names the place; also for another version of the format.
  public init(json: Data) throws {
    try ReportGate.check(json)
    self = try JSONDecoder().decode(PolicyMetrics.self, from: json)
    if let problem { throw ReportGate.problem(problem) }
  }
}
