import ClientCapture
import Dispatch
import Internals
import URLLoading

/// Tells tasks whether they run inside a simulation.
enum SimulationContext {
  @TaskLocal static var isInside = false

  static func result<Value>(
    of body: @Sendable (SimulatedNetwork) async throws -> Value, in network: SimulatedNetwork
  ) async -> Result<Value, any Error> {
    do {
      return .success(
        try await $isInside.withValue(true) {
          try await LoaderTime.$current.withValue(network.loaderTime) { try await body(network) }
        })
    } catch {
      return .failure(error)
    }
  }
}

/// One run of a closure in virtual time: makes the network, its driver and a thread, and waits for the end, whichever
/// comes first: the closure's, a deadlock, or the watchdog's.
final class SimulationRun<Value: Sendable>: Sendable {
  private typealias Outcome = Result<SimulationCourse<Value>, SimulationError>

  private struct State {
    var result: Result<Value, any Error>?
    var task: Task<Void, Never>?
    var waiter: CheckedContinuation<Outcome, Never>?
    /// How the run has ended, while what the closure left behind comes to its end.
    var outcome: Outcome?
    var isCancelled = false
    var begun: UInt64 = 0
  }

  private let profile: String
  /// Returns the profile and the token of the run in words, by which it can be repeated.
  private let repetition: @Sendable () -> String
  private let capture: CaptureMode
  private let driver: SimulationDriver
  private let network: SimulatedNetwork
  private let state = Mutex(State())

  init(
    _ profile: NetworkProfile, seed: UInt64, transport: (any Transport)?, capture: CaptureMode,
    options: NetworkOptions, faults: FaultSource, lastWords: LastWords?
  ) {
    (self.profile, self.capture) = (profile.name, capture)
    repetition = {
      if let lastWords { return lastWords.text }
      let token = faults.replayed.map { ReplayToken($0) } ?? ReplayToken(profile, seed: seed)
      return "\(LastWords(profile, seed: seed, faults: faults).text)\nTo repeat it: NETCOND_REPLAY=\(token)"
    }
    let sessions = SimulatedSessions()
    driver = SimulationDriver(
      options: options, capture: capture, seed: seed, clientThreads: sessions,
      lastWords: lastWords ?? LastWords(profile, seed: seed, faults: faults))
    // Who captures a client makes the calls to it, too.
    if !driver.isCapturing { sessions.serve(driver) }
    network = SimulatedNetwork(
      profile, seed: seed, pace: .immediate, transport: transport, options: options, simulation: (driver, sessions),
      faults: faults)
  }

  func start(
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws(SimulationError) -> SimulationCourse<Value> {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        state.withLock { $0.waiter = waiter }
        // Made here and not on the driver's thread, so that the closure sees the caller's task-local values.
        let task = makeTask(body)
        let watch = Watchdog.shared.watch(driver) { [weak self] in self?.giveUp(at: $0) }
        DriverThreads.run { [self, driver] in
          state.withLock { $0.begun = driver.realTime }
          driver.onThisThread {
            driver.clientThreads.lead {
              guard self.drive(task) else { return false }
              RealTime.run { Watchdog.shared.forget(watch) }
              return true
            }
          }
        }
      }
    } onCancel: {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      guard let task else { return }
      // On the simulation's thread: what a client stops elsewhere, it stops at a time that is chance. A captured one handles
      // its cancellation on a thread of its own: it is cancelled in the second turn from now, when all that has been under
      // way stands still.
      driver.perform { [driver] in if driver.isCapturing { driver.perform { task.cancel() } } else { task.cancel() } }
    }
    return try outcome.get()
  }

  /// The closure's task, which waits in line until the driver has its thread.
  private func makeTask(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value) -> Task<Void, Never> {
    let task = driver.clientThreads.runAsClient {
      Task(executorPreference: driver.executor) { [self] in
        let result = await SimulationContext.result(of: body, in: network)
        state.withLock { $0.result = result }
      }
    }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    // In line, so that Foundation is waited for: it stops requests on a queue of its own.
    for time in network.cancellations {
      _ = network.engine.call(at: time) { [driver] in driver.perform { task.cancel() } }
    }
    for death in network.deaths { network.engine.lives.expect(death) }
    for (jump, time) in network.clockJumps where driver.isCapturing {
      network.engine.strike(at: time) { [driver] in
        driver.perform { driver.clientThreads.jumpClock(by: jump.wholeNanoseconds) }
      }
    }
    return task
  }

  /// On the driver's thread; returns whether it came to the end, and is called again on another thread otherwise.
  private func drive(_ task: Task<Void, Never>) -> Bool {
    if !hasEnded {
      do throws(SimulationError) {
        switch try driver.run(upTo: .distantFuture, until: { state.withLock { $0.result != nil } }) {
        case .handedOver: return false
        case .done: if let result = state.withLock({ $0.result }) { end(.success(course(result))) }
        case .limit, .nothing:
          let (waiting, blocked) = (network.engine.openRequests, driver.blocked())
          if waiting.isEmpty, !driver.isCapturing {
            driver.refuse(with: .unseenWait(at: network.now, remedy: driver.remedy))
            break
          }
          let deadlock = SimulationError.deadlock(at: network.now, waiting: waiting, blocked: blocked)
          fail(task, .success(course(.failure(deadlock), hasReturned: false)))
        case .unending(let limit):
          let next = driver.isCapturing ? driver.whileBusy { driver.placeOfNext } : nil
          let unending = SimulationError.unending(
            limit: limit, at: network.now,
            waiting: network.engine.everyoneWaiting + (next.map { ["a task, at \($0)"] } ?? []), run: repetition())
          // After too many requests not cancelled: who takes no error for an answer would only go round faster.
          let cancels = if case .time = limit { true } else { false }
          fail(cancels ? task : nil, .success(course(.failure(unending), hasReturned: false)))
        }
      } catch {
        fail(task, .failure(error))
      }
    }
    return endRefused() || sweep()
  }

  /// Ends a run whose closure has not returned.
  ///
  /// The caller is told at once, since the closure may never return.
  private func fail(_ task: Task<Void, Never>?, _ outcome: Outcome) {
    guard end(outcome) else { return }
    tell()
    task?.cancel()
  }

  private func endRefused() -> Bool {
    guard let refusal = driver.refusal else { return false }
    state.withLock { $0.outcome = .failure(refusal) }
    tell()
    driver.toldRun?.isTold()
    network.abandon()
    driver.abandon()
    return true
  }

  private var hasEnded: Bool { state.withLock { $0.waiter == nil || $0.outcome != nil } }

  private func course(_ result: Result<Value, any Error>, hasReturned: Bool = true) -> SimulationCourse<Value> {
    SimulationCourse(
      result: result, hasReturned: hasReturned, profile: profile, timeline: network.timeline,
      faults: network.faultSchedule, unusedFaults: network.unusedFaults, obstacle: capture.obstacle,
      realTime: driver.realTime - state.withLock { $0.begun })
  }

  /// Ends what the closure left behind: requests fail, sleepers wake, and tasks get the turns they need; returns
  /// whether it came to the end on this thread.
  private func sweep() -> Bool {
    network.invalidate()
    driver.runLeftovers()
    guard driver.clientThreads.isLeading else { return false }
    driver.finish()
    tell()
    return true
  }

  /// Decides how the run ends.
  ///
  /// If the closure has returned, the caller is told after ``sweep()``. So none of the client's code runs beside the caller's.
  @discardableResult
  private func end(_ outcome: Outcome) -> Bool {
    guard driver.beginEnding() else { return false }
    return state.withLock { state in
      defer { state.outcome = state.outcome ?? outcome }
      return state.outcome == nil
    }
  }

  private func tell() {
    let (waiter, outcome) = state.withLock { state in
      defer { state.waiter = nil }
      return (state.waiter, state.outcome)
    }
    // The run's files are removed before its caller goes on.
    network.engine.lives.end()
    if let outcome { RealTime.run { waiter?.resume(returning: outcome) } }
  }

  /// Gives the run up, since nothing has moved for too long: its caller gets an error, and its thread is abandoned.
  private func giveUp(at loop: ClientPlace?) {
    if endRefused() { return }
    let waiting = network.engine.openRequests
    let stuck =
      loop.map { SimulationError.endlessLoop(at: network.now, jobs: 0, place: $0.text) }
      ?? .stuck(at: network.now, after: driver.patience, waiting: waiting)
    // Uncaptured, a thread that is blocked may wait for what is open, and that would come: it is not the client that fails.
    if !driver.isCapturing, !waiting.isEmpty {
      let blocked = SimulationError.blockedThread(
        at: network.now, after: driver.patience, waiting: waiting, remedy: driver.remedy)
      driver.refuse(with: blocked)
    }
    guard end(.failure(stuck)) else {
      // What the closure left behind goes on and on.
      if !endRefused() { tell() }
      return
    }
    tell()
    driver.toldRun?.isTold()
    // A blocked thread may return later and must find the network invalid; a captured client does this on its own thread.
    let finish: @Sendable () -> Void = { [self] in
      network.invalidate()
      state.withLock { $0.task }?.cancel()
    }
    if driver.isCapturing { driver.perform(finish) } else { finish() }
  }
}
