import ClientCapture
import Internals
import struct Synchronization.Atomic
import URLLoading

extension SimulationDriver {
  /// Runs all ready work, and advances time when there is none, until `isDone` or up to `limit`.
  func run(
    upTo limit: SimulatedInstant, waitsForStrangers: Bool = true, from beginning: SimulatedInstant = .zero,
    until isDone: () -> Bool
  ) throws(SimulationError) -> Pause {
    guard let network = owner.network else { return .nothing }
    let last = limit < .distantFuture ? .distantFuture : beginning.advanced(by: options.timeLimit)
    while true {
      guard runReady() else {
        if let limit = budget.exceeded { return .unending(.requests(limit)) }
        throw .endlessLoop(at: network.now, jobs: jobs.atInstant, place: placeOfNext)
      }
      guard clientThreads.isLeading else { return .handedOver }
      if let refusal { throw refusal }
      if isDone() { return .done }
      switch network.step(upTo: min(limit, last)) {
      case .happened(let timePassed): if timePassed { beginInstant() }
      case .limit:
        if limit <= last { return .limit }
        // Run up to the limit, but wake no sleeper beyond it, so that all are listed as waiting.
        network.pass(to: last)
        return .unending(.time(options.timeLimit))
      case .outside: try waitOutside(network)
      case .nothing:
        if limit < .distantFuture { return .limit }
        guard waitsForStrangers, waitForStrangers(network) else { return .nothing }
        wasMovedFromOutside = true
      }
    }
  }

  func pass(to time: SimulatedInstant) {
    beginInstant()
    owner.network?.pass(to: time)
  }

  private func beginInstant() {
    jobs.beginInstant()
    budget.beginInstant()
  }

  /// Begins the pause between two steps of a stepped simulation, in which other threads may call the network.
  func rest() {
    isResting.store(true, ordering: .relaxed)
    SharedTurns.noteRest()
    reportedRun?.pause()
  }

  func rise() {
    isResting.store(false, ordering: .relaxed)
    SharedTurns.noteRest()
    reportedRun?.goOn()
  }

  /// Runs the remaining work, at most a few times as many jobs as the run's; returns whether the client is idle.
  func runLeftovers() -> Bool {
    if lateSteps == nil {
      lateSteps = 0
      let isEndless = mustEnd || jobs.atInstant > jobsPerInstant
      let limit = stragglers.limit(afterJobs: isEndless ? 0 : jobs.total)
      jobs.leave(limit, of: jobsPerInstant)
      budget.liftLimit()
    }
    guard jobs.atInstant <= jobsPerInstant, runReady() else { return false }
    guard isCapturing, let network = owner.network else { return true }
    // Advance virtual time for sleepers: if the client continued on the system's clock, its own clock would jump back.
    while let steps = lateSteps, steps < Self.mostLateSteps, clientThreads.isLeading,
      case .happened = network.step(upTo: .distantFuture)
    {
      lateSteps = steps + 1
      guard runReady() else { return false }
    }
    return true
  }

  /// The most time steps after a run's end; sleepers beyond them never wake.
  private static let mostLateSteps = 100

  /// Runs all ready work without advancing time; returns `false` if it exceeds a limit, or the run must end.
  func runReady() -> Bool {
    while clientThreads.isLeading, !isRefused {
      guard let work = line.next() else {
        let count = isCapturing ? clientThreads.settle() : 0
        jobs.add(count)
        if jobs.atInstant > jobsPerInstant || mustEnd { return false }
        if count == 0 { return true }
        continue
      }
      progress.wrappingAdd(1, ordering: .relaxed)
      clientThreads.wake()
      switch work {
      case .job(let job):
        clientThreads.note(job)
        job.runSynchronously(on: asUnownedTaskExecutor())
      case .call(let call): call()
      }
      jobs.add(1 + clientThreads.settle())
      if jobs.atInstant > jobsPerInstant || mustEnd { return false }
    }
    return true
  }

  private var mustEnd: Bool { budget.exceeded != nil }

  /// Ends the driver: pending and later jobs run elsewhere, so that no task hangs.
  func finish() {
    guard let left = line.close() else { return }
    clientThreads.resumeSessions()
    for work in line.takeCurrent() + left {
      switch work {
      case .job(let job): runElsewhere(job)
      case .call(let call): call()
      }
    }
    clientThreads.release()
  }

  /// Abandons a run: its client never runs again, and its threads wait for ever.
  func abandon() {
    refusals.abandon()
    _ = line.close()
    clientThreads.abandon()
  }

  func whileBusy<Result>(_ body: () -> Result) -> Result {
    isBusy.store(true, ordering: .relaxed)
    defer { isBusy.store(false, ordering: .relaxed) }
    return body()
  }

  var placeOfNext: String? {
    let place = line.firstJob.map { ClientPlace(of: $0) } ?? clientThreads.placeOfNext
    return RealTime.run { place?.text }
  }

  private func waitOutside(_ network: NetworkEngine) throws(SimulationError) {
    guard standstill.length(progress: progress.load(ordering: .relaxed), at: realTime) <= max(.zero, patience) else {
      throw .stuck(at: network.now, after: patience, waiting: network.openRequests)
    }
    RealTime.run { line.wait(for: min(0.1, patience / .seconds(1))) }
  }

  var realTime: UInt64 { RealTime.run { DispatchTime.uptime } }

  /// Waits a short real time for a call from another thread, when the simulation itself has no more events.
  private func waitForStrangers(_ network: NetworkEngine) -> Bool {
    var grace = QueueGrace(from: realTime, for: graceForStrangers)
    while !RealTime.run({ grace.isOver(at: DispatchTime.uptime) }) {
      // This wait is not progress: a client that waits for a change continues to wait.
      whileBusy { RealTime.run { line.wait(for: grace.pause) } }
      if line.hasNews || network.hasSomethingToDo { return true }
      // A captured thread may wait for a thread that is not captured; settling again lets it continue.
      let count = isCapturing ? clientThreads.settle() : 0
      jobs.add(count)
      if count > 0 { return true }
    }
    return false
  }
}
