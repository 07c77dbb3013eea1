import Internals
public import URLLoading

extension StubResponse {
  /// Answers each request by a closure, which is given its body as `httpBody`; a thrown error fails the request.
  ///
  /// In real time the closure may block. In a ``Simulation`` only a closure that is `async` can wait for something of
  /// it.
  public static func handler(_ handler: @escaping @Sendable (URLRequest) throws -> StubResponse) -> StubResponse {
    StubResponse(.handler { try handler($0.withBody()) })
  }

  /// Answers each request by a closure that may wait for something.
  ///
  /// The request has its body as `httpBody`. The closure's task is cancelled once the client has gone.
  public static func handler(_ handler: @escaping @Sendable (URLRequest) async throws -> StubResponse) -> StubResponse {
    StubResponse(.asyncHandler { try await handler($0.withBody()) })
  }

  /// Answers by a closure that gives the arguments of a data task's completion handler.
  ///
  /// Data without a response comes with status 200. With an error, what is given beside it comes first.
  public static func handler(
    _ handler: @escaping @Sendable (URLRequest) throws -> (HTTPURLResponse?, Data?, (any Error)?)
  ) -> StubResponse {
    StubResponse(.handler { StubResponse(try handler($0.withBody())) })
  }

  /// Answers by a closure that gives the arguments of a data task's completion handler, and may wait for something.
  public static func handler(
    _ handler: @escaping @Sendable (URLRequest) async throws -> (HTTPURLResponse?, Data?, (any Error)?)
  ) -> StubResponse {
    StubResponse(.asyncHandler { StubResponse(try await handler($0.withBody())) })
  }

  /// Answers by a closure that gives response and data; a thrown error fails the request.
  public static func handler(
    _ handler: @escaping @Sendable (URLRequest) throws -> (HTTPURLResponse, Data)
  ) -> StubResponse {
    StubResponse(
      .handler { request in
        let (response, data) = try handler(request.withBody())
        return StubResponse((response, data, nil))
      })
  }

  init(_ answer: (response: HTTPURLResponse?, data: Data?, error: (any Error)?)) {
    if answer.response == nil, answer.data == nil {
      self = .error(
        answer.error.map { URLError(wrapping: $0) }
          ?? URLError(
            .badServerResponse,
            Explanation.unusableStub.ending("The stub's handler gave no response, no data and no error.")))
      return
    }
    let data = answer.data ?? Data()
    self.init(.data(data), status: answer.response?.statusCode)
    headers = answer.response.map { ResponseHead($0).headers } ?? []
    failure = answer.error.map { Failure(error: URLError(wrapping: $0), afterBytes: Int64(data.count)) }
  }
}
