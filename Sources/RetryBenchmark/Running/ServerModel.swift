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
    public let time: Range<Duration>
    /// How many times as long the server works on a request.
    public let factor: Int

    /// Creates a brown-out.
    public init(_ time: Range<Duration>, factor: Int) {
      (self.time, self.factor) = (time, factor)
    }

    private enum CodingKeys: String, CodingKey { case begin, end, factor }

    /// Reads a brown-out; one that ends before it begins is refused.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let begin = try container.decode(Duration.self, forKey: .begin)
      let end = try container.decode(Duration.self, forKey: .end)
      guard begin <= end else {
        throw DecodingError.dataCorruptedError(
          forKey: .end, in: container, debugDescription: "it ends before it begins")
      }
      self.init(begin..<end, factor: try container.decode(Int.self, forKey: .factor))
    }

    /// Writes the begin and the end in nanoseconds, and the factor.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(time.lowerBound, forKey: .begin)
      try container.encode(time.upperBound, forKey: .end)
      try container.encode(factor, forKey: .factor)
    }
  }

  /// One of a server's locations, with separate workers and a separate queue.
  public struct Zone: Hashable, Sendable, Codable {
    /// When the zone is down, in addition to the outages of the whole server.
    public var outages: [Range<Duration>]
    /// When the zone is slow; while the whole server has a brown-out, the server's factor applies.
    public var brownOuts: [BrownOut]

    /// Creates a zone; by default it has no outages or brown-outs besides those of the server.
    public init(outages: [Range<Duration>] = [], brownOuts: [BrownOut] = []) {
      (self.outages, self.brownOuts) = (outages, brownOuts)
    }

    var problem: String? {
      if brownOuts.contains(where: { !(1...1_000).contains($0.factor) }) {
        return "a brown-out by a factor below 1 or above 1000"
      }
      let times = (outages + brownOuts.map(\.time)).flatMap { [$0.lowerBound, $0.upperBound] }
      if times.contains(where: { $0 > .longest || $0 < .zero - .longest }) {
        return "a server that is slow or down for more than a year: write less"
      }
      for (name, times) in [("outages", outages), ("brown-outs", brownOuts.map(\.time))] {
        for (one, other) in zip(times, times.dropFirst()) where one.upperBound > other.lowerBound {
          return "\(name) that overlap or are out of order"
        }
      }
      return nil
    }
  }

  /// How the zone of an attempt is chosen.
  public enum Routing: String, Hashable, Sendable, Codable, CaseIterable {
    /// Each client always uses the same zone, chosen by the client's number in the requested host name.
    case byClient
    /// Attempts take the zones in turn, over all clients.
    case inTurn
    /// The seed draws a zone for each attempt.
    case atRandom
  }

  /// The zones of a server, and how attempts are routed to them.
  public struct Zones: Hashable, Sendable, Codable {
    /// The zones; each has the capacity and the queue length of the server.
    public var all: [Zone]
    /// How the zone of each attempt is chosen; a retry may go to another zone.
    public var routing: Routing

    /// Creates zones.
    public init(_ all: [Zone], routing: Routing) {
      (self.all, self.routing) = (all, routing)
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
  /// The server's zones; `nil` is a server in one place.
  public var zones: Zones?
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
    brownOuts: [BrownOut] = [], zones: Zones? = nil, queueTime: Duration? = nil, keyMemory: Duration? = nil
  ) {
    self.queueTime = queueTime
    self.keyMemory = keyMemory
    self.zones = zones
    self.serviceTime = serviceTime
    self.capacity = capacity
    self.queueLength = queueLength ?? 0
    self.overload = overload ?? (queueLength == nil && capacity != nil ? .queue : .reject(status: 503, retryAfter: nil))
    self.outages = outages
    self.brownOuts = brownOuts
  }

  var problem: String? {
    if let problem = serviceTime.problem { return "a service time with \(problem)" }
    if let zones, !(1...1_000).contains(zones.all.count) { return "\(zones.all.count) zones: write 1 to 1000" }
    if let problem = places.lazy.compactMap(\.problem).first { return problem }
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

  /// The numbers of the server's zones, from 0; empty for a server in one place.
  package var zoneNumbers: Range<Int> {
    let count = zones?.all.count ?? 0
    return count > 1 ? 0..<count : 0..<0
  }

  package var whole: Zone {
    get { Zone(outages: outages, brownOuts: brownOuts) }
    set { (outages, brownOuts) = (newValue.outages, newValue.brownOuts) }
  }

  private var places: [Zone] { [whole] + (zones?.all ?? []) }

  /// When the server or one of its zones is down, in any order.
  var allOutages: [Range<Duration>] { places.flatMap(\.outages) }

  /// When the server or one of its zones is slow, in any order.
  var allBrownOuts: [Range<Duration>] { places.flatMap { $0.brownOuts.map(\.time) } }

  var hasTroubles: Bool { !allOutages.isEmpty || !allBrownOuts.isEmpty }

  /// Whether the server is "down", "slow" or "down or slow" in its troubles, for sentences.
  var troubleText: String { allBrownOuts.isEmpty ? "down" : allOutages.isEmpty ? "slow" : "down or slow" }
}
