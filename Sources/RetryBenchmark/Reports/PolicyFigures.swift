/// The figures of one contender under one profile, as every kind of report shows them.
public struct PolicyFigures: Sendable {
  /// By how much a contender differs from another one in one measure, seed by seed.
  public struct Difference: Hashable, Sendable {
    /// The mean of the differences: this contender's less the other's.
    public let mean: Double
    /// The interval that holds the true difference with 95 % confidence.
    public let interval: ClosedRange<Double>
    /// The probability of differences at least as lopsided by chance.
    public let probability: Double
    /// Whether it is more than chance: the interval is on one side of 0, and the signed-rank test agrees at 5 %.
    public let isBeyondNoise: Bool
    /// Whether there is none under any seed.
    public var isNone: Bool { interval == 0...0 }

    init?(_ one: PolicyMetrics, _ other: PolicyMetrics, _ measure: TrialSummary.Measure) {
      guard let pair = one.compared(to: other, by: measure) else { return nil }
      mean = pair.meanDifference
      interval = pair.interval
      probability = pair.probability
      let isOneSided = pair.interval.lowerBound > 0 || pair.interval.upperBound < 0
      isBeyondNoise = isOneSided && pair.probability < 0.05
    }
  }

  /// The name of the network's profile.
  public let profile: String
  /// The name of the contender.
  public let policy: String
  /// How many trials there were.
  public let trials: Int
  /// How many requests succeeded.
  public let success: Proportion
  /// How long requests that succeeded took: the 50th, 90th and 99th of 100.
  public let latency: (p50: Duration, p90: Duration, p99: Duration)?
  /// How long it took in the middle until a request was given up.
  public let timeToGiveUp: Duration?
  /// Attempts per request.
  public let attempts: Double?
  /// The most attempts that 99 of 100 requests had.
  public let attempts99: Int?
  /// The most attempts per new request that one second of one trial had.
  public let worstSecond: Double
  /// The bytes of attempts that brought nothing, both ways, per request.
  public let wastedBytes: Double?
  /// The share of requests that succeeded, against the first contender; `nil` for itself, and where no seed is in both.
  public let difference: Difference?
  /// The mean time of requests that succeeded, in seconds, against the first contender: under the seeds where both had
  /// such.
  public let latencyDifference: Difference?
  /// Attempts per request, against the first contender.
  public let attemptsDifference: Difference?

  init(_ metrics: PolicyMetrics, against first: PolicyMetrics?) {
    profile = metrics.profile
    policy = metrics.policy
    trials = metrics.trials.count
    success = metrics.success
    let times = metrics.latency
    if let p50 = times.quantile(0.5), let p90 = times.quantile(0.9), let p99 = times.quantile(0.99) {
      latency = (p50, p90, p99)
    } else {
      latency = nil
    }
    timeToGiveUp = metrics.timeToGiveUp.count > 0 ? metrics.timeToGiveUp.quantile(0.5) : nil
    attempts = metrics.amplification
    attempts99 = metrics.attempts.total > 0 ? metrics.attempts.quantile(0.99) : nil
    worstSecond = metrics.load.worstAmplification.value
    let total = metrics.success.total
    let wasted = metrics.traffic.wastedSent + metrics.traffic.wastedReceived
    wastedBytes = total > 0 ? Double(wasted) / Double(total) : nil
    difference = first.flatMap { Difference(metrics, $0, .successRate) }
    latencyDifference = first.flatMap { Difference(metrics, $0, .meanLatency) }
    attemptsDifference = first.flatMap { Difference(metrics, $0, .amplification) }
  }
}

extension RetryReport {
  /// The figures of all contenders under one profile, each compared with the first.
  public func figures(of profile: String) -> [PolicyFigures] {
    let metrics = results.filter { $0.profile == profile }
    return metrics.enumerated().map { PolicyFigures($1, against: $0 == 0 ? nil : metrics.first) }
  }
}
