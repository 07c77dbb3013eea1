import Internals
import URLLoading

/// A transport that answers from routes: the first matching route answers a request.
///
/// A request without a matching route fails with `URLError(.resourceUnavailable)`. Its `localizedDescription` lists the
/// routes with their mismatches, nearest first. In a simulation it also ends the run with ``SimulationError/noStub(_:)``.
/// Stubs are independent: there is no global registry.
public final class StubTransport: Transport, Stubbable {
  private struct Line: Hashable {
    var method: String
    var url: URL
  }

  private struct State {
    var routes: [StubRoute] = []
    /// The conditions of all routes so far, to find those that a new one replaces.
    var keys: Set<RouteCondition.Key> = []
    /// A cache of the routes that match a method and URL, since requests repeat.
    var candidates: [Line: [StubRoute]] = [:]
    var unmatched = RequestLog(limit: StubRoute.mostRequests)
  }

  private static let rememberedLines = 4_096

  private let state = Mutex(State())
  private let fallback: (any Transport)?

  /// Creates a stub without routes.
  ///
  /// - Parameter fallback: answers the requests that no route matches; without one such a request fails.
  public init(fallback: (any Transport)? = nil) {
    self.fallback = fallback
  }

  /// The stub itself.
  public var stubs: StubTransport { self }

  /// The routes, in the order in which the stub asks them.
  public var routes: [StubRoute] { state.withLock { $0.routes } }

  func end() {
    for route in routes { route.end() }
  }

  /// Returns all mistakes as sentences: unmet expectations, unusable answers and patterns, routes that an earlier one
  /// hides, requests without a route.
  public func verify() -> [String] {
    let (routes, unmatched) = state.withLock { ($0.routes, $0.unmatched) }
    let hidden = routes.enumerated().compactMap { index, route in
      // A stub that a later one replaces has had its time.
      routes[..<index].first { $0.condition.covers(route.condition) && $0.condition.key != route.condition.key }.map {
        "The stub \(route) never answers: the earlier stub \($0) answers all its requests. Make the narrower stub first."
      }
    }
    return hidden + routes.flatMap { $0.verify() } + unmatched.all.map { "No stub matched \($0)." }
  }

  /// Answers with the first matching route.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    for route in candidates(for: request) where route.condition.matchesRest(request) {
      return route.answer(request, with: reply)
    }
    if let fallback { return fallback.respond(to: request, with: reply) }
    let record = RecordedRequest(request)
    let routes = state.withLock { state in
      state.unmatched.append(record)
      return state.routes
    }
    let text = RouteList(routes: routes, request: request, record: record).description
    if !request.followsFault { (reply.executor as? SimulationDriver)?.refuse(with: .noStub(text)) }
    reply.fail(URLError(.resourceUnavailable, Explanation.noStub.ending(text), url: request.request.url))
  }

  /// Answers at once if it can; otherwise returns `false`.
  ///
  /// It is called on a queue of the URL loading system, so it must not wait or run a user's code. So the matching route
  /// must have a canned answer, and its condition no closure.
  func respondImmediately(to request: TransportRequest, with reply: any TransportReply) -> Bool {
    for route in candidates(for: request) {
      guard !route.condition.hasClosure else { return false }
      guard route.condition.matchesRest(request) else { continue }
      guard route.isCanned else { return false }
      route.answer(request, with: reply)
      return true
    }
    return false
  }

  /// The answer to a request whose head has come, if it does not wait for the body; it must not wait, either.
  func earlyAnswer(to request: TransportRequest) -> EarlyAnswer? {
    switch route(forHeadOf: request) {
    case .known(let route): route.takeEarly()
    case .unknown: nil
    case .none: (fallback as? StubTransport)?.earlyAnswer(to: request)
    }
  }

  /// Records a request that ended when only its head and `received` bytes of its body had arrived.
  func abandoned(_ request: TransportRequest, received: Int64, of expected: Int64?) {
    switch route(forHeadOf: request) {
    case .known(let route):
      route.abandoned(PartialRequest(request: request.request, bytesReceived: received, bytesExpected: expected))
    case .unknown: break
    case .none: (fallback as? StubTransport)?.abandoned(request, received: received, of: expected)
    }
  }

  private enum Match {
    case known(StubRoute)
    /// Whether the route matches is not known yet: only the body or a user's closure can decide.
    case unknown
    case none
  }

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
    let route = StubRoute(condition, response) { [weak self] route in self?.remove(route) }
    state.withLock { state in
      let isKnown = condition.key.map { !state.keys.insert($0).inserted } ?? false
      let replaced = isKnown ? state.routes.firstIndex { $0.condition.key == condition.key } : nil
      state.routes.insert(route, at: replaced ?? state.routes.endIndex)
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
