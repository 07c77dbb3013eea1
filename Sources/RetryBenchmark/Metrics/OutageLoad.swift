/// The server's load around outages, in each second before and after their ends.
///
/// Each attempt and request belongs to the outage in which it starts, or else to the nearest one. Seconds count from an
/// outage's end, since trials begin anywhere in a profile's phases, often during an outage.
public struct OutageLoad: Mergeable, Hashable, Sendable, Codable {
  /// The number of attempts that started in each second since their outage's end; earlier seconds are negative.
  public private(set) var attempts = CountHistogram()
  /// The number of requests that callers began in each second since their outage's end.
  public private(set) var requests = CountHistogram()
  /// The number of outages in all trials together.
  public private(set) var outages = 0
  /// The length of the longest outage, without the part that lies outside of its trial.
  public private(set) var longest = Duration.zero

  mutating func add(_ trial: TrialRecord) {
    guard !trial.outages.isEmpty else { return }
    outages += trial.outages.count
    longest = max(longest, trial.outages.map { $0.upperBound - $0.lowerBound }.max() ?? .zero)
    for request in trial.requests {
      requests.add(Self.second(of: request.start, among: trial.outages))
      for attempt in request.attempts { attempts.add(Self.second(of: attempt.start, among: trial.outages)) }
    }
  }

  mutating func merge(_ other: OutageLoad) {
    attempts.merge(other.attempts)
    requests.merge(other.requests)
    outages += other.outages
    longest = max(longest, other.longest)
  }

  /// The second of a time, counted from the end of the nearest outage; `outages` are in order.
  static func second(of time: Duration, among outages: [Range<Duration>]) -> Int {
    let next = outages.first { $0.upperBound > time }
    let last = outages.last { $0.upperBound <= time }
    var end = next?.upperBound ?? last?.upperBound ?? .zero
    if let next, let last, time - last.upperBound <= next.lowerBound - time { end = last.upperBound }
    return (time - end).count(of: .seconds(1))
  }
}
