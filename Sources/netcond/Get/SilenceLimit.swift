import Dispatch
import Internals
import NetworkConditions
import URLLoading

/// A transport whose servers time out in real time: while they are waited for, virtual time stands still, and with it
/// the client's own limit.
struct SilenceLimit: Transport {
  private let transport: any Transport
  private let seconds: Double

  init(_ transport: any Transport, seconds: Double) {
    self.transport = transport
    self.seconds = seconds
  }

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    transport.respond(to: request, with: LimitedReply(reply, seconds: seconds))
  }
}

/// A reply that fails when nothing has come from outside for too long.
private final class LimitedReply: WrappingReply {
  private struct State {
    var timer: (any DispatchSourceTimer)?
    var isOver = false
    var cancelHandlers: [@Sendable () -> Void] = []
  }

  let wrapped: any TransportReply
  private let seconds: Double
  private let state = Mutex(State())

  init(_ reply: any TransportReply, seconds: Double) {
    wrapped = reply
    self.seconds = seconds
  }

  func waitOutside() {
    state.withLock { state in
      guard state.timer == nil, !state.isOver else { return }
      let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler { [weak self] in self?.giveUp() }
      timer.schedule(deadline: .now() + seconds)
      timer.resume()
      state.timer = timer
    }
    wrapped.onCancel { [weak self] in self?.end() }
    wrapped.waitOutside()
  }

  func head(_ head: ResponseHead) {
    restart()
    wrapped.head(head)
  }

  func body(_ data: Data, encodedCount: Int64?) {
    restart()
    wrapped.body(data, encodedCount: encodedCount)
  }

  func finish() {
    end()
    wrapped.finish()
  }

  func fail(_ error: URLError) {
    end()
    wrapped.fail(error)
  }

  func park() {
    end()
    wrapped.park()
  }

  func whenRoom(_ work: @escaping @Sendable () -> Void) {
    // Who waits for the client is not silent.
    state.withLock { $0.timer?.schedule(deadline: .distantFuture) }
    wrapped.whenRoom { [self] in
      restart()
      work()
    }
  }

  func onCancel(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancelHandlers.append(work) }
    wrapped.onCancel(work)
  }

  private func restart() {
    state.withLock { $0.timer?.schedule(deadline: .now() + seconds) }
  }

  private func end() {
    state.withLock { state in
      state.isOver = true
      state.timer?.cancel()
      state.timer = nil
      state.cancelHandlers = []
    }
  }

  private func giveUp() {
    let handlers = state.withLock { state in
      defer { state.cancelHandlers = [] }
      return state.isOver ? [] : state.cancelHandlers
    }
    end()
    let sentence = "The request timed out: the next byte took longer than \(seconds) s."
    wrapped.fail(URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: sentence]))
    for handler in handlers { handler() }
  }
}
