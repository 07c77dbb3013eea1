import Dispatch
import Internals
import struct Synchronization.Atomic

/// Owns the time of one simulation, and one thread, on which everything in it runs.
///
/// The rule is one sentence: time goes on only when nothing can run. Jobs of tasks, deliveries to sessions and calls of
/// transports wait in one line; when the line is empty and nothing outside is waited for, the network's next event is
/// let happen, whenever it is due.
// Unchecked: what is not behind the lock is touched by the driver's thread alone.
final class SimulationDriver: Timekeeper, TaskExecutor, @unchecked Sendable {
  /// Something to be done on the driver's thread.
  private enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  private struct Line {
    var work: [Work] = []
    /// Whether the simulation has ended: nothing is taken in any more.
    var isOver = false
    /// Jobs that came from a thread that the driver knew nothing of.
    var escapes = 0
  }

  /// The reason why a driver stopped driving.
  enum Pause: Equatable {
    /// The closure has returned.
    case done
    /// Time has come as far as it was to go.
    case limit
    /// Nothing will ever happen.
    case nothing
  }

  /// More jobs than this at one instant are an endless loop.
  private static let jobsPerInstant = 20_000_000

  let patience: Duration
  /// Runs the jobs in name: this driver, or an executor that captures more than it does, and hands all to it.
  var executor: (any TaskExecutor)? { capturing ?? self }
  private var capturing: (any TaskExecutor)?
  var isCapturing: Bool { capturing != nil }
  private let line: ConditionLock<Line> = ConditionLock(Line())
  private let thread = Atomic<UInt>(0)
  private let owner = TimedNetworkReference()
  /// Who works for the simulation on threads of their own.
  private let surroundings: any Surroundings
  /// Counts everything that is done, for the watchdog.
  let progress = Atomic<UInt64>(0)
  /// How many are in progress in the process: without one, sessions need not look for theirs.
  static let activeCount = Atomic<Int>(0)

  private var current: [Work] = []
  private var next = 0
  private var jobsAtInstant = 0
  /// Since when something real is waited for, and nothing moves.
  private var outside: (progress: UInt64, since: UInt64) = (.max, 0)

  /// The words to say should the process die while a client's code runs here.
  private let lastWords: LastWords

  init(
    patience: Duration, capture: ClientCapture = .none, surroundings: any Surroundings, lastWords: LastWords
  ) {
    self.patience = patience
    self.surroundings = surroundings
    self.lastWords = lastWords
    Self.activeCount.wrappingAdd(1, ordering: .relaxed)
    capturing = capture.makeExecutor?(SimulationTime(driver: self))
  }

  // MARK: From any thread

  /// Takes in a job of one of the simulation's tasks, to run it here.
  func enqueue(_ job: consuming ExecutorJob) {
    // When the simulation is over, a task that was left behind ends as any other task.
    resume(UnownedJob(job))
  }

  var now: SimulatedInstant? { nil }
  func keepTime(of network: any TimedNetwork) { owner.network = network }
  func perform(_ work: @escaping @Sendable () -> Void) { submit(work) }

  /// Where time stands still until everyone is done, there is nobody to keep waiting.
  func performBlocking(_ work: @escaping @Sendable () -> Void) { submit(work) }

  /// Nothing: a driver ends with ``finish()``, once all that was left behind has ended.
  func stop() {}

  /// Has a job run whose sleep is over; also when the simulation is, since jobs must run once.
  func resume(_ job: UnownedJob) {
    if !submit(.job(job)) { globalConcurrentExecutor.enqueue(job) }
  }

  /// Has `work` done on the driver's thread, after what is in line; drops it when the simulation is over.
  func submit(_ work: @escaping @Sendable () -> Void) {
    _ = submit(.call(work))
  }

  private func submit(_ work: Work) -> Bool {
    // Between the steps of a stepped simulation nobody drives, and whoever comes is welcome.
    let isForeign = thread.load(ordering: .relaxed) != 0 && !isCurrentThread && !surroundings.isCurrentThread
    return line.withLock(signalling: true) { line in
      if line.isOver { return false }
      if isForeign { line.escapes += 1 }
      line.work.append(work)
      return true
    }
  }

  /// Has whoever waits for the network look again: something of it was changed.
  func networkRests(_ rest: NetworkRest) {
    progress.wrappingAdd(1, ordering: .relaxed)
    if !isCurrentThread { line.withLock(signalling: true) { _ in } }
  }

  /// How many jobs came from threads that the driver knew nothing of: what they do is not exact.
  var escapes: Int { line.withLock { $0.escapes } }

  private var isCurrentThread: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  // MARK: Driving

  /// The threads of all drivers that run.
  private static let threads = Mutex<[UInt: SimulationDriver]>([:])

  /// Whether the calling thread is some simulation's: there nothing else runs that one would have to make way for.
  static var isDriving: Bool {
    current != nil
  }

  /// The driver of the simulation that the calling thread belongs to.
  static var current: SimulationDriver? {
    guard activeCount.load(ordering: .relaxed) > 0 else { return nil }
    return threads.withLock { $0[CurrentThread.number] }
  }

  /// Has something done after a time of the simulation's; at once when nobody drives any more.
  func call(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    guard let network = owner.network else { return work() }
    network.call(after: delay, work)
  }

  /// Makes this thread the driver's for as long as `body` runs.
  func onThisThread<Result>(_ body: () -> Result) -> Result {
    let number = CurrentThread.number
    thread.store(number, ordering: .releasing)
    Self.threads.withLock { $0[number] = self }
    defer {
      thread.store(0, ordering: .releasing)
      Self.threads.withLock { $0[number] = nil }
    }
    return lastWords.standing(by: body)
  }

  /// Runs all that can run, and lets time go on whenever nothing can, until `isDone`, or up to `limit`.
  func run(
    upTo limit: SimulatedInstant, waitsForStrangers: Bool = true, until isDone: () -> Bool
  ) throws(SimulationError) -> Pause {
    guard let network = owner.network else { return .nothing }
    while true {
      guard runReady() else { throw .endlessLoop(at: network.now, jobs: jobsAtInstant) }
      if isDone() { return .done }
      switch network.step(upTo: limit) {
      case .happened(let timePassed): if timePassed { jobsAtInstant = 0 }
      case .limit: return .limit
      case .outside: try waitOutside(network)
      case .nothing:
        if !waitsForStrangers || !waitForStrangers(network) { return .nothing }
      }
    }
  }

  /// Lets time pass without an event, as far as a limit.
  func pass(to time: SimulatedInstant) {
    jobsAtInstant = 0
    owner.network?.pass(to: time)
  }

  /// Runs what is in line, without letting time go on; says no when that takes for ever.
  func runReady() -> Bool {
    while let work = nextWork() {
      progress.wrappingAdd(1, ordering: .relaxed)
      switch work {
      case .job(let job): job.runSynchronously(on: (capturing ?? self).asUnownedTaskExecutor())
      case .call(let call): call()
      }
      surroundings.settle()
      jobsAtInstant += 1
      if jobsAtInstant > Self.jobsPerInstant { return false }
    }
    return true
  }

  /// Takes no more jobs: those that come go elsewhere.
  ///
  /// Those still in line are run elsewhere, so that no task is left hanging.
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
      case .job(let job): globalConcurrentExecutor.enqueue(job)
      case .call(let call): call()
      }
    }
    current = []
    next = 0
    Self.activeCount.wrappingSubtract(1, ordering: .relaxed)
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

  /// Waits for something real, such as a server, while anything of it moves within the patience.
  private func waitOutside(_ network: any TimedNetwork) throws(SimulationError) {
    let (count, now) = (progress.load(ordering: .relaxed), DispatchTime.now().uptimeNanoseconds)
    if outside.progress != count { outside = (count, now) }
    guard now - outside.since <= UInt64(max(0, patience.wholeNanoseconds)) else {
      throw .stuck(at: network.now, after: patience, waiting: network.openRequests)
    }
    wait(for: min(0.1, patience / .seconds(1)))
  }

  /// Waits until something is put in line or the network is changed, at most so many real seconds.
  private func wait(for seconds: Double) {
    line.wait(for: seconds) { !$0.work.isEmpty }
  }

  /// Nothing will happen by itself: somebody on another thread may still come, for a while.
  private func waitForStrangers(_ network: any TimedNetwork) -> Bool {
    let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(max(0, graceForStrangers.wholeNanoseconds))
    while DispatchTime.now().uptimeNanoseconds < deadline {
      wait(for: 0.02)
      if line.withLock({ !$0.work.isEmpty }) || network.hasSomethingToDo { return true }
    }
    return false
  }

  /// A real wait that is longer than this ends as a deadlock; much shorter than the patience for what is under way.
  private var graceForStrangers: Duration { min(patience / 2, .seconds(1)) }
}
