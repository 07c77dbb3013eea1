import struct Synchronization.Atomic
public import URLLoading

/// Where the bytes of an answer come from: a stub, the real network, or a recording.
///
/// The simulation asks a transport once a request has reached the server in whole (a stub's answer may be early, see
/// ``StubResponse/early(afterBytes:)``), and decides itself when the answer's bytes reach the client. To add a transport,
/// write one type with this one method.
public protocol Transport: Sendable {
  /// Begins to answer a request.
  ///
  /// Called on no particular thread, and not to be blocked for long: answer at once, or later from any thread. Every
  /// call must end in exactly one ``TransportReply/finish()`` or ``TransportReply/fail(_:)``.
  func respond(to request: TransportRequest, with reply: any TransportReply)
}

/// A transport that can answer some requests on the spot.
///
/// An optional power, for speed: an answer that is given before the call returns needs no other thread.
public protocol ImmediateTransport: Transport {
  /// Answers a request completely before it returns; or leaves it unanswered and returns `false`.
  ///
  /// Called on a queue of the URL loading system's own: it must not wait, and must run no code of the user's.
  func respondImmediately(to request: TransportRequest, with reply: any TransportReply) -> Bool
}

/// A request as the server sees it.
public struct TransportRequest: Sendable {
  /// The request, with every header that the client sent and without its body.
  public var request: URLRequest
  /// The body, in whole.
  public var body: RequestBody
  /// Which of the equal requests (by method and URL, secrets apart) of this network it is, counted from 1.
  public var occurrence: Int
  /// When it reached the server, in the network's time.
  public var time: SimulatedInstant
  /// Takes secrets out of texts about it.
  public var redaction: Redaction
  /// The client that waits for the answer, where it is known.
  var client: RequestClient?

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

  /// Its URL as texts show it.
  package var shownURL: String { redaction.url(request.url?.absoluteString ?? "") }
}

/// The client that sent a request: a mark that is set when it cancels.
final class RequestClient: Sendable {
  private let mark = Atomic<Bool>(false)
  private let sessions: SimulatedSessions?

  init(_ sessions: SimulatedSessions? = nil) {
    self.sessions = sessions
  }

  /// Whether the client went away before it had the whole answer.
  var isGone: Bool {
    get {
      // A session's task is cancelled on a queue of its own: on a simulation's thread that is done first.
      if let sessions, SimulationDriver.isDriving, !sessions.isCurrentThread {
        sessions.settleMeanwhile()
      }
      return mark.load(ordering: .acquiring)
    }
    set { mark.store(newValue, ordering: .releasing) }
  }
}

/// The body of a request, in memory or in a file.
public enum RequestBody: Sendable {
  /// No body.
  case empty
  /// A body in memory.
  case data(Data)
  /// A body in a file, which stays as it is while the request is under way.
  case file(URL, length: Int64)

  /// How many bytes the body has.
  public var count: Int64 {
    switch self {
    case .empty: 0
    case .data(let data): Int64(data.count)
    case .file(_, let length): length
    }
  }

  /// The body's bytes; a file is read, mapped where the system can.
  public func load() throws -> Data {
    switch self {
    case .empty: Data()
    case .data(let data): data
    case .file(let url, _): try Data(contentsOf: url, options: .mappedIfSafe)
    }
  }
}

/// The head of an answer: status and header fields.
public struct ResponseHead: Hashable, Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields, in their order.
  public var headers: [HeaderField]
  /// Whether a body without a length ends where its HTTP/1.1 connection does, and not with its last chunk.
  public var endsWithConnection = false

  /// Creates a head.
  public init(status: Int = 200, headers: [HeaderField] = []) {
    self.status = status
    self.headers = headers
  }

  /// The value of the first field of this name, without regard to case.
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
/// May be called from any thread, in order. Calls after the end, and after the client has gone, do nothing. A reply that
/// stands before another, to listen or to change something, is a ``WrappingReply``: everything it does not look at
/// itself has to reach the network.
public protocol TransportReply: Sendable {
  /// Gives the head.
  func head(_ head: ResponseHead)
  /// Gives the next piece of the body, and how many bytes it was on the wire where the head has a `Content-Encoding`.
  ///
  /// The piece is what the client gets, decoded. The bytes on the wire are what is timed, and the client gets the piece in
  /// proportion as they arrive; either may be none. Where they are `nil`, they are worked out from the `Content-Length`, which
  /// tells all of them; without one the decoded size is taken, and ``Transfer/isSizeAssumed`` says so.
  func body(_ data: Data, encodedCount: Int64?)
  /// Gives a whole answer in one go: the head, the body, the end.
  ///
  /// - Parameters:
  ///   - head: the status and the header fields.
  ///   - body: the decoded body.
  ///   - encodedCount: how many bytes the body was on the wire, as in ``body(_:encodedCount:)``.
  func answer(_ head: ResponseHead, body: Data, encodedCount: Int64?)
  /// Ends the answer in good order.
  func finish()
  /// Ends the answer with an error; the client gets it once it has received all that was given before.
  func fail(_ error: URLError)
  /// Has all that `work` gives before it returns sent in one go: a head then shares its first packet with the body, as
  /// with servers that have both at hand.
  func together(_ work: () -> Void)
  /// Runs `work` after `delay` of the network's own time, unless the client has gone by then.
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void)
  /// Runs `work` at once when the client is less than 16 MiB behind, otherwise once it has caught up to 8 MiB; never when
  /// it goes away before that.
  ///
  /// A transport whose body is endless, or is nowhere in memory yet, asks for every piece: what it gives unasked is kept
  /// in memory until the simulated link has carried it.
  func whenRoom(_ work: @escaping @Sendable () -> Void)
  /// Says that nothing of the answer will come: a network that waits for nothing lets its time go on, so that the
  /// client's timeouts run.
  func park()
  /// Says that the rest of the answer comes from outside of the network's own time, such as from a real server: a network
  /// that waits for nothing, and a ``Simulation``, let their time stand still until it has come.
  func waitOutside()
  /// Where closures of the answer's that may wait are to run; `nil` is anywhere.
  var executor: (any TaskExecutor)? { get }
  /// Runs `work` once the client has gone: cancelled, timed out or cut off. At once when it has gone already.
  func onCancel(_ work: @escaping @Sendable () -> Void)
}

extension TransportReply {
  /// Gives the next piece of the body.
  public func body(_ data: Data) {
    if !data.isEmpty { body(data, encodedCount: nil) }
  }

  /// Gives a whole answer in one go: the head, the body, the end.
  public func answer(_ head: ResponseHead, body: Data) { answer(head, body: body, encodedCount: nil) }

  /// Gives the parts of it together.
  public func answer(_ head: ResponseHead, body: Data, encodedCount: Int64?) {
    together {
      self.head(head)
      if !body.isEmpty || encodedCount != nil { self.body(body, encodedCount: encodedCount) }
      finish()
    }
  }
}

/// A transport that is shown a request before all of it has come, as a server is.
///
/// An optional power: others are asked once a request is whole, and never hear of one that does not become so.
protocol AttentiveTransport: Transport {
  /// Returns the transport that answers a request of which only the head has come; `nil` is this one, once the request
  /// is whole.
  ///
  /// The request has no body. Called on a queue of the URL loading system's own: it must not wait, and must run no code of
  /// the user's.
  func earlyAnswer(to request: TransportRequest) -> EarlyAnswer?
  /// A request has ended of which only the head and so many bytes of the body had come.
  func missed(_ request: TransportRequest, received: Int64, of expected: Int64?)
}

/// The transport that answers a request before it is whole, and when.
struct EarlyAnswer: Sendable {
  /// How much of the request's body comes first.
  let afterBytes: Int64
  let transport: any Transport
}

/// A transport that is one closure: it is given each request and answers with a ``StubResponse``.
///
/// For closures of the shape `(request) -> (response, data, error)`, use `StubResponse.handler` on a stub's route.
public struct HandlerTransport: Transport {
  private let answer: PreparedAnswer

  /// Creates a transport from a closure that answers at once; a thrown error fails the request.
  public init(_ handler: @escaping @Sendable (TransportRequest) throws -> StubResponse) {
    answer = PreparedAnswer(StubResponse(.handler(handler)), passthrough: URLSessionTransport())
  }

  /// Creates a transport from a closure that may wait; it is cancelled once the client has gone.
  public init(_ handler: @escaping @Sendable (TransportRequest) async throws -> StubResponse) {
    answer = PreparedAnswer(StubResponse(.asyncHandler(handler)), passthrough: URLSessionTransport())
  }

  /// Answers with what the closure gives.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    answer.send(to: request, reply)
  }
}
