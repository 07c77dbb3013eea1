public import URLLoading

/// A type that takes routes: a ``StubTransport``, or a network with one.
public protocol Stubbable {
  /// The stub to which routes are added.
  var stubs: StubTransport { get }
}

extension Stubbable {
  /// Answers requests with a matching URL and any method: `stub("https://api.example.com/feed", with: .json(feed))`.
  ///
  /// - Parameters:
  ///   - pattern: a whole URL, a path, or a host with or without a path; see ``URLPattern``.
  ///   - query: required query items; values may contain `*`.
  ///   - headers: required header fields; values may contain `**`.
  ///   - body: the pattern for the body.
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

  /// Answers requests with a matching method and URL: `stub(.post, "/orders/**", with: .status(201))`.
  ///
  /// - Parameters:
  ///   - method: the method, or `.any`.
  ///   - pattern: a whole URL, a path, or a host with or without a path; `nil` matches any. See ``URLPattern``.
  ///   - query: required query items; values may contain `*`.
  ///   - headers: required header fields; values may contain `**`.
  ///   - body: the pattern for the body.
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

  /// Answers requests with a matching URL by a closure: `stub("/echo") { .data($0.httpBody ?? Data()) }`.
  ///
  /// The closure gets the body as `httpBody`; if it throws, the client gets that error. It may block in real time, but
  /// not in a ``Simulation``: there wait in an `async` closure (`StubResponse.handler`).
  ///
  /// - Parameters:
  ///   - pattern: a whole URL, a path, or a host with or without a path; see ``URLPattern``.
  ///   - handler: returns the answer, once for each request.
  @discardableResult
  public func stub(
    _ pattern: URLPattern, with handler: @escaping @Sendable (URLRequest) throws -> StubResponse
  ) -> StubRoute {
    stub(pattern, with: .handler(handler))
  }

  /// Answers requests with a matching URL by an `async` closure.
  ///
  /// The closure's task is cancelled when the client leaves.
  @discardableResult
  public func stub(
    _ pattern: URLPattern, with handler: @escaping @Sendable (URLRequest) async throws -> StubResponse
  ) -> StubRoute {
    stub(pattern, with: .handler(handler))
  }

  /// Answers requests with a matching method and URL by a closure: `stub(.post, "/orders") { request in ... }`.
  @discardableResult
  public func stub(
    _ method: MethodPattern, _ pattern: URLPattern? = nil,
    with handler: @escaping @Sendable (URLRequest) throws -> StubResponse
  ) -> StubRoute {
    stub(method, pattern, with: .handler(handler))
  }

  /// Answers requests with a matching method and URL by an `async` closure.
  @discardableResult
  public func stub(
    _ method: MethodPattern, _ pattern: URLPattern? = nil,
    with handler: @escaping @Sendable (URLRequest) async throws -> StubResponse
  ) -> StubRoute {
    stub(method, pattern, with: .handler(handler))
  }

  /// Answers requests for which a closure returns `true`: `stub({ $0.httpMethod == "PUT" }, with: .status(204))`.
  ///
  /// The closure may run on any thread, and gets the request without its body.
  @discardableResult
  public func stub(
    _ predicate: @escaping @Sendable (URLRequest) -> Bool, with response: StubResponse
  ) -> StubRoute {
    stubs.add(RouteCondition(predicate: predicate), response)
  }

  /// Answers requests for which a closure returns `true` by another closure: `stub { $0.httpMethod == "PUT" } with: { ... }`.
  @discardableResult
  public func stub(
    _ predicate: @escaping @Sendable (URLRequest) -> Bool,
    with handler: @escaping @Sendable (URLRequest) throws -> (HTTPURLResponse?, Data?, (any Error)?)
  ) -> StubRoute {
    stub(predicate, with: .handler(handler))
  }
}
