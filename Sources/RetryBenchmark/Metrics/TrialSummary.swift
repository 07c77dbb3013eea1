import LinkSimulator

/// The few numbers of one trial that are kept by its seed, so that policies can be compared seed by seed.
public struct TrialSummary: Hashable, Sendable, Codable {
  /// The seed.
  public let seed: UInt64
  /// How many requests there were.
  public let requests: Int
  /// How many succeeded.
  public let successes: Int
  /// How long those that succeeded took together.
  public let latency: Duration
  /// How many attempts there were.
  public let attempts: Int
  /// The bytes, both ways, of attempts that brought nothing.
  public let wastedBytes: Int

  /// A figure that can be compared.
  public enum Measure: String, Hashable, Sendable, CaseIterable, Codable {
    /// Successes per request.
    case successRate
    /// The mean time of the requests that succeeded, in seconds.
    case meanLatency
    /// Attempts per request.
    case amplification
    /// The bytes, both ways, of attempts that brought nothing, per request.
    case wastedBytes
  }

  /// A measure of this trial; `nil` where there is nothing to measure.
  public subscript(measure: Measure) -> Double? {
    switch measure {
    case .successRate: requests > 0 ? Double(successes) / Double(requests) : nil
    case .meanLatency: successes > 0 ? Double(latency.wholeNanoseconds) / Double(successes) / 1e9 : nil
    case .amplification: requests > 0 ? Double(attempts) / Double(requests) : nil
    case .wastedBytes: requests > 0 ? Double(wastedBytes) / Double(requests) : nil
    }
  }
}
