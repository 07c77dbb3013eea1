import Foundation
import LinkSimulator
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server's way back into the engine: hands what a transport gives to the exchange that asked.
final class Reply: TransportReply {
  private struct State {
    /// Whether the transport answers right now, inside the engine's own loop, which looks for the answer afterwards.
    var isInline = false
    var isClosed = false
    var cancelHandlers: [@Sendable () -> Void] = []
  }

  let exchange: Int
  /// Which hop of the exchange asked: an answer to an earlier one is nobody's.
  let hop: Int
  private let engine: NetworkEngine
  private let state = Mutex(State())

  init(engine: NetworkEngine, exchange: Int, hop: Int) {
    self.engine = engine
    self.exchange = exchange
    self.hop = hop
  }

  /// Runs a transport's answer inside the engine's loop.
  func inline<Result>(_ body: () -> Result) -> Result {
    state.withLock { $0.isInline = true }
    defer { state.withLock { $0.isInline = false } }
    return body()
  }

  /// Says that the exchange is over for the server, and gives back what to run because of it.
  func close(clientHasGone: Bool) -> [@Sendable () -> Void] {
    state.withLock { state in
      state.isClosed = true
      defer { state.cancelHandlers = [] }
      return clientHasGone ? state.cancelHandlers : []
    }
  }

  func head(_ head: ResponseHead) {
    give { $0.giveHead(head, of: $1) }
  }

  func body(_ data: Data) {
    guard !data.isEmpty else { return }
    give { $0.giveBody(data, of: $1) }
  }

  func finish() {
    give { $0.giveEnd(nil, of: $1) }
  }

  func fail(_ error: URLError) {
    give { $0.giveEnd(error, of: $1) }
  }

  func answer(_ head: ResponseHead, body: Data) {
    give { $0.giveAnswer(head, body, of: $1) }
  }

  func waitOutside() {
    give { $0.setServerWork(.outside, of: $1) }
  }

  var executor: (any TaskExecutor)? { engine.driver?.executor }

  func park() {
    give { $0.setServerWork(.waiting, of: $1) }
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    give { state, exchange in
      state.setServerWork(.waiting, of: exchange)
      state.timers.add(.reply(self, work), at: state.time.advanced(by: max(.zero, delay)))
    }
  }

  func onCancel(_ work: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.cancelHandlers.append(work) }
      return state.isClosed
    }
    if isLate { work() }
  }

  private func give(_ change: @Sendable (inout EngineState, Int) -> Void) {
    let isInline = state.withLock { $0.isClosed ? nil : $0.isInline }
    guard let isInline else { return }
    engine.answer(exchange, hop: hop, isInline: isInline, change)
  }
}
