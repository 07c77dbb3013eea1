import Internals
public import URLLoading

extension StubResponse {
  /// Answers each request with a closure's response; if it throws, the client gets that error.
  ///
  /// The closure gets the body as `httpBody`. In real time it may block. In a ``Simulation`` only an `async` closure
  /// can wait for something in the simulation.
  public static func handler(_ handler: @escaping @Sendable (URLRequest) throws -> StubResponse) -> StubResponse {
    StubResponse(.handler { try handler($0.withBody()) })
  }

  /// Answers each request with the response of an `async` closure.
  ///
  /// The closure gets the body as `httpBody`. Its task is cancelled when the client leaves.
  public static func handler(_ handler: @escaping @Sendable (URLRequest) async throws -> StubResponse) -> StubResponse {
    StubResponse(.asyncHandler { try await handler($0.withBody()) })
  }

  /// Answers with a closure that returns the arguments of a data task's completion handler.
  ///
  /// Data without a response gets status 200. With an error, the response and data are sent before it.
  public static func handler(
    _ handler: @escaping @Sendable (URLRequest) throws -> (HTTPURLResponse?, Data?, (any Error)?)
  ) -> StubResponse {
    StubResponse(.handler { StubResponse(try handler($0.withBody())) })
  }

  /// Answers with a closure that returns response and data; if it throws, the client gets that error.
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
        answer.error.map { URLError(ofStub: $0) }
          ?? URLError(
            .badServerResponse,
            Explanation.unusableStub.ending("The stub's handler gave no response, no data and no error.")))
      return
    }
    let data = answer.data ?? Data()
    self.init(.data(data), status: answer.response?.statusCode)
    headers = answer.response.map { ResponseHead($0).headers } ?? []
    failure = answer.error.map { Failure(error: URLError(ofStub: $0), afterBytes: Int64(data.count)) }
  }
}
