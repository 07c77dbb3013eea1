import Internals
import URLLoading

/// A transport that answers from routes: the first route that matches a request answers it.
///
/// A request that no route matches fails with `URLError(.resourceUnavailable)`; its `localizedDescription` lists the
/// routes, nearest first, with what does not agree. Each stub stands by itself: nothing is registered anywhere.
public final class StubTransport: ImmediateTransport, AttentiveTransport, Stubbable {
  private struct Line: Hashable {
    var method: String
    var url: URL
  }

  private struct State {
    var routes: [StubRoute] = []
    /// The routes that agree with a method and URL: asked for again and again, and as cheap as one look-up.
    var candidates: [Line: [StubRoute]] = [:]
    var unmatched: RequestLog
  }

  private static let rememberedLines = 4_096

  private let state: Mutex<State>
  private let settings: StubSettings
  private let fallback: (any Transport)?

  /// Creates a stub without routes.
  ///
  /// - Parameters:
  ///   - fallback: answers the requests that no route matches; with `nil` such a request fails.
  ///   - passthrough: the way to the real servers, for the answer ``StubResponse/passthrough``.
  ///   - recordingLimit: how many requests each route keeps for assertions.
  public convenience init(
    fallback: (any Transport)? = nil, passthrough: (any Transport)? = nil, recordingLimit: Int = 10_000
  ) {
    self.init(fallback, passthrough, nil, recordingLimit)
  }

  /// Creates a stub without routes that redacts its texts by a rule of its own, and not by that of the network.
  public convenience init(
    fallback: (any Transport)? = nil, passthrough: (any Transport)? = nil, redaction: Redaction,
    recordingLimit: Int = 10_000
  ) {
    self.init(fallback, passthrough, redaction, recordingLimit)
  }

  private init(
    _ fallback: (any Transport)?, _ passthrough: (any Transport)?, _ redaction: Redaction?, _ recordingLimit: Int
  ) {
    self.fallback = fallback
    settings = StubSettings(
      passthrough: passthrough ?? URLSessionTransport(), redaction: redaction, recordingLimit: max(recordingLimit, 0))
    state = Mutex(State(unmatched: RequestLog(limit: settings.recordingLimit)))
  }

  /// The stub itself.
  public var stubs: StubTransport { self }

  /// The routes, in the order in which they are asked.
  public var routes: [StubRoute] { state.withLock { $0.routes } }

  /// The requests that no route matched.
  public var unmatchedRequests: [RecordedRequest] {
    state.withLock { $0.unmatched.all }
  }

  /// Takes out all routes; answers that are held are given.
  public func removeAllRoutes() {
    for route in routes { route.remove() }
  }

  func end() {
    for route in routes { route.end() }
  }

  /// All that is not as expected, in sentences: routes called too often or rarely, unusable answers and patterns, and
  /// requests that matched no route.
  public func verify() -> [String] {
    let (routes, unmatched) = state.withLock { ($0.routes, $0.unmatched) }
    return routes.flatMap { $0.verify() } + unmatched.all.map { "No stub matched \($0)." }
  }

  /// Answers by the first route that matches.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    for route in candidates(for: request) where route.condition.matchesRest(request) {
      return route.answer(request, with: reply)
    }
    if let fallback { return fallback.respond(to: request, with: reply) }
    let record = RecordedRequest(request, redaction: settings.redaction)
    let routes = state.withLock { state in
      state.unmatched.append(record)
      return state.routes
    }
    let text = RouteList(routes: routes, request: request, record: record).description
    reply.fail(URLError(.resourceUnavailable, Explanation.noStub.ending(text), url: request.request.url))
  }

  /// Answers on the spot when the route that matches has a canned answer and no closure decides about it.
  public func respondImmediately(to request: TransportRequest, with reply: any TransportReply) -> Bool {
    for route in candidates(for: request) {
      guard route.condition.predicate == nil else { return false }
      guard route.condition.matchesRest(request) else { continue }
      guard route.isCanned else { return false }
      route.answer(request, with: reply)
      return true
    }
    return false
  }

  func earlyAnswer(to request: TransportRequest) -> EarlyAnswer? {
    switch route(forHeadOf: request) {
    case .known(let route): route.takeEarly()
    case .unknown: nil
    case .none: (fallback as? any AttentiveTransport)?.earlyAnswer(to: request)
    }
  }

  func missed(_ request: TransportRequest, received: Int64, of expected: Int64?) {
    switch route(forHeadOf: request) {
    case .known(let route):
      route.miss(PartialRequest(request: request.request, bytesReceived: received, bytesExpected: expected))
    case .unknown: break
    case .none: (fallback as? any AttentiveTransport)?.missed(request, received: received, of: expected)
    }
  }

  private enum Match {
    case known(StubRoute)
    /// It takes the body, or a user's closure, to know.
    case unknown
    case none
  }

  /// The route of a request of which only the head is there.
  private func route(forHeadOf request: TransportRequest) -> Match {
    for route in candidates(for: request) {
      guard route.condition.isOfHead else { return .unknown }
      if route.condition.matchesRest(request) { return .known(route) }
    }
    return .none
  }

  private func candidates(for request: TransportRequest) -> [StubRoute] {
    guard let url = request.request.url else { return [] }
    let method = request.request.httpMethod ?? "GET"
    let line = Line(method: method, url: url)
    return state.withLock { state in
      if let known = state.candidates[line] { return known }
      let parts = URLParts(url)
      let found = state.routes.filter { $0.condition.matchesLine(method.uppercased(), parts) }
      if state.candidates.count >= Self.rememberedLines { state.candidates = [:] }
      state.candidates[line] = found
      return found
    }
  }

  func add(_ condition: RouteCondition, _ response: StubResponse) -> StubRoute {
    let route = StubRoute(condition, response, settings: settings) { [weak self] route in self?.remove(route) }
    state.withLock { state in
      state.routes.append(route)
      state.candidates = [:]
    }
    return route
  }

  private func remove(_ route: StubRoute) {
    state.withLock { state in
      state.routes.removeAll { $0 === route }
      state.candidates = [:]
    }
  }
}

struct StubSettings: Sendable {
  let passthrough: any Transport
  /// Takes secrets out of texts; `nil` does as the network does.
  let redaction: Redaction?
  let recordingLimit: Int
}
