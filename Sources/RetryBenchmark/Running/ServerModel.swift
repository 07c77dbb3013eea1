import NetworkConditions

/// The server of a trial: how fast it works, how much at once, and what it does with too much.
public struct ServerModel: Hashable, Sendable, Codable {
  /// The fate of a request that finds the queue full.
  public enum Overload: Hashable, Sendable, Codable {
    /// It is turned away at once with a status, and asked to come back after a time.
    case reject(status: Int, retryAfter: Duration?)
    /// It waits, however long the queue is.
    case queue
  }

  /// How long the server works on a request.
  public var serviceTime: Duration
  /// How many it works on at once; `nil` is any number.
  public var capacity: Int?
  /// How many may wait for their turn.
  public var queueLength: Int
  /// The fate of the others.
  public var overload: Overload
  /// When the server is down, since the clients' arrival began; it answers 503 then.
  public var outages: [Range<Duration>]

  /// Creates a server; without a capacity it is never overloaded.
  public init(
    serviceTime: Duration = .milliseconds(20), capacity: Int? = nil, queueLength: Int = 0,
    overload: Overload = .reject(status: 503, retryAfter: nil), outages: [Range<Duration>] = []
  ) {
    self.serviceTime = serviceTime
    self.capacity = capacity
    self.queueLength = queueLength
    self.overload = overload
    self.outages = outages
  }

  /// The reason why it is impossible, in a sentence; `nil` when there is none.
  var problem: String? {
    if serviceTime < .zero { return "a server that answers before it is asked: write a time from 0 on" }
    let times = [serviceTime] + outages.flatMap { [$0.lowerBound, $0.upperBound] }
    if times.contains(where: { $0 > .longest || $0 < .zero - .longest }) {
      return "a server that takes or is out for more than a year: write less"
    }
    if let capacity, capacity < 1 { return "a server that works on \(capacity) requests at once: write 1 or more" }
    if queueLength < 0 { return "a queue of \(queueLength): write 0 or more" }
    if case .reject(let status, let wait) = overload {
      if !(400...599).contains(status) { return "an overload answered with \(status): write a status from 400 to 599" }
      if let wait, wait < .zero { return "a Retry-After of less than nothing" }
      if let wait, wait > .longest { return "a Retry-After of more than a year: write less" }
    }
    for (one, other) in zip(outages, outages.dropFirst()) where one.upperBound > other.lowerBound {
      return "outages that overlap or are out of order"
    }
    return nil
  }
}
