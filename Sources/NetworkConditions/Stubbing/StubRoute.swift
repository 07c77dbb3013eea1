import Internals
import struct Synchronization.Atomic
import URLLoading

/// One route of a stub: which requests it answers and with what, which came, and whether its answers are held back.
public final class StubRoute: Sendable, CustomStringConvertible {
  struct State {
    var answer: PreparedAnswer
    var requests: RequestLog
    var calls = CountedArrivals()
    var cancellations = CountedArrivals()
    var partial: BoundedList<PartialRequest>
    var isHeld = false
    var held: [@Sendable () -> Void] = []
    var expected: ClosedRange<Int>?
  }

  let condition: RouteCondition
  private let state: Mutex<State>
  private let settings: StubSettings
  private let remover: @Sendable (StubRoute) -> Void

  init(
    _ condition: RouteCondition, _ response: StubResponse, settings: StubSettings,
    remover: @escaping @Sendable (StubRoute) -> Void
  ) {
    self.condition = condition
    self.settings = settings
    self.remover = remover
    state = Mutex(
      State(
        answer: PreparedAnswer(response, passthrough: settings.passthrough),
        requests: RequestLog(limit: settings.recordingLimit), partial: BoundedList(limit: settings.recordingLimit)))
  }

  deinit {
    // Every request that is held gets its end.
    release()
  }

  /// The route in words, such as `POST /orders/**`.
  public var description: String { condition.text(settings.redaction ?? .standard) }

  /// The requests that came, in their order; the latest only, when there were more than the stub records.
  ///
  /// Their bodies take no more than 256 MiB of memory in all; those in large files stay there.
  public var requests: [RecordedRequest] { state.withLock { $0.requests.all } }

  /// How many requests came.
  public var callCount: Int { state.withLock { $0.calls.count } }

  /// The requests that ended before all of their bodies had come, in the order of their ends; a server has seen them,
  /// and has not been asked for an answer unless it gave an early one.
  ///
  /// A route that asks for a body, or has a closure, cannot know such requests as its own, nor can those behind it.
  public var partialRequests: [PartialRequest] { state.withLock { $0.partial.all } }

  // MARK: Answers

  /// Answers with something else from now on; a sequence begins at its beginning.
  public func respond(with response: StubResponse) {
    let answer = PreparedAnswer(response, passthrough: settings.passthrough)
    state.withLock { $0.answer = answer }
  }

  /// Takes the route out of its stub; answers that are held are given.
  public func remove() {
    remover(self)
    release()
  }

  /// Holds back all answers from now on, until ``release()``.
  ///
  /// With ``waitUntilCalled(times:)`` this puts a request exactly where a test wants it. At the pace ``Pace/immediate``
  /// time stands still meanwhile, for as long as the network's patience lasts.
  public func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Gives the answers that are held, in the order of their requests, and holds back none from now on.
  public func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for give in held { give() }
  }

  /// Gives the answer that has been held longest and goes on holding; does nothing when none is held.
  public func releaseNext() {
    let next = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
    next?()
  }

  /// How many answers are held.
  public var heldCount: Int { state.withLock { $0.held.count } }

  /// Waits until at least so many requests have come, or the task is cancelled.
  public func waitUntilCalled(times count: Int = 1) async {
    await wait(for: count, of: \.calls)
  }

  /// Waits until the clients of so many requests have gone before they had their whole answer, or the task is
  /// cancelled.
  ///
  /// A client goes when it cancels, times out or is cut off; one whose request had not come in whole is in
  /// ``partialRequests``.
  public func waitUntilCancelled(times count: Int = 1) async {
    await wait(for: count, of: \.cancellations)
  }

  private func wait(for count: Int, of arrivals: any WritableKeyPath<State, CountedArrivals> & Sendable) async {
    let id = state.withLock { $0[keyPath: arrivals].nextID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          Task.isCancelled || !state[keyPath: arrivals].wait(id, for: count, continuation)
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0[keyPath: arrivals].forget(id) }?.resume()
    }
  }

  /// Lets go of its answer and of those that are held: a handler of the user's may well hold the network that it serves.
  func end() {
    // Outside of the lock: releasing these may run the user's code.
    _ = state.withLock { state in
      defer { (state.answer, state.held) = (state.answer.spent, []) }
      return (state.answer, state.held)
    }
  }

  // MARK: Expectations

  /// Expects exactly so many requests by the time of `verify()`.
  @discardableResult
  public func expect(count: Int) -> StubRoute {
    expect(count: count...max(count, 0))
  }

  /// Expects a number of requests within a range by the time of `verify()`.
  @discardableResult
  public func expect(count range: ClosedRange<Int>) -> StubRoute {
    state.withLock { $0.expected = range }
    return self
  }

  /// Everything that is not as expected, in sentences; empty when all is well.
  public func verify() -> [String] {
    let (count, expected, problem) = state.withLock { ($0.calls.count, $0.expected, $0.answer.problem) }
    var failures: [String] = []
    if let problem = condition.url?.problem { failures.append("The pattern \"\(self)\" matches nothing: \(problem).") }
    if let problem { failures.append("The answer of \(self) is unusable: \(problem).") }
    if let expected, !expected.contains(count) {
      let wanted =
        expected.lowerBound == expected.upperBound
        ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
      failures.append("\(self) was called \(count == 1 ? "once" : "\(count) times"), and \(wanted) was expected.")
    }
    return failures
  }

  // MARK: Requests

  /// Records a request, and answers it now or when released.
  func answer(_ request: TransportRequest, with reply: any TransportReply, taken: PreparedAnswer? = nil) {
    let record = RecordedRequest(request, redaction: settings.redaction)
    reply.onCancel { [weak self, client = record.client] in
      client.isGone = true
      let due = self?.state.withLock { $0.cancellations.add() } ?? []
      for waiter in due { waiter.resume() }
    }
    var due: [CheckedContinuation<Void, Never>] = []
    let answer = state.withLock { state -> PreparedAnswer? in
      due = state.calls.add()
      state.requests.append(record)
      guard state.isHeld else { return taken ?? state.answer }
      state.held.append { [answer = taken ?? state.answer] in answer.send(to: request, reply) }
      return nil
    }
    for waiter in due { waiter.resume() }
    answer?.send(to: request, reply)
  }

  var isCanned: Bool { state.withLock { !$0.isHeld && $0.answer.isCanned } }

  func takeEarly() -> EarlyAnswer? {
    guard let (bytes, answer) = state.withLock({ $0.answer }).takeEarly() else { return nil }
    return EarlyAnswer(afterBytes: bytes, transport: TakenAnswer(route: self, answer: answer))
  }

  /// Records a request that has ended and never was whole.
  func miss(_ request: PartialRequest) {
    state.withLock { $0.partial.append(request) }
  }
}

/// An answer of a route's that was taken before it is given.
private struct TakenAnswer: Transport {
  let route: StubRoute
  let answer: PreparedAnswer

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    route.answer(request, with: reply, taken: answer)
  }
}
