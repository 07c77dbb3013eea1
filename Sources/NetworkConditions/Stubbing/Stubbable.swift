public import URLLoading

/// A type to which routes can be added: a ``StubTransport``, or a network that has one.
public protocol Stubbable {
  /// The stub that gets the routes.
  var stubs: StubTransport { get }
}

extension Stubbable {
  /// Answers requests of any method whose URL matches: `stub("https://api.example.com/feed", with: .json(feed))`.
  ///
  /// - Parameters:
  ///   - pattern: a whole URL, a path, or a host with or without a path; see ``URLPattern``.
  ///   - query: query items that must be there; values may hold `*`.
  ///   - headers: header fields that must be there; values may hold `**`.
  ///   - body: what the body must be.
  ///   - response: the answer.
  @discardableResult
  public func stub(
    _ pattern: URLPattern, query: [String: Glob] = [:], headers: [String: Glob] = [:], body: BodyPattern? = nil,
    with response: StubResponse
  ) -> StubRoute {
    stub(.any, pattern, query: query, headers: headers, body: body, with: response)
  }

  /// Answers requests for one URL.
  @discardableResult
  public func stub(_ url: URL, with response: StubResponse) -> StubRoute {
    stub(.any, URLPattern(url), with: response)
  }

  /// Answers requests of a method whose URL matches: `stub(.post, "/orders/**", with: .status(201))`.
  ///
  /// - Parameters:
  ///   - method: the method, or `.any`.
  ///   - pattern: a whole URL, a path, or a host with or without a path; `nil` is any. See ``URLPattern``.
  ///   - query: query items that must be there; values may hold `*`.
  ///   - headers: header fields that must be there; values may hold `**`.
  ///   - body: what the body must be.
  ///   - response: the answer.
  @discardableResult
  public func stub(
    _ method: MethodPattern, _ pattern: URLPattern? = nil, query: [String: Glob] = [:], headers: [String: Glob] = [:],
    body: BodyPattern? = nil, with response: StubResponse
  ) -> StubRoute {
    func items(_ wanted: [String: Glob]) -> [URLPattern.QueryItem] {
      wanted.sorted { $0.key < $1.key }.map { URLPattern.QueryItem(name: $0.key, value: $0.value) }
    }
    let condition = RouteCondition(
      method: method, url: pattern, query: items(query), headers: items(headers), body: body)
    return stubs.add(condition, response)
  }

  /// Answers requests whose URL matches with what a closure gives: `stub("/echo") { .data($0.httpBody ?? Data()) }`.
  ///
  /// The request has its body as `httpBody`; a thrown error fails it. The closure may block in real time, but not in a
  /// ``Simulation``, where the form that is `async` is the one to wait in: `StubResponse.handler`.
  ///
  /// - Parameters:
  ///   - pattern: a whole URL, a path, or a host with or without a path; see ``URLPattern``.
  ///   - handler: gives the answer, once for each request.
  @discardableResult
  public func stub(
    _ pattern: URLPattern, with handler: @escaping @Sendable (URLRequest) throws -> StubResponse
  ) -> StubRoute {
    stub(pattern, with: .handler(handler))
  }

  /// Answers requests whose URL matches with what a closure gives, which may wait for something.
  ///
  /// The closure's task is cancelled once the client has gone.
  @discardableResult
  public func stub(
    _ pattern: URLPattern, with handler: @escaping @Sendable (URLRequest) async throws -> StubResponse
  ) -> StubRoute {
    stub(pattern, with: .handler(handler))
  }

  /// Answers requests of a method whose URL matches with what a closure gives: `stub(.post, "/orders") { request in ... }`.
  @discardableResult
  public func stub(
    _ method: MethodPattern, _ pattern: URLPattern? = nil,
    with handler: @escaping @Sendable (URLRequest) throws -> StubResponse
  ) -> StubRoute {
    stub(method, pattern, with: .handler(handler))
  }

  /// Answers requests of a method whose URL matches with what a closure gives, which may wait for something.
  @discardableResult
  public func stub(
    _ method: MethodPattern, _ pattern: URLPattern? = nil,
    with handler: @escaping @Sendable (URLRequest) async throws -> StubResponse
  ) -> StubRoute {
    stub(method, pattern, with: .handler(handler))
  }

  /// Answers requests that a closure agrees to: `stub({ $0.httpMethod == "PUT" }, with: .status(204))`.
  ///
  /// The closure is called on no particular thread, and sees the request without its body.
  @discardableResult
  public func stub(
    _ predicate: @escaping @Sendable (URLRequest) -> Bool, with response: StubResponse
  ) -> StubRoute {
    stubs.add(RouteCondition(predicate: predicate), response)
  }

  /// Answers requests that a closure agrees to with what another gives: `stub { $0.httpMethod == "PUT" } with: { ... }`.
  @discardableResult
  public func stub(
    _ predicate: @escaping @Sendable (URLRequest) -> Bool,
    with handler: @escaping @Sendable (URLRequest) throws -> (HTTPURLResponse?, Data?, (any Error)?)
  ) -> StubRoute {
    stub(predicate, with: .handler(handler))
  }
}
