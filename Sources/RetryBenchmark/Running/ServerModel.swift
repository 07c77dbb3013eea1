import NetworkConditions

/// The server of a trial: how fast it works, how much at once, and what it does with too much.
public struct ServerModel: Hashable, Sendable, Codable {
  /// What becomes of a request that finds the queue full.
  public enum Overload: Hashable, Sendable, Codable {
    /// It is turned away at once with a status, and asked to come back after a time, in nanoseconds.
    case reject(status: Int, retryAfter: Int?)
    /// It waits, however long the queue is.
    case queue
  }

  /// How long the server works on a request, in nanoseconds.
  public var serviceTime: Int
  /// How many it works on at once; `nil` is any number.
  public var capacity: Int?
  /// How many may wait for their turn.
  public var queueLength: Int
  /// What becomes of the others.
  public var overload: Overload
  /// When the server is down, in nanoseconds since the clients' arrival began; it answers 503 then.
  public var outages: [Range<Int>]

  /// Creates a server; without a capacity it is never overloaded.
  public init(
    serviceTime: Duration = .milliseconds(20), capacity: Int? = nil, queueLength: Int = 0,
    overload: Overload = .reject(status: 503, retryAfter: nil), outages: [Range<Int>] = []
  ) {
    self.serviceTime = Int(clamping: serviceTime.wholeNanoseconds)
    self.capacity = capacity
    self.queueLength = queueLength
    self.overload = overload
    self.outages = outages
  }

  /// What makes it impossible, in a sentence; `nil` when nothing does.
  var problem: String? {
    if serviceTime < 0 { return "a server that answers before it is asked: write a time from 0 on" }
    let times = [serviceTime] + outages.flatMap { [$0.lowerBound, $0.upperBound] }
    if times.contains(where: { $0.magnitude > Duration.longest.wholeNanoseconds.magnitude }) {
      return "a server that takes or is out for more than a year: write less"
    }
    if let capacity, capacity < 1 { return "a server that works on \(capacity) requests at once: write 1 or more" }
    if queueLength < 0 { return "a queue of \(queueLength): write 0 or more" }
    if case .reject(let status, let wait) = overload {
      if !(400...599).contains(status) { return "an overload answered with \(status): write a status from 400 to 599" }
      if let wait, wait < 0 { return "a Retry-After of less than nothing" }
      if let wait, wait > Duration.longest.wholeNanoseconds { return "a Retry-After of more than a year: write less" }
    }
    for (one, other) in zip(outages, outages.dropFirst()) where one.upperBound > other.lowerBound {
      return "outages that overlap or are out of order"
    }
    return nil
  }
}
