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
