/// A transfer as benchmarks measure it: some bytes, one way, over a new or warm connection, alone or in parallel.
///
/// Its client and server react at once, without computing time. Compare it with real measurements, or ask it how long a
/// transfer takes.
public struct TransferScenario: Hashable, Sendable {
  /// The direction of the body.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// From the server to the client.
    case get
    /// From the client to the server.
    case put
  }

  /// The network's conditions over time.
  public var schedule: ConditionSchedule
  /// The behaviour of client and server.
  public var configuration = PathConfiguration()
  /// The direction of the body.
  public var method: Method
  /// The size of the body in bytes.
  public var bytes: Int64
  /// Whether the connection is warm: it has just carried a transfer of 1000 bytes.
  public var isWarm = false
  /// How many equal transfers begin at once; the last one to end determines the total time.
  public var parallel = 1
  /// The size of an upload on another connection that began one second earlier; `nil` for none.
  ///
  /// The seed adds up to 10 ms to the second, so that transfers start at varied places in the upload's windows.
  public var besideUpload: Int64?
  /// Whether a TLS handshake precedes the transfer.
  public var isSecure = false
  /// Whether the host's name must be looked up first.
  public var needsResolution = false
  /// The version of HTTP, which decides how requests share connections.
  public var version = StreamRequest.HTTPVersion.http1
  /// The time limit of the transfer; the request that warms the connection has a limit of the same length.
  public var limit = Duration.seconds(180)

  /// The bytes of an HTTP/1.1 GET as curl sends it for a short path.
  static let requestSize: Int64 = 80
  /// The bytes of an HTTP/2 GET, shortened by HPACK; `shortHeadSize` is the head of its response.
  static let shortRequestSize: Int64 = 39
  static let shortHeadSize: Int64 = 107
  static let uploadHeadSize: Int64 = 106
  /// The bytes of a server's response to a PUT.
  static let uploadResponseSize: Int64 = 200
  /// The size of the body that warms a connection.
  static let warmingSize: Int64 = 1_000
  /// How much earlier a parallel upload begins, in nanoseconds; `headStartSpread` bounds the random addition.
  static let headStart: Int64 = 1_000_000_000
  static let headStartSpread: UInt64 = 10_000_000

  /// Creates a scenario.
  public init(_ method: Method, bytes: Int64, over schedule: ConditionSchedule) {
    self.method = method
    self.bytes = bytes
    self.schedule = schedule
  }

  /// The times and costs of a transfer; times count from its start, and skipped steps have `nil`.
  public struct Outcome: Hashable, Sendable {
    /// When the host's address was known; `nil` without a look-up.
    public var resolve: Duration?
    /// When the first connection was established; zero for a warm one.
    public var connect: Duration?
    /// When the first TLS handshake ended; `nil` without TLS.
    public var secure: Duration?
    /// When the client received the first byte of a response.
    public var firstByte: Duration?
    /// When the client received the last byte of the last response.
    public var total: Duration?
    /// Why a transfer failed; `nil` on success.
    public var failure: StreamFailure?
    /// The cost of all transfers from the client to the server.
    public var up = StreamStatistics.Counters()
    /// The cost of all transfers from the server to the client.
    public var down = StreamStatistics.Counters()
  }

  /// Runs the scenario with this seed for all random draws.
  public func run(seed: UInt64) -> Outcome {
    var run = TransferRun(self, seed: seed)
    return run.outcome()
  }
}

/// One run of a scenario with its client and server, which speak one version of HTTP.
struct TransferRun {
  let scenario: TransferScenario
  let seed: UInt64
  var path: PathSimulator
  private var result = TransferScenario.Outcome()
  /// The measured transfers' streams; the warming request and the parallel upload are not measured.
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

  /// Runs the path to time `end` or the last transfer's end; after warming, the limit starts again.
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

  private mutating func beginUpload() {
    // Another port, so that no transfer shares this connection or waits for it.
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
      // A reused connection has finished its handshake and reports no `secured` event.
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

  /// Writes the head of an upload separately, as curl does; it then travels in its own segment.
  private mutating func sendUpload(_ bytes: Int64, _ stream: StreamID) {
    path.write(TransferScenario.uploadHeadSize, .up, on: stream, finishing: false)
    path.write(bytes, .up, on: stream, finishing: true)
  }

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
