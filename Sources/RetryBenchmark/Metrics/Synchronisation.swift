import RetryPolicies

/// How closely the retries of many clients come together in time.
///
/// It is the largest share of a trial's retries that start within one 100 ms bin. A value of 1 means all at once;
/// retries spread evenly over ten seconds give about 0.01.
public struct Synchronisation: Mergeable, Hashable, Sendable, Codable {
  /// The number of trials with retries.
  public private(set) var trials = 0
  /// The sum of the trials' largest shares, in millionths.
  public private(set) var millionths = 0
  /// The largest share of any trial, in millionths.
  public private(set) var greatestMillionths = 0

  mutating func add(_ trial: TrialRecord) {
    var bins = CountHistogram()
    for request in trial.requests {
      for attempt in request.attempts where attempt.kind == .retry {
        bins.add(attempt.start.count(of: .milliseconds(100)))
      }
    }
    guard let most = bins.entries.map(\.count).max() else { return }
    // Each trial's share is rounded by itself, so the sum does not depend on how trials are grouped.
    let share = most * 1_000_000 / bins.total
    trials += 1
    millionths += share
    greatestMillionths = max(greatestMillionths, share)
  }

  mutating func merge(_ other: Synchronisation) {
    trials += other.trials
    millionths += other.millionths
    greatestMillionths = max(greatestMillionths, other.greatestMillionths)
  }

  /// The mean of the trials' largest shares, from 0 to 1; `nil` if there were no retries.
  public var mean: Double? {
    trials > 0 ? Double(millionths) / Double(trials) / 1_000_000 : nil
  }
}
