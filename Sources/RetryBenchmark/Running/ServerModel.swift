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

  /// Creates a server; without a capacity it is never overloaded.
  public init(
    serviceTime: TimeDistribution = .milliseconds(20), capacity: Int? = nil, queueLength: Int = 0,
    overload: Overload = .reject(status: 503, retryAfter: nil), outages: [Range<Duration>] = [],
    brownOuts: [BrownOut] = []
  ) {
    self.serviceTime = serviceTime
    self.capacity = capacity
    self.queueLength = queueLength
    self.overload = overload
    self.outages = outages
    self.brownOuts = brownOuts
  }

  /// The reason why it is impossible, in a sentence; `nil` when there is none.
  var problem: String? {
    if let problem = serviceTime.problem { return "a server that works for \(problem)" }
    if brownOuts.contains(where: { !(1...1_000).contains($0.factor) }) {
      return "a brown-out by less than 1 or more than 1000"
    }
    let times = (outages + brownOuts.map(\.time)).flatMap { [$0.lowerBound, $0.upperBound] }
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
