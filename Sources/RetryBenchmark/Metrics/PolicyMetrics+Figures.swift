extension PolicyMetrics {
  /// The number of requests in all trials, and how many of them succeeded.
  public var success: Proportion {
    Proportion(
      successes: trials.reduce(0) { $0 + $1.successes }, total: trials.reduce(0) { $0 + $1.requests })
  }

  /// The number of non-idempotent requests that the server carried out more than once.
  public var repeatedEffects: Int { trials.reduce(0) { $0 + $1.repeatedEffects } }

  /// A measure over all trials, with its confidence interval; `nil` if no trial has a value.
  ///
  /// A few requests decide measures such as bytes. For these, few seeds give no interval (``Estimate/seedsNeeded``).
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

  /// The seconds within which this share of all requests is answered; failures count as never answered.
  ///
  /// So a policy that gives up early does not look quick. Accurate to 0.4 %; infinite if fewer requests are ever
  /// answered.
  public func timeToAnswer(_ share: Double, confidence: Double = 0.95) -> Estimate? {
    answerTimes?.quantile(share, confidence: confidence)
  }

  /// The share of all requests that are answered within a time.
  public func answered(within time: Duration, confidence: Double = 0.95) -> Estimate? {
    answerTimes?.within(time, confidence: confidence)
  }

  /// The seconds within which this share of the failed requests were given up; `nil` if none failed.
  public func timeToGiveUp(_ share: Double, confidence: Double = 0.95) -> Estimate? {
    TimeSample(trials.map(\.failures), of: trials.map { $0.requests - $0.successes })?
      .quantile(share, confidence: confidence)
  }

  /// The standard deviation of one seed's success rate; `nil` for a single seed.
  var deviationOfSuccess: Double? {
    RatioSample(trials.map { $0.parts(of: .successRate) })?.standardError.map { $0 * Double(trials.count).squareRoot() }
  }

  /// The times of all answers, and the number of requests that had none.
  var answerTimes: TimeSample? { TimeSample(trials.map(\.answers), of: trials.map(\.requests)) }

  /// Attempts per request; `nil` if there were no requests.
  public var amplification: Double? { estimate(of: .amplification)?.value }

  /// The difference of one measure from another policy's, on their common seeds; `nil` if they have none.
  public func compared(
    to other: PolicyMetrics, by measure: TrialSummary.Measure, confidence: Double = 0.95
  ) -> PairedComparison? {
    let pairs = pairs(with: other)
    let requests = pairs.reduce(0) { $0 + $1.own.requests }
    return PairedComparison(
      pairs.map { $0.own.parts(of: measure) }, pairs.map { $0.other.parts(of: measure) },
      unit: measure.isShare && requests > 0 ? Double(pairs.count) / Double(requests) : nil, confidence: confidence,
      ofSuccesses: measure == .successRate,
      seedsNeeded: measure.seedsNeeded(of: pairs.count, requests: requests, isPaired: true))
  }

  /// The difference from another policy in the share of requests answered within a time, on common seeds.
  func compared(to other: PolicyMetrics, within time: Duration, confidence: Double) -> PairedComparison? {
    let limit = QuantileSketch.bin(of: time)
    func parts(_ trial: TrialSummary) -> (upper: Double, lower: Double) {
      (Double(trial.answers.count(upTo: limit)), Double(trial.requests))
    }
    let pairs = pairs(with: other)
    let requests = pairs.reduce(0) { $0 + $1.own.requests }
    return PairedComparison(
      pairs.map { parts($0.own) }, pairs.map { parts($0.other) },
      unit: requests > 0 ? Double(pairs.count) / Double(requests) : nil, confidence: confidence)
  }

  private func pairs(with other: PolicyMetrics) -> [(own: TrialSummary, other: TrialSummary)] {
    let theirs = Dictionary(other.trials.map { ($0.seed, $0) }) { $1 }
    return trials.compactMap { own in theirs[own.seed].map { (own, $0) } }
  }
}
