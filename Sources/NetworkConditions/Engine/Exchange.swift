import URLLoading

/// One client's request and its answer, from the call to exactly one end: finished, failed or cancelled.
///
/// It takes the path's events and the server's answer, and produces the output for the client. It knows no thread, lock
/// or clock, and lives only inside ``EngineState``. It is a class because it is changed in place many times.
// Unchecked: used only under the network's lock, except for `deinit`. That makes the runtime's exclusivity checks (65
// per request) unnecessary, too.
final class Exchange: @unchecked Sendable {
  enum Stage {
    /// The request has not been sent yet.
    case waiting
    /// The request is on its way to the server, or waits in a queue.
    case requesting(StreamID)
    /// The server is answering, perhaps before the request is complete.
    case answering(StreamID, Reply)
    /// The response is complete or failed, but the client must still take the rest of the output.
    case ended(ExchangeOutput.End)
  }

  /// Whether the client was told that there is output.
  enum Notice {
    case none
    /// The client was told, and time stands still until it takes the output.
    case told
    /// The client was told but did not come; time no longer waits for it.
    case givenUp
  }

  let id: Int
  let settings: ExchangeSettings
  let sink: any ExchangeSink

  @exclusivity(unchecked) var stage = Stage.waiting
  @exclusivity(unchecked) var request: URLRequest
  @exclusivity(unchecked) var body: RequestBody
  @exclusivity(unchecked) var line: RequestLine
  /// The number of the present hop; each redirect or repeat starts a new hop.
  @exclusivity(unchecked) private(set) var hop = 0
  @exclusivity(unchecked) private(set) var redirects: Int
  /// How often in a row the request was sent again.
  @exclusivity(unchecked) private(set) var repetitions = 0
  /// How the present hop repeats the request; `nil` for the client's own request.
  @exclusivity(unchecked) private(set) var repetition: Transfer.Repetition?
  @exclusivity(unchecked) var path = 0
  @exclusivity(unchecked) var transfer: Transfer
  @exclusivity(unchecked) var plan = FaultPlan()
  @exclusivity(unchecked) var upload: Upload
  @exclusivity(unchecked) var server = Server()
  /// The answer; `nil` before the server has given its head.
  @exclusivity(unchecked) var answer: Answer?
  @exclusivity(unchecked) var limits: TimeLimits
  @exclusivity(unchecked) var notice = Notice.none
  /// The scheduled work of the present hop.
  @exclusivity(unchecked) var timers: [TimerQueue<EngineState.TimedWork>.Ticket] = []
  /// Closures for the end of the exchange, such as one that removes a body's file.
  @exclusivity(unchecked) var cleanups: [@Sendable () -> Void] = []

  init(
    id: Int, request: URLRequest, body: RequestBody, settings: ExchangeSettings, sink: any ExchangeSink,
    line: RequestLine, at time: SimulatedInstant
  ) {
    self.id = id
    self.request = request
    self.body = body
    self.settings = settings
    redirects = settings.redirects
    self.sink = sink
    self.line = line
    upload = Upload(size: body.count)
    limits = TimeLimits(lastActivity: time)
    transfer = Transfer(
      number: 0, method: line.method, url: line.url, shownURL: line.shownURL, occurrence: line.occurrence, profile: "",
      version: line.version, started: time)
  }

  var hasEnded: Bool {
    if case .ended = stage { true } else { false }
  }

  /// The path's stream for the present hop; `nil` before and after it.
  var stream: StreamID? {
    switch stage {
    case .requesting(let stream), .answering(let stream, _): stream
    case .waiting, .ended: nil
    }
  }

  /// The longest time without a byte; `nil` for no limit, and while the request waits for a network.
  var idleTimeout: Duration? { limits.awaitsNetwork ? nil : settings.idleTimeout }

  /// Whether the connection's end ends the body, since its length is unknown (RFC 9112, 6.3).
  var endsWithConnection: Bool {
    answer?.persistence == .endOfResponse
  }

  var hasOutput: Bool {
    if limits.suspended != nil { return false }
    return hasEnded || upload.hasMoved || answer?.hasOutput == true
  }

  /// Writes an encoded body's decoded size to the record.
  func noteCoding() {
    guard let answer, answer.carried.isEncoded, answer.arrivedBody > 0 else { return }
    transfer.bytesDecoded = answer.decodedBody
    transfer.isSizeAssumed = answer.carried.isAssumed
  }

  /// Takes the output that the client may see now; it is empty while the task is suspended.
  func takeOutput() -> ExchangeOutput {
    notice = .none
    var output = ExchangeOutput()
    guard limits.suspended == nil else { return output }
    if upload.hasMoved {
      upload.hasMoved = false
      output.uploaded = (upload.received, upload.size)
    }
    if let url = request.url { takeAnswer(from: url, into: &output) }
    if case .ended(let end) = stage { output.end = end }
    return output
  }

  private func takeAnswer(from url: URL, into output: inout ExchangeOutput) {
    guard var answer else { return }
    if answer.sight == .due {
      answer.sight = .taken
      output.response = (answer.head, url)
      output.cookies = settings.cookies.map { ($0, request.mainDocumentURL) }
    }
    if answer.sight == .taken, answer.decodedBody > answer.delivered {
      output.due = (server.given, answer.takeArrived())
    }
    output.received = answer.delivered
    // Like `URLSession`: it expects the size on the wire, which says nothing about decoded bytes.
    output.expected = answer.carried.isEncoded ? nil : answer.expected
    self.answer = answer
  }

  func redirect(to next: URLRequest, keepsBody: Bool, at time: SimulatedInstant) {
    request = next
    if !keepsBody { body = .empty }
    redirects += 1
    (repetitions, repetition) = (0, nil)
    limits.lastActivity = time
    startAgain()
  }

  /// Starts a new hop with the same request; the timeouts keep running.
  func `repeat`(_ repetition: Transfer.Repetition) {
    repetitions += 1
    self.repetition = repetition
    startAgain()
  }

  private func startAgain() {
    hop += 1
    stage = .waiting
    upload = Upload(size: body.count, hasMoved: upload.hasMoved)
    server = Server()
    answer = nil
  }

  struct Upload {
    /// Whether the server has got the head of an incomplete request.
    enum HeadDelivery {
      /// The server has not got the request: its head has not arrived, or the whole request arrived at once.
      case none
      /// The server will get the head (`due`), or is getting it at present (`now`).
      case due, now
      /// The server got the head; the value is its answer before the body, if it has one.
      case done(EarlyAnswer?)
    }

    var headBytes: Int64 = 0
    /// The body's size; `nil` while a stream is still being read.
    var size: Int64?
    /// The bytes read from a stream so far.
    var ready: Int64 = 0
    /// The body's bytes that the server has.
    var received: Int64 = 0
    /// Whether ``received`` has changed since the client last fetched its output.
    var hasMoved = false
    var headDelivery = HeadDelivery.none
    var isWhole = false

    /// Takes the path's count of request bytes, head included, that have reached the server.
    mutating func receive(_ total: Int64) {
      let body = max(0, total - headBytes)
      guard body > received else { return }
      received = body
      hasMoved = true
    }

    var early: EarlyAnswer? {
      if case .done(let early) = headDelivery { early } else { nil }
    }
  }

  struct Server {
    var work = EngineState.ServerWork.done
    /// How the server ended its answer; the client gets an error only after all earlier bytes.
    var end: AnswerPart.End?
    /// The body's bytes that the server has given and the client has not read.
    var given = GivenBody()
    /// The parts that the server has given, for a cache that will keep the answer.
    var kept: AnswerPart?
    /// The state of a server that is too far ahead: its earlier work, and the closures that continue it.
    var heldBack: (before: EngineState.ServerWork, works: [@Sendable () -> Void])?

    var error: URLError? {
      if case .failed(let error) = end { error } else { nil }
    }
  }

  struct Answer {
    enum Sight {
      /// The head has not arrived.
      case underWay
      /// The head has arrived; the client may take it.
      case due
      /// The client has taken the head.
      case taken
      /// The client sees nothing: this answer is a redirect, whose body is discarded.
      case hidden
    }

    let head: ResponseHead
    let headBytes: Int64
    let persistence: StreamRequest.Persistence
    /// The body's size as the head announces it; `nil` if it does not.
    let expected: Int64?
    var carried: CarriedBody
    /// All bytes of the answer that have arrived, head included.
    var arrived: Int64 = 0
    /// The decoded bytes that the client has taken.
    var delivered: Int64 = 0
    var sight = Sight.underWay

    /// The body's bytes on the wire that have arrived.
    var arrivedBody: Int64 { max(0, min(arrived - headBytes, carried.count)) }

    /// The decoded bytes that have arrived.
    var decodedBody: Int64 { carried.decoded(of: arrivedBody) }

    /// The decoded bytes that the server has given and the client has not taken.
    var untaken: Int64 { carried.decodedCount - delivered }

    var hasOutput: Bool {
      switch sight {
      case .underWay, .hidden: false
      case .due: true
      case .taken: decodedBody > delivered
      }
    }

    /// Marks all arrived bytes of the body as taken, and returns how many decoded bytes are new.
    mutating func takeArrived() -> Int64 {
      let before = delivered
      delivered = decodedBody
      return delivered - before
    }
  }

  struct TimeLimits {
    /// The time of the last progress, for the idle timeout.
    var lastActivity: SimulatedInstant
    /// The running timeouts; `nil` before they start.
    var watch: Watch?
    /// Whether the request waits for a network before it is sent.
    var awaitsNetwork = false
    /// When the task was suspended; `nil` while it runs.
    var suspended: SimulatedInstant?

    struct Watch {
      /// When the whole request must have ended; moves on by the length of each suspension.
      var deadline: SimulatedInstant?
      var timer: TimerQueue<EngineState.TimedWork>.Ticket?
    }
  }
}
