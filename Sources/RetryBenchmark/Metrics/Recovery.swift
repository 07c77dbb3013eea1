/// How soon all was well again after an outage of the network or the server, or after a time in which the server was slow.
public struct Recovery: Mergeable, Hashable, Sendable, Codable {
  /// From an outage's end until 99 % of the requests that ended from then on succeeded.
  public private(set) var toSuccess = QuantileSketch()
  /// From an outage's end until the last request that had been begun before it had ended.
  public private(set) var toDrained = QuantileSketch()
  /// After how many outages there were no such requests, or never 99 % of success.
  public private(set) var neverRecovered = 0

  /// After how many outages it was looked.
  var count: Int { toSuccess.count + neverRecovered }

  /// Creates one that has seen no outage.
  public init() {}

  /// Adds a trial; what an outage is followed by counts up to the next one.
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

  /// Adds the outages of another part.
  public mutating func merge(_ other: Recovery) {
    toSuccess.merge(other.toSuccess)
    toDrained.merge(other.toDrained)
    neverRecovered += other.neverRecovered
  }

  /// The first end of a request from which on, itself included, at least 99 of 100 succeed.
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
