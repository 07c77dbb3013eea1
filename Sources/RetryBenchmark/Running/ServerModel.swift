import NetworkConditions

/// The simulated server of a trial: its speed, its capacity, and its behaviour under overload.
public struct ServerModel: Hashable, Sendable, Codable {
  /// What happens to a request when the queue is full.
  public enum Overload: Hashable, Sendable, Codable {
    /// The server rejects the request at once with this status and an optional `Retry-After`.
    case reject(status: Int, retryAfter: Duration?)
    /// The request waits, however long the queue is.
    case queue
  }

  /// A time in which the server answers, but works slowly.
  public struct BrownOut: Hashable, Sendable, Codable {
    /// The time of the brown-out, since the first client's start; it slows requests whose work begins in it.
    public var time: Range<Duration> { begin..<max(begin, end) }
    let begin: Duration
    let end: Duration
    /// How many times as long the server works on a request.
    public let factor: Int

    /// Creates a brown-out.
    public init(_ time: Range<Duration>, factor: Int) {
      (begin, end, self.factor) = (time.lowerBound, time.upperBound, factor)
    }
  }

  /// How long the server works on a request.
  public var serviceTime: TimeDistribution
  /// How many requests the server works on at once; `nil` is no limit.
  public var capacity: Int?
  /// How many requests may wait in the queue, where ``overload`` is a rejection.
  public var queueLength: Int
  /// What happens to a request when the queue is full.
  public var overload: Overload
  /// When the server is down and answers 503, since the first client's start; in order.
  public var outages: [Range<Duration>]
  /// When the server is slow, since the first client's start.
  public var brownOuts: [BrownOut]
  /// How long a request may wait in an unlimited queue; `nil` is no limit.
  ///
  /// After this time the server answers 503 and does no work for the request. Servers that shed load do so (Google,
  /// "Site Reliability Engineering", chapter 22).
  public var queueTime: Duration?
  /// How long the server remembers an `Idempotency-Key` after its first request; `nil` ignores keys.
  ///
  /// A repeated request with a remembered key is not carried out again. It gets the first one's answer, as soon as
  /// there is one. Stripe's API does so for 24 hours ("Idempotent requests").
  public var keyMemory: Duration?

  /// Creates a server; without a capacity it is never overloaded.
  ///
  /// With a capacity, requests beyond it wait in an unlimited queue, as on most servers. If a queue length is given,
  /// requests that find the queue full are answered 503, which costs the server no work.
  public init(
    serviceTime: TimeDistribution = .milliseconds(20), capacity: Int? = nil, queueLength: Int? = nil,
    overload: Overload? = nil, outages: [Range<Duration>] = [],
    brownOuts: [BrownOut] = [], queueTime: Duration? = nil, keyMemory: Duration? = nil
  ) {
    self.queueTime = queueTime
    self.keyMemory = keyMemory
    self.serviceTime = serviceTime
    self.capacity = capacity
    self.queueLength = queueLength ?? 0
    self.overload = overload ?? (queueLength == nil && capacity != nil ? .queue : .reject(status: 503, retryAfter: nil))
    self.outages = outages
    self.brownOuts = brownOuts
  }

  var problem: String? {
    if let problem = serviceTime.problem { return "a service time with \(problem)" }
    if let troubleProblem { return troubleProblem }
    if let capacity, capacity < 1 { return "a server that works on \(capacity) requests at once: write 1 or more" }
    if let keyMemory, keyMemory <= .zero || keyMemory > .longest {
      return "keys that are remembered for no time or more than a year: write for example 24 h"
    }
    if let queueTime, queueTime <= .zero || queueTime > .longest || overload != .queue {
      return "a queue time of zero, of more than a year, or beside a length: write for example queue 2 s"
    }
    if queueLength < 0 { return "a queue of \(queueLength): write 0 or more" }
    if case .reject(let status, let wait) = overload {
      if !(400...599).contains(status) { return "an overload answered with \(status): write a status from 400 to 599" }
      if let wait, wait < .zero { return "a negative Retry-After" }
      if let wait, wait > .longest { return "a Retry-After of more than a year: write less" }
    }
    return nil
  }

  private var troubleProblem: String? {
    if brownOuts.contains(where: { !(1...1_000).contains($0.factor) }) {
      return "a brown-out by a factor below 1 or above 1000"
    }
    if brownOuts.contains(where: { $0.begin > $0.end }) { return "a brown-out that ends before it begins" }
    for (name, times) in [("outages", outages), ("brown-outs", brownOuts.map(\.time))] {
      if times.contains(where: { $0.upperBound > .longest || $0.lowerBound < .zero - .longest }) {
        return "a server that is slow or down for more than a year: write less"
      }
      for (one, other) in zip(times, times.dropFirst()) where one.upperBound > other.lowerBound {
        return "\(name) that overlap or are out of order"
      }
    }
    return nil
  }

  var hasTroubles: Bool { !outages.isEmpty || !brownOuts.isEmpty }

  /// Whether the server is "down", "slow" or "down or slow" in its troubles, for sentences.
  var troubleText: String { brownOuts.isEmpty ? "down" : outages.isEmpty ? "slow" : "down or slow" }
}
