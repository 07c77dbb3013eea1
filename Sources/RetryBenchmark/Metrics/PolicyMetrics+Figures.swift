public import Foundation
public import NetworkConditions

extension PolicyMetrics {
  /// How many requests there were, and how many succeeded.
  public var success: Proportion {
    Proportion(
      successes: trials.reduce(0) { $0 + $1.successes }, of: trials.reduce(0) { $0 + $1.requests })
  }

  /// How many requests that are not idempotent the server carried out more than once.
  public var repeatedEffects: Int { trials.reduce(0) { $0 + $1.repeatedEffects } }

  /// A measure of all trials, with the interval that holds the true one; `nil` where there is nothing to measure.
  ///
  /// Of what a few requests decide, such as bytes, few seeds have no interval (``Estimate/seedsNeeded``).
  public func estimate(of measure: TrialSummary.Measure, confidence: Double = 0.95) -> Estimate? {
    let sample = RatioSample(trials.map { $0.parts(of: measure) })
    guard !measure.isShare else { return sample?.share(confidence: confidence) }
    guard let needed = measure.seedsNeeded(of: trials.count, requests: success.total) else {
      return sample?.mean(confidence: confidence)
    }
    return sample.map {
      Estimate(value: $0.ratio, interval: 0...(.infinity), seeds: trials.count, seedsNeeded: needed)
    }
  }

  /// In how many seconds at most this share of all requests are answered, failures being those that never are.
  ///
  /// So a policy that gives up early does not look quick. To within 0.4 %; infinite where fewer are ever answered.
  public func timeToAnswer(_ share: Double, confidence: Double = 0.95) -> Estimate? {
    answerTimes?.quantile(share, confidence: confidence)
  }

  /// The share of all requests that are answered within a time.
  public func answered(within time: Duration, confidence: Double = 0.95) -> Estimate? {
    answerTimes?.within(time, confidence: confidence)
  }

  /// After how many seconds at most this share of the requests that failed were given up; `nil` where none was.
  public func timeToGiveUp(_ share: Double, confidence: Double = 0.95) -> Estimate? {
    TimeSample(trials.map(\.failures), of: trials.map { $0.requests - $0.successes })?
      .quantile(share, confidence: confidence)
  }

  /// By how much the successes of one seed differ from the share of all; `nil` of a single seed.
  var deviationOfSuccess: Double? {
    RatioSample(trials.map { $0.parts(of: .successRate) })?.standardError.map { $0 * Double(trials.count).squareRoot() }
  }

  /// The times of all answers, with those that never came.
  var answerTimes: TimeSample? { TimeSample(trials.map(\.answers), of: trials.map(\.requests)) }

  /// Attempts per request: how many times the load that callers asked for reached the server.
  public var amplification: Double? { estimate(of: .amplification)?.value }

  /// By how much this policy differs from another one on the seeds that both have, in one measure; `nil` where there are none.
  public func compared(
    to other: PolicyMetrics, by measure: TrialSummary.Measure, confidence: Double = 0.95
  ) -> PairedComparison? {
    var theirs: [UInt64: TrialSummary] = [:]
    for trial in other.trials { theirs[trial.seed] = trial }
    let pairs = trials.compactMap { own in theirs[own.seed].map { (own, $0) } }
    let requests = pairs.reduce(0) { $0 + $1.0.requests }
    return PairedComparison(
      pairs.map { $0.0.parts(of: measure) }, pairs.map { $0.1.parts(of: measure) },
      unit: measure.isShare && requests > 0 ? Double(pairs.count) / Double(requests) : nil, confidence: confidence,
      ofSuccesses: measure == .successRate,
      seedsNeeded: measure.seedsNeeded(of: pairs.count, requests: requests, isPaired: true))
  }

  /// By how much the share of requests that are answered within a time differs, on the seeds that both have.
  func compared(to other: PolicyMetrics, within time: Duration, confidence: Double) -> PairedComparison? {
    let limit = QuantileSketch.bin(of: time)
    func parts(_ trial: TrialSummary) -> (upper: Double, lower: Double) {
      (Double(trial.answers.count(upTo: limit)), Double(trial.requests))
    }
    var theirs: [UInt64: TrialSummary] = [:]
    for trial in other.trials { theirs[trial.seed] = trial }
    let pairs = trials.compactMap { own in theirs[own.seed].map { (own, $0) } }
    let requests = pairs.reduce(0) { $0 + $1.0.requests }
    return PairedComparison(
      pairs.map { parts($0.0) }, pairs.map { parts($0.1) },
      unit: requests > 0 ? Double(pairs.count) / Double(requests) : nil, confidence: confidence)
  }

  /// The metrics as JSON; equal metrics are equal bytes.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Reads metrics.
  ///
  /// - Throws: an error that names the place, the value and what would be right; also for another version of the format.
  public init(json: Data) throws(ProfileError) {
    self = try ReportGate.read(json, \.problem)
  }
}
