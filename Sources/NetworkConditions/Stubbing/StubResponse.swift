public import URLLoading

/// A stub's answer, made by a leading dot: `.json(feed)`, `.status(503)`, `.error(.networkConnectionLost)`.
///
/// `Content-Length` and `Content-Type` are set unless you set them. A client takes no more of a body than you announce,
/// and an answer with less fails with `networkConnectionLost`, as a real one does. A HEAD request gets no body, and
/// neither does one that is answered with 204 or 304. With a `Content-Encoding` the body is what the client gets, decoded,
/// and your `Content-Length` how many bytes that took on the wire; one that gzip packed is unpacked. All but handlers
/// is prepared once, when the route is made.
public struct StubResponse: Sendable {
  enum Content: Sendable {
    case data(Data)
    case generated(Int64)
    case stream([(Duration, Data)])
    case nothing
    case silence
    case transport((any Transport)?)
    case sequence([StubResponse], then: SequenceEnd)
    case handler(@Sendable (TransportRequest) throws -> StubResponse)
    case asyncHandler(@Sendable (TransportRequest) async throws -> StubResponse)
    case unusable(String)
  }

  /// The way a sequence goes on once its last answer has been given.
  public enum SequenceEnd: Sendable {
    /// Gives the last answer again and again.
    case repeatLast
    /// Begins again with the first.
    case cycle
    /// Fails with `URLError(.resourceUnavailable)`, which names the sequence.
    case fail
  }

  struct Failure: Sendable {
    var error: URLError
    /// How much of the body comes first; `nil` is not even the head.
    var afterBytes: Int64?
  }

  var content: Content
  var contentType: String?
  var status: Int?
  var headers: [HeaderField] = []
  var delay = Duration.zero
  var failure: Failure?
  var framing: BodyFraming?
  var early: Int64?

  init(_ content: Content, contentType: String? = nil, status: Int? = nil) {
    self.content = content
    self.contentType = contentType
    self.status = status
  }

  // MARK: Changes

  /// The same answer after the server has thought for `delay` of the network's own time.
  ///
  /// Several add up. Under a sequence or a handler each of its answers is delayed.
  public func after(_ delay: Duration) -> StubResponse {
    var copy = self
    copy.delay = copy.delay.saturatingAdd(max(delay, .zero))
    return copy
  }

  /// The same answer with a header field, in place of one of the same name; `Set-Cookie` is added to those there are.
  public func header(_ name: String, _ value: String) -> StubResponse {
    var copy = self
    copy.headers.append(HeaderField(name, value))
    return copy
  }

  /// The same answer whose end is known in another way: not by its length, or for a stream not by its last chunk.
  ///
  /// Of an answer of another transport, whose length is not known here, ``BodyFraming/length`` changes nothing.
  public func framed(_ framing: BodyFraming) -> StubResponse {
    var copy = self
    copy.framing = framing
    return copy
  }

  /// The same answer, given as soon as the server has the head and so many bytes of the body, while more is on its way.
  ///
  /// As a session on Linux was measured to do, the client sends no more once it has the head of an answer from status
  /// 300 on, or of one that ends its connection (`.header("Connection", "close")`, ``BodyFraming/untilClose``); of any
  /// other answer it sends all. Apple documents nothing of that.
  ///
  /// A handler is given the request without its body; ``StubRoute/partialRequests`` says how much of it came. A route
  /// that asks for a body, or has a closure, answers once it has all of it, and so do those behind it.
  public func early(afterBytes count: Int64 = 0) -> StubResponse {
    var copy = self
    copy.early = max(count, 0)
    return copy
  }

  /// The same answer with another status, 100 to 599.
  public func status(_ status: Int) -> StubResponse {
    var copy = self
    copy.status = status
    if let problem = Self.problem(ofStatus: status) { copy.content = .unusable(problem) }
    return copy
  }

  /// The same answer, cut off by an error once `count` bytes of the body have been given.
  ///
  /// The head still promises the whole body, as it does when a real connection breaks.
  public func failing(_ code: URLError.Code, afterBytes count: Int64) -> StubResponse {
    var copy = self
    copy.failure = Failure(error: URLError(code), afterBytes: max(count, 0))
    return copy
  }

  static func problem(ofStatus status: Int) -> String? {
    (100...599).contains(status) ? nil : "\(status) is not an HTTP status; write 100 to 599"
  }
}

/// How a client knows that a body is over, on an HTTP/1.1 connection (RFC 9112, 6.3 and 8).
///
/// A session on Linux was measured to do so; Apple documents `networkConnectionLost` for a connection that breaks.
/// HTTP/2, which is what `https:` is simulated with, ends every stream itself: there all three are alike.
public enum BodyFraming: Hashable, Sendable {
  /// By its `Content-Length`: with fewer bytes it is cut off, and fails.
  case length
  /// By its last chunk: without that it is cut off, and fails.
  case chunked
  /// By the end of its connection, as from an HTTP/1.0 server: cut off in good order, it looks whole.
  ///
  /// A `truncate` fault gives a client what came before it, with no error. A reset fails it, even behind its last byte.
  case untilClose
}
