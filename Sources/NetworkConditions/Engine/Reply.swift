import ClientCapture
import Internals
import URLLoading

/// A server's way back into the engine: hands the parts of a transport's answer to the exchange that asked.
final class Reply: TransportReply {
  private struct State {
    /// The thread on which the transport is asked, inside the engine's own loop, which looks for the answer afterwards;
    /// 0 when it is not.
    var inlineThread: UInt = 0
    var isClosed = false
    /// The parts of an answer that are gathered to be sent in one go.
    var gathered: AnswerPart?
    var cancelHandler: (@Sendable () -> Void)?
  }

  let exchange: Int
  /// Which hop of the exchange asked: an answer to an earlier one is nobody's.
  let hop: Int
  /// Weak: whoever keeps a reply back, for a time or for ever, keeps no network.
  private let reference: WeakReference<NetworkEngine>
  private var engine: NetworkEngine? { reference.object }
  /// The request that it answers.
  let request: TransportRequest
  let client: RequestClient
  /// Who answers in the place of the network's own transport.
  let transport: (any Transport)?
  let executor: (any TaskExecutor)?
  private let state = Mutex(State())

  init(
    to request: TransportRequest, of client: RequestClient, exchange: Int, hop: Int, by transport: (any Transport)?,
    engine: WeakReference<NetworkEngine>
  ) {
    reference = engine
    self.request = request
    self.client = client
    self.transport = transport
    executor = engine.object?.timeSource.executor
    self.exchange = exchange
    self.hop = hop
  }

  /// Runs a transport's answer inside the engine's loop.
  func inline<Result>(_ body: () -> Result) -> Result {
    state.withLock { $0.inlineThread = CurrentThread.number }
    defer { state.withLock { $0.inlineThread = 0 } }
    return body()
  }

  /// Closes the reply, since its exchange is over for the server; returns what is to be done when a client goes away.
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

  /// Most answers of stubs come so: without a closure, and without lists that grow.
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
    let part = state.withLock { state in
      defer { state.gathered = nil }
      return state.gathered
    }
    if let part { send(part) }
  }

  func waitOutside() {
    // What a transport begins from here on is real: a captured client's threads do not work for it.
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
      if let earlier = state.cancelHandler {
        state.cancelHandler = { [earlier] in
          earlier()
          work()
        }
      } else {
        state.cancelHandler = work
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

  /// Changes something of the exchange, unless it is over.
  @discardableResult
  private func change<Result: Sendable>(_ change: @Sendable (inout EngineState, Int) -> Result) -> Result? {
    isInline.flatMap { engine?.answer(exchange, hop: hop, isInline: $0, change) }
  }

  /// Whether a part that is given now comes from inside the engine's loop; `nil` when nobody wants it any more.
  private var isInline: Bool? { state.withLock { $0.isClosed ? nil : $0.inlineThread == CurrentThread.number } }
}
