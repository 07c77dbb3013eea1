import ClientCapture
import Internals
import URLLoading

/// Passes the parts of a transport's answer to their exchange in the engine.
final class Reply: TransportReply {
  private struct State {
    /// The thread on which the engine's loop is calling the transport and then handles its answer; 0 outside of such a
    /// call.
    var inlineThread: UInt = 0
    var isClosed = false
    /// The parts that ``together(_:)`` gathers, to send them in one call.
    var gathered: AnswerPart?
    var cancelHandler: (@Sendable () -> Void)?
  }

  let exchange: Int
  /// The exchange's hop; an answer to an earlier hop is dropped.
  let hop: Int
  /// The network, held weakly, so that a stored reply does not keep it in memory.
  private let reference: WeakReference<NetworkEngine>
  private var engine: NetworkEngine? { reference.object }
  let request: TransportRequest
  let client: RequestClient
  /// The early answer that a stub gave before the request was complete, if any.
  let early: EarlyAnswer?
  let executor: (any TaskExecutor)?
  private let state = Mutex(State())

  init(
    to request: TransportRequest, of client: RequestClient, exchange: Int, hop: Int, early: EarlyAnswer?,
    engine: WeakReference<NetworkEngine>
  ) {
    reference = engine
    self.request = request
    self.client = client
    self.early = early
    executor = engine.object?.simulation
    self.exchange = exchange
    self.hop = hop
  }

  /// Runs a transport's answer inside the engine's loop.
  func inline<Result>(_ body: () -> Result) -> Result {
    state.withLock { $0.inlineThread = CurrentThread.number }
    defer { state.withLock { $0.inlineThread = 0 } }
    return body()
  }

  /// Closes the reply because the server's exchange is over; returns the transport's cancellation handler.
  func close() -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.isClosed = true
      return state.cancelHandler.take()
    }
  }

  func head(_ head: ResponseHead) {
    give(AnswerPart(head: head))
  }

  func body(_ data: Data, encodedCount: Int64?) {
    give(AnswerPart(body: [.init(data, encodedCount)]))
  }

  /// The fast path for a stub's answer: without a closure or growing lists.
  func answer(_ head: ResponseHead, body: Data, encodedCount: Int64?) {
    let hasBody = !body.isEmpty || encodedCount != nil
    give(AnswerPart(head: head, body: hasBody ? [.init(body, encodedCount)] : [], end: .whole))
  }

  func finish() {
    give(AnswerPart(end: .whole))
  }

  func fail(_ error: URLError) {
    give(AnswerPart(end: .failed(error)))
  }

  func together(_ work: () -> Void) {
    let isOutermost = state.withLock { state in
      defer { state.gathered = state.gathered ?? AnswerPart() }
      return state.gathered == nil
    }
    work()
    guard isOutermost else { return }
    if let part = state.withLock({ $0.gathered.take() }) { send(part) }
  }

  func waitOutside() {
    // All work that the transport starts from here on is real, so a captured client's threads must not run it.
    if isInline == true { RealTime.begin() }
    change { $0.setServerWork(.outside, of: $1) }
  }

  func park() {
    change { $0.setServerWork(.waiting, of: $1) }
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    change { state, id in
      guard let exchange = state.exchanges[id] else { return }
      state.setServerWork(.waiting, of: exchange)
      state.add(.reply(self, work), for: exchange, at: state.time.advanced(by: max(.zero, delay)))
    }
  }

  func whenRoom(_ work: @escaping @Sendable () -> Void) {
    if change({ $0.waitForRoom(work, of: $1) }) == false { work() }
  }

  func onCancel(_ work: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if state.isClosed { return true }
      state.cancelHandler = { [earlier = state.cancelHandler] in
        earlier?()
        work()
      }
      return false
    }
    if isLate { work() }
  }

  private func give(_ part: AnswerPart) {
    let isGathered = state.withLock { $0.gathered?.add(part) != nil }
    if !isGathered { send(part) }
  }

  private func send(_ part: AnswerPart) {
    if let isInline { engine?.answer(exchange, hop: hop, isInline: isInline, part) }
  }

  @discardableResult
  private func change<Result: Sendable>(_ change: @Sendable (inout EngineState, Int) -> Result) -> Result? {
    isInline.flatMap { engine?.answer(exchange, hop: hop, isInline: $0, change) }
  }

  /// Whether the caller is inside the engine's loop; `nil` if the reply is closed.
  private var isInline: Bool? { state.withLock { $0.isClosed ? nil : $0.inlineThread == CurrentThread.number } }
}
