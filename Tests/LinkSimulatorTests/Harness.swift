import LinkSimulator

/// A path with a client and a server that react at once, and all events of the run.
struct Harness {
  /// The bytes that one request sends and receives.
  struct Exchange {
    var request: Int64 = 100
    var response: Int64 = 1_000
    var answers = true
  }

  var path: PathSimulator
  var events: [PathEvent] = []
  var exchanges: [StreamID: Exchange] = [:]

  init(
    _ conditions: PathConditions = .unlimited, seed: UInt64 = 1, configuration: PathConfiguration = PathConfiguration()
  ) {
    self.init(ConditionSchedule(conditions), seed: seed, configuration: configuration)
  }

  init(_ schedule: ConditionSchedule, seed: UInt64 = 1, configuration: PathConfiguration = PathConfiguration()) {
    path = PathSimulator(seed: seed, schedule: schedule, configuration: configuration)
  }

  /// Opens a request and writes all its bytes, of which `head` (all, if `nil`) are its head.
  @discardableResult
  mutating func get(
    _ response: Int64 = 1_000, request: Int64 = 100, head: Int64? = nil, key: UInt64 = 1, host: String = "a.example",
    isSecure: Bool = false,
    version: StreamRequest.HTTPVersion = .http1, priority: String? = nil, needsResolution: Bool = false,
    faults: [StreamFault] = [],
    answers: Bool = true
  ) -> StreamID {
    let stream = path.open(
      StreamRequest(
        key: key, host: host, port: isSecure ? 443 : 80, isSecure: isSecure, version: version,
        headBytes: head ?? request, priority: priority.map { ResponsePriority(field: $0) },
        needsResolution: needsResolution, faults: faults))
    exchanges[stream] = Exchange(request: request, response: response, answers: answers)
    path.write(request, .up, on: stream, finishing: true)
    return stream
  }

  /// Runs event by event until no event is left or `limit` is reached.
  mutating func run(until limit: Duration = .seconds(10_000)) {
    let limit = SimulatedInstant.zero.advanced(by: limit)
    while let next = path.nextEventTime, next <= limit {
      path.advance(to: next)
      var fresh: [PathEvent] = []
      path.drainEvents { fresh.append($0) }
      for event in fresh {
        if event.kind == .requestReceived, let stream = event.stream, let exchange = exchanges[stream],
          exchange.answers
        {
          path.write(exchange.response, .down, on: stream, finishing: true)
        }
      }
      events += fresh
    }
    path.advance(to: limit)
    path.drainEvents { events.append($0) }
  }

  func events(of stream: StreamID) -> [PathEvent] {
    events.filter { $0.stream == stream }
  }

  func received(by stream: StreamID) -> Int64 {
    events(of: stream).reduce(0) { sum, event in
      if case .received(let count) = event.kind { sum + count } else { sum }
    }
  }

  func time(of kind: PathEvent.Kind, _ stream: StreamID) -> Duration? {
    events(of: stream).first { $0.kind == kind }.map { SimulatedInstant.zero.duration(to: $0.time) }
  }

  func failure(of stream: StreamID) -> StreamFailure? {
    for event in events(of: stream) {
      if case .failed(let failure) = event.kind { return failure }
    }
    return nil
  }

  func endings(of stream: StreamID) -> Int {
    events(of: stream).count { event in
      if case .failed = event.kind { true } else { event.kind == .responseReceived }
    }
  }
}

extension PathConditions {
  /// Conditions that are the same in both directions.
  static func symmetric(
    _ rate: Bandwidth? = nil, delay: Duration = .zero, loss: LossModel = .none, queue: Int = 100,
    outage: Outage? = nil, dnsDelay: Duration = .zero
  ) -> PathConditions {
    let link = LinkConditions(rate: rate, delay: delay, loss: loss, queue: queue)
    return PathConditions(down: link, up: link, dnsDelay: dnsDelay, outage: outage)
  }
}

/// A random source for tests that generate their inputs.
struct TestRandom {
  var key: KeyedRandom
  var count: UInt64 = 0

  init(_ seed: UInt64) {
    key = KeyedRandom(seed: seed)
  }

  mutating func next(_ range: Range<Int64>) -> Int64 {
    count += 1
    return range.lowerBound + Int64(key.keyed(by: count).bits % UInt64(range.upperBound - range.lowerBound))
  }
}
