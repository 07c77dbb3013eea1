/// The server's load around outages, second by second before and after their ends.
///
/// Each attempt and each request belongs to the outage that it starts in, or else to the nearest one. Ends are what outages
/// of all trials have in common: trials begin anywhere in a profile's course, and often in the midst of an outage.
public struct OutageLoad: Mergeable, Hashable, Sendable, Codable {
  /// How many attempts started in each second since the end of their outage; seconds before it are negative.
  public private(set) var attempts = CountHistogram()
  /// How many requests callers began in each of these seconds.
  public private(set) var requests = CountHistogram()
  /// How many outages there were, in all trials together.
  public private(set) var outages = 0
  /// How long the longest of them was, as far as trials saw it.
  public private(set) var longest = Duration.zero

  /// Creates one that has seen no outage.
  public init() {}

  /// Adds a trial.
  mutating func add(_ trial: TrialRecord) {
    guard !trial.outages.isEmpty else { return }
    outages += trial.outages.count
    longest = max(longest, trial.outages.map { $0.upperBound - $0.lowerBound }.max() ?? .zero)
    for request in trial.requests {
      requests.add(Self.second(of: request.start, among: trial.outages))
      for attempt in request.attempts { attempts.add(Self.second(of: attempt.start, among: trial.outages)) }
    }
  }

  /// Adds the outages of another part.
  public mutating func merge(_ other: OutageLoad) {
    attempts.merge(other.attempts)
    requests.merge(other.requests)
    outages += other.outages
    longest = max(longest, other.longest)
  }

  /// The second of an instant since the end of its outage, which is the nearest of those that are in order.
  static func second(of time: Duration, among outages: [Range<Duration>]) -> Int {
    let next = outages.first { $0.upperBound > time }
    let last = outages.last { $0.upperBound <= time }
    var end = next?.upperBound ?? last?.upperBound ?? .zero
    if let next, let last, time - last.upperBound <= next.lowerBound - time { end = last.upperBound }
    return (time - end).count(of: .seconds(1))
  }
}
