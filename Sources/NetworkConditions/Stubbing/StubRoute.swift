import Internals
import struct Synchronization.Atomic
import URLLoading

/// One route of a stub, with its condition, its answer, and the requests that reached it.
public final class StubRoute: Sendable, CustomStringConvertible {
  /// A counter, with the streams that end when it reaches a number.
  struct Arrivals {
    var count = 0
    var waits: [Int: [AsyncStream<Never>.Continuation]] = [:]

    mutating func add() -> [AsyncStream<Never>.Continuation] {
      count += 1
      return waits.removeValue(forKey: count) ?? []
    }
  }

  struct State {
    var answer: PreparedAnswer
    var requests = RequestLog(limit: StubRoute.mostRequests)
    var calls = Arrivals()
    var cancellations = Arrivals()
    var partial = BoundedList<PartialRequest>(limit: StubRoute.mostRequests)
    var isHeld = false
    var held: [@Sendable () -> Void] = []
    var expected: ClosedRange<Int>?
  }

  /// The number of requests that each route keeps for assertions.
  static let mostRequests = 10_000

  let condition: RouteCondition
  private let state: Mutex<State>
  private let remover: @Sendable (StubRoute) -> Void

  init(
    _ condition: RouteCondition, _ response: StubResponse, remover: @escaping @Sendable (StubRoute) -> Void
  ) {
    self.condition = condition
    self.remover = remover
    state = Mutex(State(answer: PreparedAnswer(response)))
  }

  deinit {
    // Every held request gets its end.
    release()
  }

  /// The route in words, such as `POST /orders/**`.
  public var description: String { condition.text(.standard) }

  /// The requests that reached the route, in order; only the latest, if there were more than 10,000.
  ///
  /// Their bodies take at most 256 MiB of memory. Large files stay on disk.
  public var requests: [RecordedRequest] { state.withLock { $0.requests.all } }

  /// How many requests reached the route.
  public var callCount: Int { state.withLock { $0.calls.count } }

  /// The requests that ended before their whole body had come, in the order of their ends.
  ///
  /// The server has seen their heads, and has answered only those with an early answer. A route with a body pattern or
  /// a closure, and every route after it, cannot recognise such requests.
  public var partialRequests: [PartialRequest] { state.withLock { $0.partial.all } }

  // MARK: Answers

  /// Changes the answer from now on; a sequence starts with its first answer.
  public func respond(with response: StubResponse) {
    let answer = PreparedAnswer(response)
    // Release the old answer outside of the lock, because a release may run the user's code.
    _ = state.withLock { state in
      defer { state.answer = answer }
      return state.answer
    }
  }

  /// Removes the route from its stub, and sends the held answers.
  public func remove() {
    remover(self)
    release()
  }

  /// Holds all answers from now on, until ``release()``.
  ///
  /// With ``waitUntilCalled(times:)`` a test can stop a request at a known point. At ``Pace/immediate``, time stands
  /// still meanwhile, at most for the network's patience.
  public func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Sends the held answers, in the order of their requests, and stops holding.
  public func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for give in held { give() }
  }

  /// Waits until `count` requests have come, or the task is cancelled.
  public func waitUntilCalled(times count: Int = 1) async {
    await wait(for: count, of: \.calls)
  }

  /// Waits until `count` clients have left before they had their whole answer, or the task is cancelled.
  ///
  /// A client leaves when it cancels, times out or is cut off. A request that had not come completely is in
  /// ``partialRequests``.
  public func waitUntilCancelled(times count: Int = 1) async {
    await wait(for: count, of: \.cancellations)
  }

  private func wait(for count: Int, of arrivals: any WritableKeyPath<State, Arrivals> & Sendable) async {
    let (stream, end) = AsyncStream<Never>.makeStream()
    let mustWait = state.withLock { state in
      guard state[keyPath: arrivals].count < count else { return false }
      state[keyPath: arrivals].waits[count, default: []].append(end)
      return true
    }
    if mustWait { for await _ in stream {} }
  }

  /// Releases the route's answer and the held answers, because a user's handler may retain the network.
  func end() {
    // Release outside of the lock, because a release may run the user's code.
    _ = state.withLock { state in
      defer { (state.answer, state.held) = (state.answer.spent, []) }
      return (state.answer, state.held)
    }
  }

  /// Expects exactly `count` requests before `verify()`.
  @discardableResult
  public func expect(count: Int) -> StubRoute {
    expect(count: count...count)
  }

  /// Expects a number of requests within a range before `verify()`.
  @discardableResult
  public func expect(count range: ClosedRange<Int>) -> StubRoute {
    state.withLock { $0.expected = range }
    return self
  }

  /// Returns all unmet expectations as sentences; empty if all are met.
  public func verify() -> [String] {
    let (count, expected, problem) = state.withLock { ($0.calls.count, $0.expected, $0.answer.problem) }
    var failures: [String] = []
    if let problem = condition.url?.problem { failures.append("The pattern \"\(self)\" matches nothing: \(problem).") }
    if let problem { failures.append("The answer of \(self) is unusable: \(problem).") }
    if let expected, !expected.contains(count) {
      let wanted =
        expected.lowerBound == expected.upperBound
        ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
      failures.append("\(self) was called \(count == 1 ? "once" : "\(count) times"), but \(wanted) was expected.")
    }
    return failures
  }

  // MARK: Requests

  /// Records a request, and answers it now, or after its release if the route holds answers.
  func answer(_ request: TransportRequest, with reply: any TransportReply, taken: PreparedAnswer? = nil) {
    let record = RecordedRequest(request)
    reply.onCancel { [weak self, client = record.client] in
      client.isGone = true
      self?.state.withLock { $0.cancellations.add() }.forEach { $0.finish() }
    }
    var due: [AsyncStream<Never>.Continuation] = []
    let answer = state.withLock { state -> PreparedAnswer? in
      due = state.calls.add()
      state.requests.append(record)
      guard state.isHeld else { return taken ?? state.answer }
      state.held.append { [answer = taken ?? state.answer] in answer.send(to: request, reply) }
      return nil
    }
    due.forEach { $0.finish() }
    answer?.send(to: request, reply)
  }

  var isCanned: Bool { state.withLock { !$0.isHeld && $0.answer.isCanned } }

  func takeEarly() -> EarlyAnswer? {
    guard let (bytes, answer) = state.withLock({ $0.answer }).takeEarly() else { return nil }
    return EarlyAnswer(afterBytes: bytes, route: self, answer: answer)
  }

  func abandoned(_ request: PartialRequest) {
    state.withLock { $0.partial.append(request) }
  }
}

/// A route's answer that was taken when the request's head came, before the request was complete.
struct EarlyAnswer: Sendable {
  /// How many bytes of the request's body must come first.
  let afterBytes: Int64
  let route: StubRoute
  let answer: PreparedAnswer
}
