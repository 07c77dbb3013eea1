import ClientCapture
import Internals
import URLLoading
import struct Synchronization.Atomic

/// The network whose clients may use objects that exist once per process, and the waiting networks, in order.
///
/// All clients take turns with `URLSession.shared`. Captured clients also take turns with `NotificationCenter.default`,
/// with queues made outside of the run, and with their own sessions: all may outlive the run.
enum SharedTurns {
  private struct Waiter {
    let id: UInt64
    let engine: ObjectIdentifier
    weak var driver: SimulationDriver?
    let wake: @Sendable (Bool) -> Void
  }
  private struct State {
    var engine: ObjectIdentifier?
    /// The simulation of the network that has the turn.
    weak var driver: SimulationDriver?
    /// Whether the network keeps the turn until its simulation ends, even while no client uses it.
    var isKept = false
    /// Whether no client of the network uses the turn now.
    var isIdle = false
    var waiters: [Waiter] = []

    mutating func take(for network: NetworkEngine) -> Bool {
      let taker = ObjectIdentifier(network)
      guard engine == nil || (isIdle && engine == taker) else { return false }
      (engine, driver, isIdle) = (taker, network.simulation, false)
      noteRest()
      return true
    }

    mutating func pass(to waiter: Int?) -> Waiter? {
      let next = waiter.map { waiters.remove(at: $0) }
      (engine, driver, isIdle) = (next?.engine, next?.driver, false)
      noteRest()
      return next
    }

    func noteRest() {
      let rests = driver?.isResting.load(ordering: .relaxed) == true
      SharedTurns.restingCaller.store(rests ? driver?.caller.load(ordering: .relaxed) ?? 0 : 0, ordering: .relaxed)
    }
  }
  private static let state = Mutex(State())
  private static let lastID = Atomic<UInt64>(0)
  /// The task whose stepped simulation has the turn and rests; 0 if there is none.
  ///
  /// Hundreds of runs may wait for the turn, and look here again and again. If they took the lock, the turn could not be
  /// passed on.
  private static let restingCaller = Atomic(0)

  /// Records that a stepped simulation begins or ends the pause between two steps.
  static func noteRest() { state.withLock { $0.noteRest() } }

  static func takeIfFree(for engine: NetworkEngine) -> Bool {
    state.withLock { $0.take(for: engine) }
  }

  static func wait(for engine: NetworkEngine) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    if let driver = engine.simulation?.here, !isHeld(by: engine) {
      if waitHere(for: engine, driver, isCancellable: true) { return }
      throw CancellationError()
    }
    let id = nextID()
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { (turn: CheckedContinuation<Bool, Never>) in
        line(up: id, for: engine) { turn.resume(returning: $0) }
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
    if !hasTurn { throw CancellationError() }
  }

  /// Waits for the turn while the simulation stands still; returns `false` if the wait was cancelled.
  static func waitHere(for engine: NetworkEngine, _ driver: SimulationDriver, isCancellable: Bool = false) -> Bool {
    let turn: ConditionLock<Bool?> = ConditionLock(nil)
    let id = nextID()
    let begin = driver.realTime
    defer { driver.waitedForTurns.wrappingAdd(driver.realTime - begin, ordering: .relaxed) }
    line(up: id, for: engine) { hasTurn in turn.withLock(signalling: true) { $0 = hasTurn } }
    while !driver.isRefused {
      if let hasTurn = turn.withLock({ $0 }) { return hasTurn }
      driver.progress.wrappingAdd(1, ordering: .relaxed)
      driver.whileBusy {
        if isCancellable, Task.isCancelled { leave(id) }
        if isHeldByOwnCaller(driver) {
          driver.refuse(
            with: .notCaptured(
              call: "A wait for a shared session or object, which a stepped simulation of the same task has",
              place: nil, remedy: "End that simulation first, or give each its network's own session."))
        }
        RealTime.run { turn.wait(for: 0.2) { $0 != nil || driver.isRefused } }
      }
    }
    // The client of a refused run waits here for ever, and lets others have the turn.
    abandon(engine)
    while true { RealTime.run { turn.wait(for: 3_600) { _ in false } } }
  }

  static func end() {
    let (last, next) = state.withLock { state -> (ObjectIdentifier?, Waiter?) in
      let ofSame = state.waiters.firstIndex { $0.engine == state.engine }
      if ofSame == nil, state.isKept {
        state.isIdle = true
        return (nil, nil)
      }
      return (state.engine, state.pass(to: ofSame ?? state.waiters.indices.first))
    }
    guard let next else { return }
    // A client of another network is outside of this simulation, so it is woken in real time.
    if next.engine == last { next.wake(true) } else { RealTime.run { next.wake(true) } }
  }

  /// Keeps the turn for a network until its simulation ends, because a captured client may leave a session's work
  /// behind.
  ///
  /// - Parameter session: the session whose work this simulation alone runs; `nil` for another object.
  static func keep(_ session: URLSession?, for engine: NetworkEngine) {
    guard let driver = engine.simulation?.here else { return }
    let network = ObjectIdentifier(engine)
    let isKept = driver.clientThreads.keep(session) {
      let next = state.withLock { state -> Waiter? in
        guard state.engine == network else { return nil }
        state.isKept = false
        return state.isIdle ? state.pass(to: state.waiters.indices.first) : nil
      }
      if let next { RealTime.run { next.wake(true) } }
    }
    state.withLock { $0.isKept = isKept || $0.isKept }
  }

  /// Takes the turn for a captured client's network until its simulation ends; returns `false` if it has ended.
  ///
  /// It waits while another network has the turn. `session` is a session that the client made itself; `nil` for any
  /// other object.
  @discardableResult
  static func take(_ session: URLSession?, for engine: NetworkEngine, _ driver: SimulationDriver) -> Bool {
    let hasTurn = isHeld(by: engine)
    guard hasTurn || waitHere(for: engine, driver) else { return false }
    keep(session, for: engine)
    if !hasTurn { end() }
    return true
  }

  static func abandon(_ engine: NetworkEngine) {
    state.withLock { state in state.waiters.removeAll { $0.engine == ObjectIdentifier(engine) } }
    if isHeld(by: engine) { end() }
  }

  /// Cancels the waits of a network whose run has ended.
  static func dismiss(_ engine: NetworkEngine) {
    let dismissed = state.withLock { state in
      let dismissed = state.waiters.filter { $0.engine == ObjectIdentifier(engine) }
      state.waiters.removeAll { $0.engine == ObjectIdentifier(engine) }
      return dismissed
    }
    for waiter in dismissed { waiter.wake(false) }
  }

  static func isWaiting(_ engine: NetworkEngine) -> Bool {
    state.withLock { state in state.waiters.contains { $0.engine == ObjectIdentifier(engine) } }
  }

  /// Whether a resting stepped simulation has the turn, and its next step would come from the task that waits for this
  /// run.
  private static func isHeldByOwnCaller(_ driver: SimulationDriver) -> Bool {
    let caller = driver.caller.load(ordering: .relaxed)
    return caller != 0 && restingCaller.load(ordering: .relaxed) == caller
  }

  private static func isHeld(by engine: NetworkEngine) -> Bool {
    state.withLock { $0.engine == ObjectIdentifier(engine) }
  }

  private static func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  private static func line(up id: UInt64, for engine: NetworkEngine, _ wake: @escaping @Sendable (Bool) -> Void) {
    let isFree = state.withLock { state in
      if state.take(for: engine) { return true }
      state.waiters.append(Waiter(id: id, engine: ObjectIdentifier(engine), driver: engine.simulation, wake: wake))
      return false
    }
    if isFree { wake(true) }
  }

  private static func leave(_ id: UInt64) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.wake(false)
  }
}
