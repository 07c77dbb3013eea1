import Internals
import URLLoading

final class NetworkCall: ExchangeSink {
  private struct State {
    var exchange: Int?
    var hasOutput = false
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let engine: NetworkEngine
  private let state = Mutex(State())

  init(engine: NetworkEngine) {
    self.engine = engine
  }

  deinit {
    if let exchange = state.withLock({ $0.isOver ? nil : $0.exchange }) { engine.cancel(exchange) }
  }

  func start(_ request: URLRequest, _ source: UploadSource, settings: ExchangeSettings) {
    engine.simulation?.notice("A request began")
    let id = engine.begin(
      request, body: source.body, uploadSize: source.size, settings: settings, sink: Weak(self)
    ).id
    if case .stream(let stream) = source { UploadReader(stream: stream, engine: engine, exchange: id).start() }
    state.withLock { $0.exchange = id }
  }

  func next() async throws -> ExchangeOutput {
    if state.withLock({ $0.exchange == NetworkEngine.unanswered }) { await engine.letRunEnd() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.hasOutput || state.isOver { return true }
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
      let exchange = state.withLock { state in
        state.hasOutput = false
        return state.isOver ? nil : state.exchange
      }
      guard let exchange else { throw URLError(.cancelled) }
      let output = engine.take(exchange)
      if output.end != nil { state.withLock { $0.isOver = true } }
      return output
    } onCancel: {
      cancel()
    }
  }

  func cancel() {
    let (exchange, waiter) = state.withLock { state in
      defer { state.isOver = true }
      return (state.isOver ? nil : state.exchange, state.waiter.take())
    }
    if let exchange { engine.cancel(exchange) }
    waiter?.resume()
  }

  func exchangeHasOutput(_ exchange: Int) {
    let waiter = state.withLock { state in
      state.hasOutput = true
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Refers to a call weakly, so that the engine does not keep a call that its caller has released.
  private final class Weak: ExchangeSink {
    private let call: WeakReference<NetworkCall>

    init(_ call: NetworkCall) {
      self.call = WeakReference(call)
    }

    func exchangeHasOutput(_ exchange: Int) {
      call.object?.exchangeHasOutput(exchange)
    }
  }
}
