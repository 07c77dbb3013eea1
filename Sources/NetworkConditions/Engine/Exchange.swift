import URLLoading

/// One client's request and its answer, from the call to exactly one end: finished, failed or cancelled.
///
/// It takes in the events of the path and the server's answer, and gives the output that the client may see. It knows
/// no thread, no lock and no clock: it lives inside ``EngineState`` and nowhere else (a class, because it is changed in
/// place many times a request).
// Unchecked: touched under the network's lock alone, but for its end. So its properties are spared the runtime's checks of
// exclusive access, too: 65 for each request.
final class Exchange: @unchecked Sendable {
  /// Where the present hop stands.
  enum Stage {
    /// The request has yet to set out.
    case waiting
    /// The request is on its way to the server, or waits for its turn.
    case requesting(StreamID)
    /// The server was asked for the answer, which may be before the request is whole.
    case answering(StreamID, Reply)
    /// The whole response has arrived, or it failed; the client has yet to take the rest of the output.
    case ended(ExchangeOutput.End)
  }

  /// Whether the client knows that there is something to take.
  enum Notice {
    case none
    /// It was told, and time waits until it comes.
    case told
    /// It was told and never seems to come: time waits no longer.
    case givenUp
  }

  let id: Int
  let settings: ExchangeSettings
  let sink: any ExchangeSink

  @exclusivity(unchecked) var stage = Stage.waiting
  /// The request of the present hop.
  @exclusivity(unchecked) var request: URLRequest
  @exclusivity(unchecked) var body: RequestBody
  @exclusivity(unchecked) var line: RequestLine
  /// The number of the present hop: of those to another address and those that go the same way again.
  @exclusivity(unchecked) private(set) var hop = 0
  @exclusivity(unchecked) private(set) var redirects = 0
  /// How often in a row it was sent again.
  @exclusivity(unchecked) private(set) var repetitions = 0
  /// How the present hop was sent again; on a connection for one without its body nothing is sent.
  @exclusivity(unchecked) private(set) var repetition: Transfer.Repetition?
  /// The path that it travels on.
  @exclusivity(unchecked) var path = 0
  /// The record of the present hop.
  @exclusivity(unchecked) var transfer: Transfer
  @exclusivity(unchecked) var plan = FaultPlan()
  @exclusivity(unchecked) var upload: Upload
  @exclusivity(unchecked) var server = Server()
  /// The answer, from its head on; `nil` before the server has given that.
  @exclusivity(unchecked) var answer: Answer?
  @exclusivity(unchecked) var limits: TimeLimits
  @exclusivity(unchecked) var notice = Notice.none
  /// The work that waits for a later time of the present hop.
  @exclusivity(unchecked) var timers: [TimerQueue<EngineState.TimedWork>.Ticket] = []
  /// Closures to run when it is over, such as one that removes a body's file.
  @exclusivity(unchecked) var cleanups: [@Sendable () -> Void] = []

  init(
    id: Int, request: URLRequest, body: RequestBody, settings: ExchangeSettings, sink: any ExchangeSink,
    line: RequestLine, at time: SimulatedInstant
  ) {
    self.id = id
    self.request = request
    self.body = body
    self.settings = settings
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

  /// The stream of the present hop, while it is on its path.
  var stream: StreamID? {
    switch stage {
    case .requesting(let stream), .answering(let stream, _): stream
    case .waiting, .ended: nil
    }
  }

  /// The way back of the server that was asked.
  var reply: Reply? {
    if case .answering(_, let reply) = stage { reply } else { nil }
  }

  /// How long nothing may arrive; `nil` for ever, as while it waits for a network.
  var idleTimeout: Duration? { limits.awaitsNetwork ? nil : settings.idleTimeout }

  /// Whether the body ends where the connection does, since nothing says how long it is (RFC 9112, 6.3).
  var endsWithConnection: Bool {
    answer?.persistence == .endOfResponse
  }

  /// Whether there is something for the client to take.
  var hasOutput: Bool {
    if limits.suspended != nil { return false }
    return hasEnded || upload.hasMoved || answer?.hasOutput == true
  }

  /// Has the record say how an encoded body is carried.
  func noteCoding() {
    guard let answer, answer.carried.isEncoded, answer.arrivedBody > 0 else { return }
    transfer.bytesDecoded = answer.decodedBody
    transfer.isSizeAssumed = answer.carried.isAssumed
  }

  /// Takes the output that the client may see now; there is none while it has suspended its task.
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
    // As `URLSession` does: what is promised is the size on the wire, of which a decoded byte is no part.
    output.expected = answer.carried.isEncoded ? nil : answer.expected
    self.answer = answer
  }

  /// Begins the next hop of a redirect.
  func redirect(to next: URLRequest, keepsBody: Bool, at time: SimulatedInstant) {
    request = next
    if !keepsBody { body = .empty }
    redirects += 1
    repetitions = 0
    limits.lastActivity = time
    startAgain()
  }

  /// Begins anew with the same request; its time limits go on.
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
}

extension Exchange {
  /// A request on its way: how much of it there is, and how much of that the server has.
  struct Upload {
    /// How much the server has been shown of a request that is not whole.
    enum Hearing {
      /// Nothing: its head has not come, or all of it has come at once.
      case none
      /// Its head is about to be shown, or is being shown.
      case due, now
      /// Its head has been shown; says who answers before the request is whole, if anybody does.
      case done(EarlyAnswer?)
    }

    /// The bytes of the request's head on the wire.
    var headBytes: Int64 = 0
    /// The size of the body; `nil` while a stream is still being read.
    var size: Int64?
    /// How much of a stream has been read.
    var ready: Int64 = 0
    /// How much of the body the server has.
    var received: Int64 = 0
    /// Whether that has changed since the client looked.
    var hasMoved = false
    var hearing = Hearing.none
    /// Whether the server has all of the request.
    var isWhole = false

    /// More bytes of the request, of so many in all, have reached the server.
    mutating func receive(_ total: Int64) {
      let body = max(0, total - headBytes)
      guard body > received else { return }
      received = body
      hasMoved = true
    }

    /// Who answers before the request is whole.
    var early: EarlyAnswer? {
      if case .done(let early) = hearing { early } else { nil }
    }
  }

  /// The server's side of the present hop.
  struct Server {
    var work = EngineState.ServerWork.done
    /// How it ended its answer; `nil` while it goes on.
    ///
    /// The client meets with an error behind all that was given before.
    var end: AnswerPart.End?
    /// Holds what it gave of the body until the client takes it.
    var given = GivenBody()
    /// Its work before it was held back because it is far ahead, and the closures that it goes on with.
    var heldBack: (before: EngineState.ServerWork, works: [@Sendable () -> Void])?

    /// The error that stands at the end of what it gave.
    var error: URLError? {
      if case .failed(let error) = end { error } else { nil }
    }
  }

  /// An answer whose head the server has given.
  struct Answer {
    /// How much the client sees of it.
    enum Sight {
      /// Nothing yet: its head has not arrived.
      case underWay
      /// Its head has arrived, and is to be taken.
      case due
      /// Its head was taken.
      case taken
      /// Nothing: it is a redirect that is followed, here or by the client, and its body is nobody's business.
      case hidden
    }

    let head: ResponseHead
    let headBytes: Int64
    /// How its connection goes on.
    let persistence: StreamRequest.Persistence
    /// How many bytes of body the head announces; `nil` when it does not say.
    let expected: Int64?
    /// The body as the wire carries it, and as the client gets it.
    var carried: CarriedBody
    /// All bytes that arrived, the head's included.
    var arrived: Int64 = 0
    /// How many bytes of the body, decoded, were made output.
    var delivered: Int64 = 0
    var sight = Sight.underWay

    /// How many bytes of the body have arrived, as the wire carries them.
    var arrivedBody: Int64 { max(0, min(arrived - headBytes, carried.count)) }

    /// How many bytes of the client's that gives.
    var decodedBody: Int64 { carried.decoded(of: arrivedBody) }

    /// How many bytes of it were given and not taken by the client.
    var untaken: Int64 { carried.decodedCount - delivered }

    var hasOutput: Bool {
      switch sight {
      case .underWay, .hidden: false
      case .due: true
      case .taken: decodedBody > delivered
      }
    }

    /// How many more bytes of the body have arrived, which count as taken from now on.
    mutating func takeArrived() -> Int64 {
      let before = delivered
      delivered = decodedBody
      return delivered - before
    }
  }

  /// How long a client waits.
  struct TimeLimits {
    /// When something last moved, for the idle timeout.
    var lastActivity: SimulatedInstant
    /// The limits that are watched; `nil` before any is.
    var watch: Watch?
    /// Whether it waits for a network to set out on.
    var awaitsNetwork = false
    /// Since when the task is suspended; `nil` while it runs.
    var suspended: SimulatedInstant?

    struct Watch {
      /// When all of it must be over; moves on while the task is suspended.
      var deadline: SimulatedInstant?
      /// When the limits are looked at next.
      var timer: TimerQueue<EngineState.TimedWork>.Ticket?
    }
  }
}
