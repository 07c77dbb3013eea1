import struct Synchronization.Atomic
public import URLLoading

/// The source of an answer's bytes: a stub, the real network, or a recording.
///
/// The simulation asks a transport when a whole request has reached the server; a stub may answer earlier
/// (``StubResponse/early(afterBytes:)``). The simulation itself decides when the answer's bytes reach the client. To
/// add a transport, write one type with this one method.
public protocol Transport: Sendable {
  /// Starts the answer to a request.
  ///
  /// It may be called on any thread, and must not block for long: answer at once, or later from any thread. Every call
  /// must end with exactly one ``TransportReply/finish()`` or ``TransportReply/fail(_:)``.
  func respond(to request: TransportRequest, with reply: any TransportReply)
}

/// A request as the server sees it.
public struct TransportRequest: Sendable {
  /// The request, with all headers from the client but without the body.
  public var request: URLRequest
  /// The whole body.
  public var body: RequestBody
  /// The request's number among the network's equal requests (by method and URL without secrets), from 1.
  public var occurrence: Int
  /// When the request reached the server, in the network's time.
  public var time: SimulatedInstant
  /// The rule for secrets in texts about the request.
  public var redaction: Redaction
  var client: RequestClient?
  var isSimulated = false
  /// Whether a fault has redirected a request to this URL.
  var followsFault = false

  /// The server's date: in a simulation when the request reached it, elsewhere the real one.
  var date: Date { isSimulated ? time.simulatedDate : Date() }

  /// Creates a request.
  public init(
    request: URLRequest, body: RequestBody = .empty, occurrence: Int = 1, time: SimulatedInstant = .zero,
    redaction: Redaction = .standard
  ) {
    self.request = request
    self.body = body
    self.occurrence = occurrence
    self.time = time
    self.redaction = redaction
  }

  package var shownURL: String { redaction.url(request.url?.absoluteString ?? "") }
}

/// The client that sent a request, with a mark for its cancellation.
final class RequestClient: Sendable {
  private let mark = Atomic<Bool>(false)
  private let sessions: SimulatedSessions?

  init(_ sessions: SimulatedSessions? = nil) {
    self.sessions = sessions
  }

  var isGone: Bool {
    get {
      // A session cancels its tasks on its own queue. On a simulation's thread, wait for that first.
      if let sessions, SimulationDriver.isDriving, !sessions.isCurrentThread {
        sessions.settleMeanwhile()
      }
      return mark.load(ordering: .acquiring)
    }
    set { mark.store(newValue, ordering: .releasing) }
  }
}

/// A request's body, in memory or in a file.
public enum RequestBody: Sendable {
  /// No body.
  case empty
  /// A body in memory.
  case data(Data)
  /// A body in a file, which must not change during the request.
  case file(URL, length: Int64)

  /// The body's size in bytes.
  public var count: Int64 {
    switch self {
    case .empty: 0
    case .data(let data): Int64(data.count)
    case .file(_, let length): length
    }
  }

  /// Returns the body's bytes; maps a file if the system can.
  public func load() throws -> Data {
    switch self {
    case .empty: Data()
    case .data(let data): data
    case .file(let url, _): try Data(contentsOf: url, options: .mappedIfSafe)
    }
  }
}

/// An answer's head: status and header fields.
public struct ResponseHead: Hashable, Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields, in order.
  public var headers: [HeaderField]
  /// Whether the end of an HTTP/1.1 connection ends a body without a length; otherwise its last chunk does.
  public var endsWithConnection = false

  /// Creates a head.
  public init(status: Int = 200, headers: [HeaderField] = []) {
    self.status = status
    self.headers = headers
  }

  /// Whether a client follows the head's `Location` (RFC 9110, section 15.4).
  package var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  /// The value of the first field with this name, in any case.
  public subscript(name: String) -> String? {
    headers.first { ASCII.equalIgnoringCase($0.name, name) }?.value
  }
}

/// One header field.
public struct HeaderField: Hashable, Sendable {
  /// The field's name.
  public var name: String
  /// The field's value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Receives a transport's answer: one head, any number of pieces of body, then exactly one end.
///
/// Call it in order, from any thread. Calls after the end, or after the client has left, do nothing. A reply that wraps
/// another is a ``WrappingReply``: it must pass on every call that it does not handle.
public protocol TransportReply: Sendable {
  /// Sends the head.
  func head(_ head: ResponseHead)
  /// Sends the next piece of the decoded body, with its size on the wire if the head has a `Content-Encoding`.
  ///
  /// The link carries the bytes on the wire. The client gets the decoded piece in proportion as they arrive. Either may
  /// be empty. If the size is `nil`, the `Content-Length` gives the size of the whole body. Without that field, the
  /// decoded size counts, and ``Transfer/isSizeAssumed`` is set.
  func body(_ data: Data, encodedCount: Int64?)
  /// Sends a whole answer: the head, the body and the end.
  ///
  /// - Parameters:
  ///   - head: the status and the header fields.
  ///   - body: the decoded body.
  ///   - encodedCount: the body's size on the wire, as in ``body(_:encodedCount:)``.
  func answer(_ head: ResponseHead, body: Data, encodedCount: Int64?)
  /// Ends the answer successfully.
  func finish()
  /// Ends the answer with an error, which the client gets after all earlier bytes.
  func fail(_ error: URLError)
  /// Collects the parts that `work` gives and sends them at once, so that the head can share a packet with the body.
  func together(_ work: () -> Void)
  /// Runs `work` after `delay` of the network's time, unless the client has left by then.
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void)
  /// Runs `work` at once if the client is less than 16 MiB behind, otherwise when it is 8 MiB behind; never if it leaves.
  ///
  /// A transport with an endless body, or one that is not in memory, must ask before every piece. Bytes that it gives
  /// without asking stay in memory until the link has carried them.
  func whenRoom(_ work: @escaping @Sendable () -> Void)
  /// Tells the network that no answer will come, so that an immediate network's time advances and the client's timeouts run.
  func park()
  /// Tells the network that the rest of the answer comes from outside of the network's time, such as from a real server.
  ///
  /// An immediate network or a ``Simulation`` lets its time stand still until then.
  func waitOutside()
  /// The executor for the answer's `async` closures; `nil` if any will do.
  var executor: (any TaskExecutor)? { get }
  /// Runs `work` when the client leaves (cancelled, timed out or cut off), or at once if it has left.
  func onCancel(_ work: @escaping @Sendable () -> Void)
}

extension TransportReply {
  /// Sends the next piece of the body.
  public func body(_ data: Data) {
    if !data.isEmpty { body(data, encodedCount: nil) }
  }

  /// Sends a whole answer: the head, the body and the end.
  public func answer(_ head: ResponseHead, body: Data) { answer(head, body: body, encodedCount: nil) }

  /// Sends the head, the body and the end together.
  public func answer(_ head: ResponseHead, body: Data, encodedCount: Int64?) {
    together {
      self.head(head)
      if !body.isEmpty || encodedCount != nil { self.body(body, encodedCount: encodedCount) }
      finish()
    }
  }
}

/// A transport of one closure, which returns a ``StubResponse`` for each request.
///
/// For closures with the result `(response, data, error)`, use `StubResponse.handler` on a stub's route.
public struct HandlerTransport: Transport {
  private let answer: PreparedAnswer

  /// Creates a transport from a synchronous closure; a thrown error fails the request.
  public init(_ handler: @escaping @Sendable (TransportRequest) throws -> StubResponse) {
    answer = PreparedAnswer(StubResponse(.handler(handler)))
  }

  /// Creates a transport from an `async` closure, which is cancelled when the client leaves.
  public init(_ handler: @escaping @Sendable (TransportRequest) async throws -> StubResponse) {
    answer = PreparedAnswer(StubResponse(.asyncHandler(handler)))
  }

  /// Answers with the closure's response.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    answer.send(to: request, reply)
  }
}
