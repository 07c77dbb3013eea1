/// The server's load in each second since the trials' start.
public struct ServerLoad: Mergeable, Hashable, Sendable, Codable {
  /// The number of attempts that started in each second, in all trials together.
  public private(set) var attempts = CountHistogram()
  /// The number of requests that callers began in each second, in all trials together.
  public private(set) var requests = CountHistogram()
  /// The number of requests that succeeded, by the second in which they were begun.
  public private(set) var successes = CountHistogram()
  /// The highest number of attempts that started in one second of one trial.
  public private(set) var peak = 0
  /// The number of attempts that started while the server or the network was out.
  public private(set) var attemptsInOutages = 0

  mutating func add(_ trial: TrialRecord) {
    var attempts = CountHistogram()
    var requests = CountHistogram()
    var successes = CountHistogram()
    for request in trial.requests {
      let second = request.start.count(of: .seconds(1))
      requests.add(second)
      if request.isSuccess { successes.add(second) }
      for attempt in request.attempts {
        attempts.add(attempt.start.count(of: .seconds(1)))
        if trial.outages.contains(where: { $0.contains(attempt.start) }) { attemptsInOutages += 1 }
      }
    }
    peak = max(peak, attempts.entries.map(\.count).max() ?? 0)
    self.attempts.merge(attempts)
    self.requests.merge(requests)
    self.successes.merge(successes)
  }

  mutating func merge(_ other: ServerLoad) {
    attempts.merge(other.attempts)
    requests.merge(other.requests)
    successes.merge(other.successes)
    peak = max(peak, other.peak)
    attemptsInOutages += other.attemptsInOutages
  }
}
