import RetryPolicies

/// How much the retries of many clients come together: the largest share of a trial's retries in one 100 ms.
///
/// 1 is all at once; retries spread evenly over ten seconds are near 0.01.
public struct Synchronisation: Mergeable, Hashable, Sendable, Codable {
  /// How many trials had retries.
  public private(set) var trials = 0
  /// The sum of their largest shares, in millionths.
  public private(set) var millionths = 0
  /// The largest share of all, in millionths.
  public private(set) var greatestMillionths = 0

  /// Creates one that has seen no trial.
  public init() {}

  /// Adds a trial.
  mutating func add(_ trial: TrialRecord) {
    var bins = CountHistogram()
    for request in trial.requests {
      for attempt in request.attempts where attempt.kind == .retry {
        bins.add(attempt.start.count(of: .milliseconds(100)))
      }
    }
    guard let most = bins.entries.map(\.count).max() else { return }
    // Rounded for each trial by itself, so that the sum does not depend on how trials are grouped.
    let share = most * 1_000_000 / bins.total
    trials += 1
    millionths += share
    greatestMillionths = max(greatestMillionths, share)
  }

  /// Adds the trials of another part.
  public mutating func merge(_ other: Synchronisation) {
    trials += other.trials
    millionths += other.millionths
    greatestMillionths = max(greatestMillionths, other.greatestMillionths)
  }

  /// The mean of the largest shares, from 0 to 1.
  public var mean: Double? {
    trials > 0 ? Double(millionths) / Double(trials) / 1_000_000 : nil
  }
}
