import Internals

/// A clock that shows a network's time; pass it to the client under test, so that its waiting is simulated, too.
///
/// In a ``Simulation`` its sleeps take no real time. In other networks it runs at the network's ``Pace``. Sleeps that
/// end at the same time end in the order in which they began.
public struct SimulatedClock: Clock, Sendable {
  /// A point in the network's time, in nanoseconds since its start.
  public typealias Instant = SimulatedInstant

  let engine: NetworkEngine

  /// The network's present time.
  public var now: SimulatedInstant { engine.now }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until `deadline`; returns at once if it has passed.
  ///
  /// - Parameters:
  ///   - deadline: when to wake, in the network's time.
  ///   - tolerance: ignored, because a simulated sleep is never late.
  /// - Throws: `CancellationError` when the task is cancelled or the network is invalidated.
  public func sleep(until deadline: SimulatedInstant, tolerance: Duration? = nil) async throws {
    try await sleep(Sleeper(), until: deadline)
  }

  /// Sleeps without making virtual time advance: if nothing else can make it advance, the run is a deadlock.
  package func sleep(toHorizon length: Duration) async throws {
    try await sleep(Sleeper(isAtHorizon: true), until: now.advanced(by: length))
  }

  private func sleep(_ sleeper: Sleeper, until deadline: SimulatedInstant) async throws {
    if Task.isCancelled {
      if engine.look({ $0.timeline.isOver }) { await engine.letRunEnd() }
      throw CancellationError()
    }
    let isAwake = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if sleeper.begin(continuation) { engine.add(sleeper, until: deadline) }
      }
    } onCancel: {
      if sleeper.cancel() { engine.forget(sleeper) }
    }
    guard isAwake else { throw CancellationError() }
  }
}

extension SimulatedNetwork {
  /// A clock that shows the network's time, for clients that take a clock.
  public var clock: SimulatedClock { SimulatedClock(engine: engine) }
}

/// One sleep on a ``SimulatedClock``, which ends exactly once: awake or cancelled.
final class Sleeper: Sendable {
  private enum State {
    case new
    case asleep(UnsafeContinuation<Bool, Never>)
    case over
  }
  private let state = Mutex(State.new)
  /// The timer that wakes the sleeper; guarded by the network's lock.
  nonisolated(unsafe) var timer: TimerQueue<EngineState.TimedWork>.Ticket?

  let isAtHorizon: Bool

  init(isAtHorizon: Bool = false) { self.isAtHorizon = isAtHorizon }

  /// Whether the sleeper is a client that can be killed; set before the sleep begins.
  nonisolated(unsafe) var isClients = false

  /// Begins the sleep; returns `false` if it was cancelled before.
  func begin(_ continuation: UnsafeContinuation<Bool, Never>) -> Bool {
    let mayBegin = state.withLock { state in
      guard case .new = state else { return false }
      state = .asleep(continuation)
      return true
    }
    if !mayBegin { continuation.resume(returning: false) }
    return mayBegin
  }

  func wake() {
    end()?.resume(returning: true)
  }

  /// Ends the sleep as cancelled; returns `false` if it is over.
  @discardableResult
  func cancel() -> Bool {
    guard let continuation = end() else { return false }
    continuation.resume(returning: false)
    return true
  }

  var isOver: Bool {
    state.withLock { state in
      if case .over = state { true } else { false }
    }
  }

  private func end() -> UnsafeContinuation<Bool, Never>? {
    state.withLock { state in
      defer { state = .over }
      guard case .asleep(let continuation) = state else { return nil }
      return continuation
    }
  }
}
