import Dispatch
import Internals
import URLLoading

/// Tells tasks whether they run inside a simulation.
enum SimulationContext {
  @TaskLocal static var isInside = false

  /// Runs a simulation's closure, and says what came of it.
  static func result<Value>(
    of body: @Sendable (SimulatedNetwork) async throws -> Value, in network: SimulatedNetwork
  ) async -> Result<Value, any Error> {
    do {
      return .success(try await $isInside.withValue(true) { try await body(network) })
    } catch {
      return .failure(error)
    }
  }
}

/// One run of a closure in virtual time: makes the network and its driver, gives the driver a thread, and waits for the
/// end, whichever comes first: the closure's, a deadlock, or the watchdog's.
final class SimulationRun<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var task: Task<Void, Never>?
    var waiter: CheckedContinuation<Result<SimulationCourse<Value>, SimulationError>, Never>?
    var isCancelled = false
  }

  /// The name of the profile.
  private let profile: String
  private let driver: SimulationDriver
  private let network: SimulatedNetwork
  private let state = Mutex(State())

  init(
    _ profile: NetworkProfile, seed: UInt64, transport: (any Transport)?, capture: ClientCapture,
    options: NetworkOptions, faults: FaultSource, lastWords: LastWords?
  ) {
    self.profile = profile.name
    let sessions = SimulatedSessions()
    driver = SimulationDriver(
      patience: options.patience, capture: capture, surroundings: sessions,
      lastWords: lastWords ?? LastWords(profile, seed: seed, faults: faults))
    network = SimulatedNetwork(
      profile, seed: seed, pace: .immediate, transport: transport, options: options, simulation: (driver, sessions),
      faults: faults)
  }

  /// Runs the closure on a thread of its own, and waits for the end.
  func start(
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws(SimulationError) -> SimulationCourse<Value> {
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        state.withLock { $0.waiter = waiter }
        // Made here and not on the driver's thread, so that the closure sees the caller's task-local values.
        let task = makeTask(body)
        let watch = Watchdog.shared.watch(driver) { [weak self] in self?.giveUp() }
        DriverThreads.run {
          self.driver.onThisThread { self.drive(task) }
          Watchdog.shared.forget(watch)
        }
      }
    } onCancel: {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      task?.cancel()
    }
    return try end.get()
  }

  /// The closure's task, which waits in line until the driver has its thread.
  private func makeTask(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value) -> Task<Void, Never> {
    let task = Task(executorPreference: driver.executor) { [self] in
      let result = await SimulationContext.result(of: body, in: network)
      state.withLock { $0.result = result }
    }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return task
  }

  /// On the driver's thread, from the closure's first step to the end of what it left behind.
  private func drive(_ task: Task<Void, Never>) {
    do throws(SimulationError) {
      switch try driver.run(upTo: .distantFuture, until: { state.withLock { $0.result != nil } }) {
      case .done:
        guard let result = state.withLock({ $0.result }) else { return }
        end(.success(course(result)))
      case .limit, .nothing:
        let deadlock = SimulationError.deadlock(at: network.now, waiting: network.engine.openRequests)
        end(.success(course(.failure(deadlock), hasReturned: false)))
        task.cancel()
      }
    } catch {
      end(.failure(error))
      task.cancel()
    }
    sweep()
  }

  private func course(_ result: Result<Value, any Error>, hasReturned: Bool = true) -> SimulationCourse<Value> {
    SimulationCourse(
      result: result, hasReturned: hasReturned, profile: profile, timeline: network.timeline, escapes: driver.escapes,
      faults: network.faultSchedule, unusedFaults: network.unusedFaults)
  }

  /// Ends what the closure left behind: requests fail, sleepers wake, and tasks get the turns they need to end.
  private func sweep() {
    network.invalidate()
    network.engine.callAll()
    _ = driver.runReady()
    driver.finish()
  }

  private func end(_ outcome: Result<SimulationCourse<Value>, SimulationError>) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: outcome)
  }

  /// Nothing has moved for too long: whoever waits is told, and the thread is left to itself.
  private func giveUp() {
    end(.failure(.stuck(at: network.now, after: driver.patience, waiting: network.engine.openRequests)))
    // Whoever is blocked may come back one day, and finds an end.
    network.invalidate()
    state.withLock { $0.task }?.cancel()
  }
}
