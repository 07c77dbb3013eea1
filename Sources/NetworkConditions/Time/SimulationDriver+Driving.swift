import ClientCapture
import Internals
import struct Synchronization.Atomic
import URLLoading

extension SimulationDriver {
  /// Runs all that can run, and lets time go on whenever nothing can, until `isDone`, or up to `limit`.
  func run(
    upTo limit: SimulatedInstant, waitsForStrangers: Bool = true, from beginning: SimulatedInstant = .zero,
    until isDone: () -> Bool
  ) throws(SimulationError) -> Pause {
    guard let network = owner.network else { return .nothing }
    let last = limit < .distantFuture ? .distantFuture : beginning.advanced(by: options.timeLimit)
    while true {
      guard runReady() else {
        if mustEnd { return .unending(.requests(brokenLimit.load(ordering: .relaxed))) }
        throw .endlessLoop(at: network.now, jobs: jobsAtInstant, place: placeOfNext)
      }
      guard clientThreads.isLeading else { return .handedOver }
      if let refusal { throw refusal }
      if isDone() { return .done }
      switch network.step(upTo: min(limit, last)) {
      case .happened(let timePassed): if timePassed { beginInstant() }
      case .limit:
        if limit <= last { return .limit }
        // No sleeper is woken beyond the limit: all are listed as waiting.
        network.pass(to: last)
        return .unending(.time(options.timeLimit))
      case .outside: try waitOutside(network)
      case .nothing:
        if limit < .distantFuture { return .limit }
        if !waitsForStrangers || !waitForStrangers(network) { return .nothing }
      }
    }
  }

  func pass(to time: SimulatedInstant) {
    beginInstant()
    owner.network?.pass(to: time)
  }

  private func beginInstant() {
    jobsBefore += jobsAtInstant
    jobsAtInstant = 0
    requestsAtInstant.store(0, ordering: .relaxed)
  }

  /// Begins the time between two steps, in which calls of other threads are no reason to refuse the run.
  func rest() {
    isResting.store(true, ordering: .relaxed)
    toldRun?.pause()
  }

  func rise() {
    isResting.store(false, ordering: .relaxed)
    toldRun?.goOn()
  }

  /// Begins the end of the run: the client is not refused any more; returns `false` where it was refused before.
  func beginEnding() -> Bool {
    guard refusals.close() else { return false }
    isEnding.store(true, ordering: .relaxed)
    return true
  }

  /// Runs the remaining work at the end of a simulation, up to a limit.
  ///
  /// The limit is a few times the number of jobs in the run. A task that tries again for ever is left unfinished.
  func runLeftovers() {
    if !hasLimitedLeftovers {
      hasLimitedLeftovers = true
      let isEndless = mustEnd || jobsAtInstant > jobsPerInstant
      let wanted = isEndless ? 0 : 4 * (jobsBefore + jobsAtInstant)
      let limit = min(Self.mostStragglers, Self.fewStragglers + wanted)
      stragglerLimit.store(limit, ordering: .relaxed)
      jobsAtInstant = max(0, jobsPerInstant - limit)
      brokenLimit.store(Self.unbroken, ordering: .relaxed)
    }
    guard jobsAtInstant <= jobsPerInstant, runReady(), isCapturing, let network = owner.network else { return }
    // Time goes on for what sleeps: a client that went on by the system's clock would see its own go back.
    while lateSteps < Self.mostLateSteps, clientThreads.isLeading, case .happened = network.step(upTo: .distantFuture) {
      lateSteps += 1
      guard runReady() else { return }
    }
  }

  /// The most steps of time after the end of a run; tasks that still sleep then never wake.
  private static let mostLateSteps = 100

  /// Runs the work in line without letting time go on; returns `false` when that takes for ever, or the run must end.
  func runReady() -> Bool {
    while clientThreads.isLeading, !isRefused {
      guard let work = nextWork() else {
        let count = isCapturing ? clientThreads.settle() : 0
        jobsAtInstant += count
        if jobsAtInstant > jobsPerInstant || mustEnd { return false }
        if count == 0 { return true }
        continue
      }
      progress.wrappingAdd(1, ordering: .relaxed)
      clientThreads.wake()
      switch work {
      case .job(let job):
        job.runSynchronously(on: asUnownedTaskExecutor())
      case .call(let call): call()
      }
      jobsAtInstant += 1 + clientThreads.settle()
      if jobsAtInstant > jobsPerInstant || mustEnd { return false }
    }
    return true
  }

  var mustEnd: Bool { brokenLimit.load(ordering: .relaxed) != Self.unbroken }

  /// Takes no more jobs: those that come, and those still in line, go elsewhere, so that no task is left hanging.
  func finish() {
    let left = line.withLock(signalling: true) { line -> [Work]? in
      if line.isOver { return nil }
      line.isOver = true
      defer { line.work = [] }
      return line.work
    }
    guard let left else { return }
    for work in left + current[next...] {
      switch work {
      case .job(let job): runElsewhere(job)
      case .call(let call): call()
      }
    }
    current = []
    next = 0
    clientThreads.release()
    Self.activeCount.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Abandons a refused run: its client never runs again, and its threads wait for ever.
  func abandon() {
    let isFirst = line.withLock { line in
      defer { (line.isOver, line.work) = (true, []) }
      return !line.isOver
    }
    clientThreads.abandon()
    guard isFirst else { return }
    Self.activeCount.wrappingSubtract(1, ordering: .relaxed)
  }

  /// The calls in which the client's threads are blocked; to find their places takes seconds.
  func blocked() -> [String] {
    whileBusy { clientThreads.blocked }
  }

  func whileBusy<Result>(_ body: () -> Result) -> Result {
    isBusy.store(true, ordering: .relaxed)
    defer { isBusy.store(false, ordering: .relaxed) }
    return body()
  }

  var placeOfNext: String? {
    let jobs = (current[next...] + line.withLock { $0.work }).lazy.compactMap { work in
      if case .job(let job) = work { job } else { nil }
    }
    let place = jobs.first.map { ClientPlace(of: $0) } ?? clientThreads.placeOfNext
    return RealTime.run { place?.text }
  }

  private func nextWork() -> Work? {
    if next == current.count {
      current.removeAll(keepingCapacity: true)
      next = 0
      line.withLock { swap(&$0.work, &current) }
      if current.isEmpty { return nil }
    }
    defer { next += 1 }
    return current[next]
  }

  private func waitOutside(_ network: NetworkEngine) throws(SimulationError) {
    let (count, now) = (progress.load(ordering: .relaxed), realTime)
    if outside.progress != count { outside = (count, now) }
    guard now - outside.since <= UInt64(max(0, patience.wholeNanoseconds)) else {
      throw .stuck(at: network.now, after: patience, waiting: network.openRequests)
    }
    wait(for: min(0.1, patience / .seconds(1)))
  }

  /// Waits until something is put in line or the network is changed, at most so many real seconds.
  private func wait(for seconds: Double) {
    RealTime.run { line.wait(for: seconds) { !$0.work.isEmpty } }
  }

  var realTime: UInt64 { RealTime.run { DispatchTime.uptime } }

  /// Waits a while for a call from another thread, since nothing will happen by itself.
  private func waitForStrangers(_ network: NetworkEngine) -> Bool {
    var grace = QueueGrace(from: realTime, for: graceForStrangers)
    while !RealTime.run({ grace.isOver(at: DispatchTime.uptime) }) {
      // Nothing of the simulation moves by that: who waits for a change goes on waiting.
      whileBusy { wait(for: 0.02) }
      if line.withLock({ !$0.work.isEmpty }) || network.hasSomethingToDo { return true }
      // A captured thread may wait for one that is not: to look again is to let it go on.
      let count = isCapturing ? clientThreads.settle() : 0
      jobsAtInstant += count
      if count > 0 { return true }
    }
    return false
  }
}
