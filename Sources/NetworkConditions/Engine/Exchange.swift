import URLLoading

/// One client's request and its answer, from the call to exactly one end: finished, failed or cancelled.
///
/// Takes what happens on the path and on the server and says what the client may see. It knows no thread, no lock and no
/// clock: it lives inside ``EngineState`` and nowhere else (a class, because it is changed in place many times a request).
final class Exchange {
  /// What the server has been shown of a request that is not whole.
  enum Hearing {
    /// Nothing: its head has not come, or all of it has come at once.
    case none
    /// Its head is about to be shown, is being shown, has been shown.
    case due, now, done
  }

  /// Where an exchange stands.
  enum Stage {
    /// The request is on its way to the server (or waits for its turn).
    case requesting
    /// The server has the request and answers.
    case answering
    /// The whole response has arrived, or it failed; the client has yet to take what is left.
    case ended(ExchangeOutput.End)
  }

  let id: Int
  let settings: ExchangeSettings
  let sink: any ExchangeSink

  var stage = Stage.requesting
  /// The request of the present hop.
  var request: URLRequest
  var body: RequestBody
  var line: RequestLine
  var redirects = 0

  /// The path that it travels on, and its stream there.
  var path = 0
  var stream = StreamID(number: 0)
  /// The record of the present hop.
  var transfer: Transfer
  var plan = FaultPlan()
  /// Whether the request of the present hop is on its path.
  var hasDeparted = false

  /// The bytes of the request's head on the wire.
  var requestHeadBytes: Int64 = 0
  /// How much of the request's body the server has.
  var uploaded: Int64 = 0
  /// The size of the request's body; `nil` while a stream is still being read.
  var uploadSize: Int64?
  /// How much of a stream has been read.
  var uploadReady: Int64 = 0
  var uploadMoved = false

  var hearing = Hearing.none
  /// Who answers before the request is whole.
  var early: EarlyAnswer?
  /// Whether the server has all of the request.
  var isWhole = false

  /// What the server answers.
  var head: ResponseHead?
  var headBytes: Int64 = 0
  var expectedBody: Int64?
  /// All bytes that arrived, the head's included.
  var arrived: Int64 = 0
  /// What the server has given of the body: as the wire carries it, and as the client gets it.
  var carried = CarriedBody()
  /// How many bytes of the body, decoded, were made output.
  var delivered: Int64 = 0
  var headIsDue = false
  var headWasTaken = false
  /// Whether the server has given its end.
  var serverHasEnded = false
  /// The error that stands at the end of what the server gave.
  var serverError: URLError?
  var given = GivenBody()
  var reply: Reply?
  var serverWork = EngineState.ServerWork.done
  /// What a server that is far ahead did before, and what it goes on with.
  var heldBack: (before: EngineState.ServerWork, works: [@Sendable () -> Void])?

  /// What to run when it is over, such as removing a body's file.
  var cleanups: [@Sendable () -> Void] = []

  /// What is to be done for the present hop at later times.
  var timers: [TimerQueue<EngineState.TimedWork>.Ticket] = []

  /// When something last moved, for the idle timeout.
  var lastActivity: SimulatedInstant
  /// When all of it must be over; moves on while the task is suspended.
  var deadline: SimulatedInstant?
  /// When the client's time limits are looked at next.
  var timeouts: TimerQueue<EngineState.TimedWork>.Ticket?
  var hasTimeouts = false
  var isSuspended = false
  /// When it was suspended last.
  var suspended = SimulatedInstant.zero
  /// Whether the sink was told and has not come yet.
  var isSinkTold = false
  /// Whether time waits for the sink once it was told: not for one that never seems to come.
  var isSinkAwaited = true

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
    self.uploadSize = body.count
    self.lastActivity = time
    transfer = Transfer(
      number: 0, method: line.method, url: line.url, shownURL: line.shownURL, occurrence: line.occurrence, profile: "",
      started: time)
  }

  var hasEnded: Bool {
    if case .ended = stage { true } else { false }
  }

  /// How many bytes of the response's body have arrived, as the wire carries them.
  var arrivedBody: Int64 { max(0, min(arrived - headBytes, carried.count)) }

  /// How many bytes of it that gives the client.
  var decodedBody: Int64 { carried.decoded(of: arrivedBody) }

  /// How many bytes of it were given and not taken by the client.
  var untaken: Int64 { carried.decodedCount - delivered }

  /// Whether the body ends where the connection does, since nothing says how long it is (RFC 9112, 6.3).
  var endsWithConnection: Bool {
    head?.endsWithConnection == true && expectedBody == nil && line.version == .http1
  }

  /// Whether the present answer is a redirect that will be followed, here or by the client: its body is nobody's
  /// business.
  var isFollowedRedirect = false

  /// Whether there is something for the client to take.
  var hasOutput: Bool {
    if isSuspended { return false }
    if hasEnded || uploadMoved { return true }
    return headIsDue && !isFollowedRedirect && (!headWasTaken || decodedBody > delivered)
  }

  /// Has the record say how an encoded body is carried.
  func noteCoding() {
    guard carried.isEncoded, arrivedBody > 0 else { return }
    transfer.bytesDecoded = decodedBody
    transfer.isSizeAssumed = carried.isAssumed
  }

  /// Takes in that more bytes of the response have arrived, and says whether they completed the head.
  func receive(_ count: Int64, at time: SimulatedInstant) -> Bool {
    lastActivity = time
    arrived += count
    guard !headIsDue, head != nil, arrived >= headBytes else { return false }
    headIsDue = true
    return true
  }

  /// More bytes of the request have reached the server.
  func upload(_ total: Int64, at time: SimulatedInstant) {
    lastActivity = time
    let body = max(0, total - requestHeadBytes)
    guard body > uploaded else { return }
    uploaded = body
    uploadMoved = true
  }

  /// Takes what the client may see now.
  func takeOutput() -> ExchangeOutput {
    isSinkTold = false
    isSinkAwaited = true
    var output = ExchangeOutput()
    guard !isSuspended else { return output }
    if uploadMoved {
      uploadMoved = false
      output.uploaded = (uploaded, uploadSize)
    }
    if headIsDue, !headWasTaken, !isFollowedRedirect, let head, let url = request.url {
      headWasTaken = true
      output.response = (head, url)
      output.cookies = settings.cookies.map { ($0, request.mainDocumentURL) }
    }
    if headWasTaken, decodedBody > delivered { output.due = (given, takeArrived()) }
    output.received = delivered
    // As `URLSession` does: what is promised is the size on the wire, of which a decoded byte is no part.
    output.expected = carried.isEncoded ? nil : expectedBody
    if case .ended(let end) = stage { output.end = end }
    return output
  }

  /// How many more bytes of the body have arrived, which count as taken from now on.
  func takeArrived() -> Int64 {
    defer { delivered = decodedBody }
    return decodedBody - delivered
  }

  /// Begins the next hop of a redirect.
  func restart(with next: URLRequest, keepsBody: Bool, at time: SimulatedInstant) {
    request = next
    if !keepsBody { body = .empty }
    redirects += 1
    stage = .requesting
    uploaded = 0
    uploadSize = body.count
    hearing = .none
    early = nil
    isWhole = false
    head = nil
    headBytes = 0
    expectedBody = nil
    arrived = 0
    carried = CarriedBody()
    delivered = 0
    headIsDue = false
    headWasTaken = false
    serverHasEnded = false
    serverError = nil
    isFollowedRedirect = false
    given = GivenBody()
    reply = nil
    lastActivity = time
  }
}
