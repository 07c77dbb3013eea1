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

  /// A stretch of time in which the server is there, and slow.
  public struct BrownOut: Hashable, Sendable, Codable {
    /// When, since the clients' arrival began: of requests whose work begins then.
    public let time: Range<Duration>
    /// How many times as long it works on a request.
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

    /// Writes its ends in nanoseconds.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(time.lowerBound, forKey: .begin)
      try container.encode(time.upperBound, forKey: .end)
      try container.encode(factor, forKey: .factor)
    }
  }

  /// One of the places in which a server stands, with workers and a queue of its own.
  public struct Zone: Hashable, Sendable, Codable {
    /// When it is down, beside the outages of the whole server.
    public var outages: [Range<Duration>]
    /// When it is slow, beside the brown-outs of the whole server, which come first.
    public var brownOuts: [BrownOut]

    /// Creates a zone that is as well as its server.
    public init(outages: [Range<Duration>] = [], brownOuts: [BrownOut] = []) {
      (self.outages, self.brownOuts) = (outages, brownOuts)
    }

    /// The reason why it is impossible, in a sentence; `nil` when there is none.
    var problem: String? {
      if brownOuts.contains(where: { !(1...1_000).contains($0.factor) }) {
        return "a brown-out by less than 1 or more than 1000"
      }
      let times = (outages + brownOuts.map(\.time)).flatMap { [$0.lowerBound, $0.upperBound] }
      if times.contains(where: { $0 > .longest || $0 < .zero - .longest }) {
        return "a server that takes or is out for more than a year: write less"
      }
      for (one, other) in zip(outages, outages.dropFirst()) where one.upperBound > other.lowerBound {
        return "outages that overlap or are out of order"
      }
      return nil
    }
  }

  /// The zone that an attempt goes to.
  public enum Routing: String, Hashable, Sendable, Codable, CaseIterable {
    /// That of its client, by the client's number, which stands in the name that it has for the server.
    case byClient
    /// The one after that of the attempt before, whoever's that was.
    case inTurn
    /// Any, drawn by the seed for each attempt.
    case atRandom
  }

  /// Several places, and who goes where.
  public struct Zones: Hashable, Sendable, Codable {
    /// The zones, each with the capacity and the queue that the server has.
    public var all: [Zone]
    /// Which of them an attempt goes to; a retry may so go to another one.
    public var routing: Routing

    /// Creates zones.
    public init(_ all: [Zone], routing: Routing) {
      (self.all, self.routing) = (all, routing)
    }
  }

  /// How long the server works on a request.
  public var serviceTime: TimeDistribution
  /// How many it works on at once; `nil` is any number.
  public var capacity: Int?
  /// How many may wait for their turn.
  public var queueLength: Int
  /// The fate of the others.
  public var overload: Overload
  /// When the server is down, since the clients' arrival began; it answers 503 then.
  public var outages: [Range<Duration>]
  /// When the server is slow.
  public var brownOuts: [BrownOut]
  /// The places in which it stands; `nil` is one.
  public var zones: Zones?
  /// How long a request waits for its turn at most where all wait; `nil` is any time.
  ///
  /// One that has waited so long is answered with 503 and costs no work, as servers do that shed load (Google, "Site Reliability
  /// Engineering", chapter 22).
  public var queueTime: Duration?
  /// How long it remembers an `Idempotency-Key` from the first request on; `nil` is a server that knows no keys.
  ///
  /// A request with a key that it remembers is not carried out again. It gets the answer of the first one, at once or as soon as
  /// there is one. Stripe's API does so for 24 hours ("Idempotent requests").
  public var keyMemory: Duration?

  /// Creates a server; without a capacity it is never overloaded.
  ///
  /// By itself all wait that it cannot work on, as at most servers; where a length of the queue is given the others are turned
  /// away with 503, which costs it nothing.
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

  /// The reason why it is impossible, in a sentence; `nil` when there is none.
  var problem: String? {
    if let problem = serviceTime.problem { return "a server that works for \(problem)" }
    if let zones, !(1...1_000).contains(zones.all.count) { return "\(zones.all.count) zones: write 1 to 1000" }
    if let problem = places.lazy.compactMap(\.problem).first { return problem }
    if let capacity, capacity < 1 { return "a server that works on \(capacity) requests at once: write 1 or more" }
    if let keyMemory, keyMemory <= .zero || keyMemory > .longest {
      return "keys that are remembered for no time or more than a year: write for example 24 h"
    }
    if let queueTime, queueTime <= .zero || queueTime > .longest || overload != .queue {
      return "a queue with a time that is none, more than a year, or beside a length: write for example queue 2 s"
    }
    if queueLength < 0 { return "a queue of \(queueLength): write 0 or more" }
    if case .reject(let status, let wait) = overload {
      if !(400...599).contains(status) { return "an overload answered with \(status): write a status from 400 to 599" }
      if let wait, wait < .zero { return "a Retry-After of less than nothing" }
      if let wait, wait > .longest { return "a Retry-After of more than a year: write less" }
    }
    return nil
  }

  /// The numbers of its zones; none of a server in one place.
  package var zoneNumbers: Range<Int> {
    let count = zones?.all.count ?? 0
    return count > 1 ? 0..<count : 0..<0
  }

  /// The outages and brown-outs of the server as a whole.
  package var whole: Zone {
    get { Zone(outages: outages, brownOuts: brownOuts) }
    set { (outages, brownOuts) = (newValue.outages, newValue.brownOuts) }
  }

  /// The server as a whole, and each of its zones.
  private var places: [Zone] { [whole] + (zones?.all ?? []) }

  /// When it, or one of its zones, is down, in any order.
  var allOutages: [Range<Duration>] { places.flatMap(\.outages) }

  /// When it, or one of its zones, is slow, in any order.
  var allBrownOuts: [Range<Duration>] { places.flatMap { $0.brownOuts.map(\.time) } }

  /// Whether it, or one of its zones, is ever down or slow.
  var hasTroubles: Bool { !allOutages.isEmpty || !allBrownOuts.isEmpty }

  /// What it then is, in words.
  var troubleText: String { allBrownOuts.isEmpty ? "down" : allOutages.isEmpty ? "slow" : "down or slow" }
}
