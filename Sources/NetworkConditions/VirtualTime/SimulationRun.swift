import ClientCapture
import Dispatch
import Internals
import URLLoading
import struct Synchronization.Atomic

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

/// One run of a closure in virtual time: creates the network, the driver and a thread, and waits for the run's end.
///
/// It ends when the closure returns, at a deadlock, or when the watchdog finds no progress.
final class SimulationRun<Value: Sendable>: Sendable {
  private typealias Outcome = Result<EndedRun<Value>, SimulationError>

  private struct State {
    var result: Result<Value, any Error>?
    var task: Task<Void, Never>?
    var waiter: CheckedContinuation<Outcome, Never>?
    /// How the run ended; set while the remaining tasks still finish.
    var outcome: Outcome?
    var isCancelled = false
    var begun: UInt64 = 0
  }

  private let profile: String
  /// Returns a sentence with the profile and the token that repeat the run.
  private let repetition: @Sendable () -> String
  private let capture: CaptureMode
  private let driver: SimulationDriver
  private let network: SimulatedNetwork
  private let state = Mutex(State())

  init(
    _ profile: NetworkProfile, seed: UInt64, transport: (any Transport)?, capture: CaptureMode,
    options: NetworkOptions, faults: FaultSource, crashReport: CrashReporter?
  ) {
    (self.profile, self.capture) = (profile.name, capture)
    repetition = {
      // A search's report says how to repeat the run.
      if crashReport != nil { return "" }
      let token = faults.replayed.map { ReplayToken($0) } ?? ReplayToken(profile, seed: seed)
      return "\(CrashReporter(profile, seed: seed, faults: faults).text)\nTo repeat it: NETCOND_REPLAY=\(token)"
    }
    let sessions = SimulatedSessions()
    driver = SimulationDriver(
      options: options, capture: capture, seed: seed, sessions: sessions,
      crashReport: crashReport ?? CrashReporter(profile, seed: seed, faults: faults))
    network = SimulatedNetwork(
      profile, seed: seed, pace: .immediate, transport: transport, options: options, simulation: (driver, sessions),
      faults: faults)
  }

  func start(
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws(SimulationError) -> EndedRun<Value> {
    driver.noteCaller()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        state.withLock { $0.waiter = waiter }
        // Make the task here, not on the driver's thread, so that the closure sees the caller's task-local values.
        let task = makeTask(body)
        let watch = Watchdog.shared.watch(driver) { [weak self] in self?.giveUp($0) }
        DriverThreads.run { [self, driver] in
          state.withLock { $0.begun = driver.realTime }
          driver.onThisThread {
            // The run was given up before it began, on a busy machine.
            if hasEnded { driver.reportedRun?.markReported() }
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
      // Cancel on the simulation's thread: cancelled elsewhere, the client would stop its work at a random time. A
      // captured client handles the cancellation on its own thread. So cancel it in the second turn from now, when all
      // earlier work stands still.
      driver.perform { [driver] in if driver.isCapturing { driver.perform { task.cancel() } } else { task.cancel() } }
    }
    return try outcome.get()
  }

  /// Creates the closure's task, which waits until the driver has its thread.
  private func makeTask(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value) -> Task<Void, Never> {
    let task = driver.clientThreads.runAsClient {
      Task(executorPreference: driver) { [self] in
        let result = await SimulationContext.result(of: body, in: network)
        state.withLock { $0.result = result }
      }
    }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    // Cancel in queued work, so that the driver waits for Foundation, which stops requests on its own queue.
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

  /// Drives the run on this thread; returns `false` if another thread must continue and call this again.
  private func drive(_ task: Task<Void, Never>) -> Bool {
    if !hasEnded {
      do throws(SimulationError) {
        switch try driver.run(upTo: .distantFuture, until: { state.withLock { $0.result != nil } }) {
        case .handedOver: return false
        case .done: if let result = state.withLock({ $0.result }) { end(.success(run(result))) }
        case .limit, .nothing:
          let waiting = network.engine.openRequests
          // Finding the places of blocked threads takes seconds.
          let (blocked, suspended) = driver.whileBusy { (driver.clientThreads.blocked, driver.clientThreads.suspended) }
          if waiting.isEmpty, !driver.isCapturing {
            driver.refuse(with: .unseenWait(at: network.now, remedy: driver.remedy))
            break
          }
          let deadlock = SimulationError.deadlock(at: network.now, waiting: waiting + suspended, blocked: blocked)
          fail(task, .success(run(.failure(deadlock), hasReturned: false)))
        case .unending(let limit):
          let next = driver.isCapturing ? driver.whileBusy { driver.placeOfNext } : nil
          let unending = SimulationError.unending(
            limit: limit, at: network.now,
            waiting: network.engine.everyoneWaiting + (next.map { ["a task, at \($0)"] } ?? []), run: repetition())
          // After too many requests, do not cancel: a client that ignores errors would only loop faster.
          let cancels = if case .time = limit { true } else { false }
          fail(cancels ? task : nil, .success(run(.failure(unending), hasReturned: false)))
        }
      } catch {
        fail(task, .failure(error))
      }
    }
    return endRefused() || sweep()
  }

  /// Ends a run whose closure has not returned.
  ///
  /// It tells the caller at once, because the closure may never return.
  private func fail(_ task: Task<Void, Never>?, _ outcome: Outcome) {
    guard end(outcome) else { return }
    tell()
    task?.cancel()
  }

  private func endRefused() -> Bool {
    guard let refusal = driver.refusal else { return false }
    state.withLock { $0.outcome = .failure(refusal) }
    tell()
    network.abandon()
    driver.abandon()
    return true
  }

  private var hasEnded: Bool { state.withLock { $0.waiter == nil || $0.outcome != nil } }

  private func run(_ result: Result<Value, any Error>, hasReturned: Bool = true) -> EndedRun<Value> {
    EndedRun(
      result: result, hasReturned: hasReturned, profile: profile, timeline: network.timeline,
      faults: network.faultSchedule, unusedFaults: network.unusedFaults, obstacle: capture.obstacle,
      wasMovedFromOutside: driver.wasMovedFromOutside,
      realTime: driver.realTime - state.withLock { $0.begun } - driver.waitedForTurns.load(ordering: .relaxed))
  }

  /// Ends the remaining work: requests fail, sleepers wake, tasks finish; returns `false` if another thread must continue.
  private func sweep() -> Bool {
    network.invalidate()
    let isAtRest = driver.runLeftovers()
    guard driver.clientThreads.isLeading else { return false }
    // A client that continues elsewhere keeps the session: otherwise its requests would reach the real network.
    if isAtRest, driver.isCapturing { network.releaseSessions() }
    if driver.isCapturing, state.withLock({ $0.result == nil }) {
      // The caller has the error, and may free what the closure still uses.
      network.abandon()
      driver.abandon()
    } else {
      driver.finish()
    }
    DriverThreads.keepingNext { tell() }
    return true
  }

  /// Decides how the run ends.
  ///
  /// If the closure has returned, the caller continues only after ``sweep()``, so that no client code runs in parallel
  /// with it.
  @discardableResult
  private func end(_ outcome: Outcome) -> Bool {
    guard driver.refusals.close() else { return false }
    return state.withLock { state in
      defer { state.outcome = state.outcome ?? outcome }
      return state.outcome == nil
    }
  }

  private func tell() {
    let (waiter, outcome) = state.withLock { ($0.waiter.take(), $0.outcome) }
    // Remove the run's files before its caller continues, which may then crash at any time.
    network.engine.lives.end()
    driver.reportedRun?.markReported()
    if let outcome { RealTime.run { waiter?.resume(returning: outcome) } }
  }

  /// Gives up a run without progress: its caller gets an error, and its thread is abandoned.
  private func giveUp(_ busy: BusyThread?) {
    if endRefused() { return }
    let waiting = network.engine.openRequests
    let stuck = SimulationError.standstill(
      busy, at: network.now, after: driver.patience, waiting: waiting, in: driver.clientThreads.realWait)
    // Without capture, a blocked thread may wait for an open request whose answer would come: that is no mistake of the
    // client.
    if !driver.isCapturing, !waiting.isEmpty {
      let blocked = SimulationError.blockedThread(
        at: network.now, after: driver.patience, waiting: waiting, remedy: driver.remedy)
      driver.refuse(with: blocked)
    }
    if let queue = driver.clientThreads.queueOfOthers {
      driver.refuse(
        with: .notCaptured(
          call: "A wait for the queue \(queue.quoted), which code outside of this run uses", place: nil,
          remedy: "Give each run its own queue, or its own process: workers: .processes()."))
    }
    guard end(.failure(stuck)) else {
      // The remaining work never ends.
      if !endRefused() { tell() }
      return
    }
    tell()
    // A blocked thread that returns later must find the network invalid. A captured client does this on its own thread.
    let finish: @Sendable () -> Void = { [self] in
      network.invalidate()
      state.withLock { $0.task }?.cancel()
    }
    if driver.isCapturing { driver.perform(finish) } else { finish() }
  }
}
