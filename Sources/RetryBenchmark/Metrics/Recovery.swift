/// How soon requests succeed again after an outage or a brown-out; those that touch count as one.
public struct Recovery: Mergeable, Hashable, Sendable, Codable {
  /// The times from an outage's or brown-out's end until 99 % of all later requests succeed.
  public private(set) var toSuccess = QuantileSketch()
  /// The times from an outage's or brown-out's end until all requests begun before it have ended.
  public private(set) var toDrained = QuantileSketch()
  /// The number of outages and brown-outs after which 99 % of success was never reached, or no request ended.
  public private(set) var neverRecovered = 0

  /// The number of outages and brown-outs, whether requests recovered or not.
  var count: Int { toSuccess.count + neverRecovered }

  /// Adds a trial; requests after an outage or brown-out count until the next one begins.
  mutating func add(_ trial: TrialRecord) {
    let requests = trial.requests.sorted { ($0.end, $0.start) < ($1.end, $1.start) }
    let troubles = trial.troubles
    for (index, outage) in troubles.enumerated() {
      let limit = index + 1 < troubles.count ? troubles[index + 1].lowerBound : nil
      let waiting = requests.filter { $0.start < outage.upperBound && $0.end >= outage.upperBound }
      toDrained.add((waiting.map(\.end).max() ?? outage.upperBound) - outage.upperBound)
      let after = requests.filter { $0.end >= outage.upperBound && $0.end < limit ?? .nanoseconds(Int64.max) }
      guard let time = Self.timeOfSuccess(after) else {
        neverRecovered += 1
        continue
      }
      toSuccess.add(time - outage.upperBound)
    }
  }

  mutating func merge(_ other: Recovery) {
    toSuccess.merge(other.toSuccess)
    toDrained.merge(other.toDrained)
    neverRecovered += other.neverRecovered
  }

  /// The time from which at least 99 % of the requests succeed: the end of the first of these requests.
  private static func timeOfSuccess(_ requests: [RequestRecord]) -> Duration? {
    var successes = 0
    var total = 0
    var time: Duration?
    for request in requests.reversed() {
      total += 1
      if request.isSuccess { successes += 1 }
      if successes * 100 >= total * 99 { time = request.end }
    }
    return time
  }
}
