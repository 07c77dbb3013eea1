/// A transfer as one measures it: so many bytes, one way, over a connection that is fresh or warm, alone or in parallel.
///
/// Pure code over ``PathSimulator`` with a client and a server that answer at once, for comparing the simulator with
/// measurements and for asking how long something takes.
public struct TransferScenario: Hashable, Sendable {
  /// Which way the bytes go.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// From the server to the client.
    case get
    /// From the client to the server.
    case put
  }

  /// The conditions of the network over time.
  public var schedule: ConditionSchedule
  /// The behaviour of both ends.
  public var configuration = PathConfiguration()
  /// Which way the bytes go.
  public var method: Method
  /// How many bytes the body has.
  public var bytes: Int64
  /// Whether a transfer of 1000 bytes on the same connection came right before.
  public var isWarm = false
  /// How many such transfers begin at once; the last one to end counts.
  public var parallel = 1
  /// How many bytes an upload has that is under way on a connection of its own, begun a second before; `nil` is none.
  ///
  /// The second is longer by up to 10 ms, drawn from the seed, so that no place in the upload's windows is preferred.
  public var besideUpload: Int64?
  /// Whether a TLS handshake comes first.
  public var isSecure = false
  /// Whether the host must be looked up first.
  public var needsResolution = false
  /// How requests share connections.
  public var version = StreamRequest.HTTPVersion.http1
  /// When to give up, counted from the transfer's start; what warms a connection may take as long again.
  public var limit = Duration.seconds(180)

  /// The payload of a GET, and of the head of a PUT, as curl sends them for a short path.
  static let requestSize: Int64 = 80
  /// The payload of a GET and of the head of its answer in HTTP/2, where HPACK shortens them.
  static let shortRequestSize: Int64 = 39
  static let shortHeadSize: Int64 = 107
  static let uploadHeadSize: Int64 = 106
  /// The size of a server's answer to a PUT.
  static let uploadResponseSize: Int64 = 200
  /// The body that warms a connection.
  static let warmingSize: Int64 = 1_000
  /// By how much an upload beside the transfer begins earlier, and by how much more at most.
  static let headStart: Int64 = 1_000_000_000
  static let headStartSpread: UInt64 = 10_000_000

  /// Creates a scenario.
  public init(_ method: Method, bytes: Int64, over schedule: ConditionSchedule) {
    self.method = method
    self.bytes = bytes
    self.schedule = schedule
  }

  /// The result of a transfer; times count from its start, and a step that did not happen has none.
  public struct Outcome: Hashable, Sendable {
    /// When the host's address was known; nothing when it need not be looked up.
    public var resolve: Duration?
    /// When the first connection stood; at once when it is warm.
    public var connect: Duration?
    /// When the first TLS handshake was done; nothing without TLS.
    public var secure: Duration?
    /// When the first byte of the response was there.
    public var firstByte: Duration?
    /// When the last byte of the last transfer was there.
    public var total: Duration?
    /// Why a transfer failed.
    public var failure: StreamFailure?
    /// The cost of all transfers together, from the client to the server.
    public var up = StreamStatistics.Counters()
    /// The cost of all transfers together, from the server to the client.
    public var down = StreamStatistics.Counters()
  }

  /// Runs the scenario with the chance of this seed.
  public func run(seed: UInt64) -> Outcome {
    var run = TransferRun(self, seed: seed)
    return run.outcome()
  }
}

/// The client and the server of a scenario, which speak one version of HTTP and no other.
struct TransferRun {
  let scenario: TransferScenario
  let seed: UInt64
  var path: PathSimulator
  private var result = TransferScenario.Outcome()
  /// Which stream is which transfer; the warming one and the upload beside have no part in the result.
  private var streams: [StreamID] = []
  private var warming: StreamID?
  private var upload: StreamID?
  private var begin = SimulatedInstant.zero
  private var remaining: Int
  private var events: [PathEvent] = []

  init(_ scenario: TransferScenario, seed: UInt64) {
    self.scenario = scenario
    self.seed = seed
    var configuration = scenario.configuration
    configuration.racesQuic = false
    path = PathSimulator(seed: seed, schedule: scenario.schedule, configuration: configuration)
    remaining = max(1, scenario.parallel)
  }

  mutating func outcome() -> TransferScenario.Outcome {
    if scenario.besideUpload != nil { beginUpload() }
    if scenario.isWarm {
      warming = open(0)
    } else {
      openAll()
    }
    run(until: begin.advanced(by: scenario.limit))
    for stream in streams {
      let statistics = path.statistics(of: stream)
      result.up.add(statistics.up)
      result.down.add(statistics.down)
    }
    return result
  }

  /// Lets everything happen up to `end`, or to the end of all transfers; what warms a connection may put `end` off.
  private mutating func run(until end: SimulatedInstant) {
    var end = end
    while remaining > 0, let next = path.nextEventTime, next <= end {
      path.advance(to: next)
      path.drainEvents { events.append($0) }
      let before = begin
      for event in events { react(to: event) }
      if begin != before { end = begin.advanced(by: scenario.limit) }
      events.removeAll(keepingCapacity: true)
    }
  }

  /// Begins the upload beside the transfer, and lets it have its head start.
  private mutating func beginUpload() {
    // Another port: a connection that none of the transfers may share or wait for.
    upload = path.open(StreamRequest(key: .max, host: Self.host, port: 81))
    let spread =
      KeyedRandom(seed: seed).keyed(by: "head start").bits % (TransferScenario.headStartSpread + 1)
    begin = SimulatedInstant(nanoseconds: TransferScenario.headStart + Int64(spread))
    run(until: begin)
    path.advance(to: begin)
  }

  private static let host = "192.0.2.1"

  private mutating func open(_ key: UInt64) -> StreamID {
    path.open(
      StreamRequest(
        key: key, host: Self.host, port: 80, isSecure: scenario.isSecure, version: scenario.version,
        headBytes: TransferScenario.uploadHeadSize, needsResolution: scenario.needsResolution))
  }

  private mutating func openAll() {
    begin = path.now
    for number in 0..<remaining { streams.append(open(UInt64(number + 1))) }
  }

  private mutating func react(to event: PathEvent) {
    guard let stream = event.stream else { return }
    if stream == upload { return reactUpload(to: event.kind, stream) }
    switch event.kind {
    case .resolved:
      if stream != warming, result.resolve == nil, scenario.needsResolution {
        result.resolve = begin.duration(to: event.time)
      }
    case .connected(let reused):
      if stream != warming, result.connect == nil {
        result.connect = begin.duration(to: event.time)
      }
      // A connection that stands is secured already, and says so only once.
      if !scenario.isSecure || reused { send(stream) }
    case .secured:
      if stream != warming, result.secure == nil { result.secure = begin.duration(to: event.time) }
      send(stream)
    case .requestReceived:
      respond(stream)
    case .received:
      if stream != warming, result.firstByte == nil {
        result.firstByte = begin.duration(to: event.time)
      }
    case .responseReceived:
      if stream == warming {
        openAll()
      } else {
        remaining -= 1
        result.total = remaining == 0 ? begin.duration(to: event.time) : nil
      }
    case .failed(let failure):
      result.failure = failure
      remaining = 0
    default:
      break
    }
  }

  private mutating func reactUpload(to kind: PathEvent.Kind, _ stream: StreamID) {
    switch kind {
    case .connected: sendUpload(scenario.besideUpload ?? 0, stream)
    case .requestReceived:
      path.write(TransferScenario.uploadResponseSize, .down, on: stream, finishing: true)
    default: break
    }
  }

  /// curl writes the head of an upload apart, which makes it a segment of its own.
  private mutating func sendUpload(_ bytes: Int64, _ stream: StreamID) {
    path.write(TransferScenario.uploadHeadSize, .up, on: stream, finishing: false)
    path.write(bytes, .up, on: stream, finishing: true)
  }

  /// The client sends its request.
  private mutating func send(_ stream: StreamID) {
    if scenario.method == .put, stream != warming {
      sendUpload(scenario.bytes, stream)
    } else {
      let isShort = scenario.version != .http1
      path.write(
        isShort ? TransferScenario.shortRequestSize : TransferScenario.requestSize, .up, on: stream,
        finishing: true)
    }
  }

  /// The server answers.
  private mutating func respond(_ stream: StreamID) {
    let isUpload = scenario.method == .put && stream != warming
    let body = stream == warming ? TransferScenario.warmingSize : scenario.bytes
    if isUpload {
      path.write(TransferScenario.uploadResponseSize, .down, on: stream, finishing: true)
    } else if scenario.version != .http1 {
      path.write(TransferScenario.shortHeadSize, .down, on: stream, finishing: false)
      path.write(body, .down, on: stream, finishing: true)
    } else {
      path.write(250 + Int64(String(body).count) + body, .down, on: stream, finishing: true)
    }
  }
}
