import ClientCapture
import Dispatch
import Internals
import NetworkConditions
import URLLoading

/// A transport that fails a request when its server is silent for too long in real time.
///
/// Virtual time stands still during such a wait, so the client's own timeout never comes.
struct SilenceLimit: Transport {
  let transport: any Transport
  let seconds: Double

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    transport.respond(to: request, with: LimitedReply(reply, seconds: seconds))
  }
}

/// A reply that fails when the server is silent for too long.
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
      state.timer = RealTime.run {
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { [weak self] in self?.giveUp() }
        timer.schedule(deadline: .now() + seconds)
        timer.resume()
        return timer
      }
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
    // A server that waits for the client is not silent.
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
    state.withLock { state in RealTime.run { state.timer?.schedule(deadline: .now() + seconds) } }
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

struct VirtualTransfer {
  let options: GetOptions
  let profile: NetworkProfile
  let transport: (any Transport)?
  let console: Console

  /// URLSession's default timeout, in seconds.
  private static let usualTimeout = 60.0
  /// How many seconds longer than a server the whole simulation may be silent before that is an error.
  private static let grace = 10.0

  func run() async throws -> (report: GetReport, signal: Int32?) {
    let limit = options.request.timeout ?? Self.usualTimeout
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let run = try await Simulation(
        profile, seed: options.seed, transport: transport.map { SilenceLimit(transport: $0, seconds: limit) },
        options: NetworkOptions(patience: .seconds(limit + Self.grace), timeLimit: .longest)
      ) { [options, console] network in
        try await GetTransfer(options: options, network: network, console: console).run()
      }
      var (report, signal) = run.value
      report.virtual = GetReport.VirtualTime(elapsed: run.elapsed, real: start.duration(to: clock.now))
      return (report, signal)
    } catch let failure as SimulationFailure {
      throw failure.error
    }
  }
}
