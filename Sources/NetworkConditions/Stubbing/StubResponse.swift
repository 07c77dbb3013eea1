public import URLLoading

/// A stub's answer, written with a leading dot: `.json(feed)`, `.status(503)`, `.error(.networkConnectionLost)`.
///
/// `Content-Length` and `Content-Type` are set unless you set them. A client takes no more bytes than the head
/// announces. With fewer the answer fails with `networkConnectionLost`, as a real one does. Answers to HEAD, and those
/// with status 204 or 304, have no body. With a `Content-Encoding` give the decoded body and, as `Content-Length`, its
/// size on the wire; a gzip body is unpacked. All answers but handlers are prepared once, when the route is made.
public struct StubResponse: Sendable {
  enum Content: Sendable {
    case data(Data)
    case generated(Int64)
    case stream([(Duration, Data)])
    case nothing
    case silence
    case sequence([StubResponse], then: SequenceEnd)
    case handler(@Sendable (TransportRequest) throws -> StubResponse)
    case asyncHandler(@Sendable (TransportRequest) async throws -> StubResponse)
    case unusable(String)
  }

  /// What a sequence does after its last answer.
  public enum SequenceEnd: Sendable {
    /// Repeats the last answer.
    case repeatLast
    /// Starts again with the first answer.
    case cycle
    /// Fails with a `URLError(.resourceUnavailable)` that names the sequence.
    case fail
  }

  struct Failure: Sendable {
    var error: URLError
    /// How many bytes of the body are sent first; `nil` sends not even the head.
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

  /// The answer after a delay of the network's time, in which the server thinks.
  ///
  /// Several delays add up. In a sequence or a handler, each answer is delayed.
  public func after(_ delay: Duration) -> StubResponse {
    with { $0.delay = $0.delay.saturatingAdd(max(delay, .zero)) }
  }

  /// The answer with a header field, which replaces fields of the same name; `Set-Cookie` fields are added.
  public func header(_ name: String, _ value: String) -> StubResponse {
    with { $0.headers.append(HeaderField(name, value)) }
  }

  /// This response, with another way to mark the end of its body than its length or the last chunk.
  public func framed(_ framing: BodyFraming) -> StubResponse {
    with { $0.framing = framing }
  }

  /// The answer, sent when the server has the request's head and `count` bytes of its body, while the rest is on its way.
  ///
  /// The client stops sending when it has the head of an answer from status 300 on. It also stops if the answer ends
  /// the connection (`.header("Connection", "close")`, ``BodyFraming/untilClose``). With any other answer it sends
  /// everything. This was measured with a session on Linux; Apple documents none of it.
  ///
  /// A handler gets the request without its body; ``StubRoute/partialRequests`` tells how much of it came. A route with
  /// a body pattern or a closure, and every route after it, answers only after the whole body.
  public func early(afterBytes count: Int64 = 0) -> StubResponse {
    with { $0.early = max(count, 0) }
  }

  /// The answer with another status, 100 to 599.
  public func status(_ status: Int) -> StubResponse {
    with { response in
      response.status = status
      if !(100...599).contains(status) {
        response.content = .unusable("\(status) is not an HTTP status; write 100 to 599")
      }
    }
  }

  /// The answer, cut off by an error after `count` bytes of the body.
  ///
  /// The head still announces the whole body, as when a real connection breaks.
  public func failing(_ code: URLError.Code, afterBytes count: Int64) -> StubResponse {
    with { $0.failure = Failure(error: URLError(code), afterBytes: max(count, 0)) }
  }

  private func with(_ change: (inout StubResponse) -> Void) -> StubResponse {
    var copy = self
    change(&copy)
    return copy
  }
}

/// What marks the end of a body on an HTTP/1.1 connection (RFC 9112, 6.3 and 8).
///
/// The behaviour was measured with a session on Linux; Apple documents `networkConnectionLost` for a broken connection.
/// HTTP/2, which the simulation uses for `https:`, ends every stream itself, so there all three are alike.
public enum BodyFraming: Hashable, Sendable {
  /// The `Content-Length` marks the end: with fewer bytes the answer fails.
  case length
  /// The last chunk marks the end: without it the answer fails.
  case chunked
  /// The connection's end marks the end, as with an HTTP/1.0 server, so a body that was cut off looks complete.
  ///
  /// After a `truncate` fault the client has the bytes before it, without an error. A reset fails the request, even
  /// after the last byte.
  case untilClose
}
