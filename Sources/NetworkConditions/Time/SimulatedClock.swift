import Internals

/// A clock that shows a network's own time: hand it to the client that you test, so that its waiting is simulated too.
///
/// In a ``Simulation`` its sleeps take no real time at all; in a network of its own it runs at the network's
/// ``Pace``. Sleeps that end at one instant end in the order in which they began.
public struct SimulatedClock: Clock, Sendable {
  /// A point in the network's time: nanoseconds since it began.
  public typealias Instant = SimulatedInstant

  let engine: NetworkEngine

  /// The time in the network.
  public var now: SimulatedInstant { engine.now }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until `deadline` of the network's time; returns at once when it has passed.
  ///
  /// - Parameters:
  ///   - deadline: when to wake, in the network's time.
  ///   - tolerance: without effect: a simulated sleep is never late.
  /// - Throws: `CancellationError` as soon as the task is cancelled or the network is invalidated.
  public func sleep(until deadline: SimulatedInstant, tolerance: Duration? = nil) async throws {
    try await sleep(Sleeper(), until: deadline)
  }

  /// Waits for a time that nothing else is kept waiting by: where nothing but this is left to happen, the run is a deadlock.
  package func sleep(toHorizon length: Duration) async throws {
    try await sleep(Sleeper(isAtHorizon: true), until: now.advanced(by: length))
  }

  private func sleep(_ sleeper: Sleeper, until deadline: SimulatedInstant) async throws {
    if Task.isCancelled {
      // A client that tries again at once never lets go of its thread: here it can be left where it is.
      if engine.look({ $0.timeline.isOver }) { await Task.yield() }
      throw CancellationError()
    }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        if sleeper.begin(continuation) { engine.add(sleeper, until: deadline) }
      }
    } onCancel: {
      if sleeper.cancel() { engine.forget(sleeper) }
    }
  }
}

extension SimulatedNetwork {
  /// The network's own time, as a clock for clients that take one.
  public var clock: SimulatedClock { SimulatedClock(engine: engine) }
}

/// One sleep on a ``SimulatedClock``: ends exactly once, awake or cancelled.
final class Sleeper: Sendable {
  private enum State {
    case new
    case asleep(UnsafeContinuation<Void, any Error>)
    case over
  }
  private let state = Mutex(State.new)
  /// The timer that wakes it; under the network's lock.
  nonisolated(unsafe) var timer: TimerQueue<EngineState.TimedWork>.Ticket?

  let isAtHorizon: Bool

  init(isAtHorizon: Bool = false) { self.isAtHorizon = isAtHorizon }

  /// Whether a client sleeps that can be killed; set before it is added.
  nonisolated(unsafe) var isClients = false

  /// Begins the sleep; returns `false` when it was cancelled before.
  func begin(_ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
    let mayBegin = state.withLock { state in
      guard case .new = state else { return false }
      state = .asleep(continuation)
      return true
    }
    if !mayBegin { continuation.resume(throwing: CancellationError()) }
    return mayBegin
  }

  /// Ends the sleep in good order, unless it is over already.
  func wake() {
    end()?.resume()
  }

  /// Ends the sleep early; returns `false` when it was over.
  @discardableResult
  func cancel() -> Bool {
    guard let continuation = end() else { return false }
    continuation.resume(throwing: CancellationError())
    return true
  }

  var isOver: Bool {
    state.withLock { state in
      if case .over = state { true } else { false }
    }
  }

  private func end() -> UnsafeContinuation<Void, any Error>? {
    state.withLock { state in
      defer { state = .over }
      guard case .asleep(let continuation) = state else { return nil }
      return continuation
    }
  }
}
