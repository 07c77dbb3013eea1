import Dispatch
import Internals
import struct Synchronization.Atomic
import URLLoading

/// Owns the time of one simulation, and one thread, on which everything in it runs.
///
/// The rule is one sentence: time goes on only when nothing can run. Jobs of tasks, deliveries to sessions and calls of
/// transports wait in one line; when the line is empty and nothing outside is waited for, the network's next event is
/// let happen, whenever it is due.
// Unchecked: what is not behind the lock is touched by the driver's thread alone.
final class SimulationDriver: TaskExecutor, @unchecked Sendable {
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
    /// Requests that a session has taken in and not started yet.
    var starting = 0
  }

  /// What the driver found when it looked for something to do.
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
  /// How long a session's start is waited for, should it never come: 2 s.
  ///
  /// A busy machine lets a thread wait for 50 ms and more, and what is not waited for happens at a time that is chance.
  private static let startPatience: UInt64 = 2_000_000_000

  let patience: Duration
  /// What runs the jobs in name: this driver, or what captures more than it does, and hands all to it.
  var executor: any TaskExecutor { capturing ?? self }
  private var capturing: (any TaskExecutor)?
  var isCapturing: Bool { capturing != nil }
  private let line: ConditionLock<Line> = ConditionLock(Line())
  private let thread = Atomic<UInt>(0)
  private struct WeakEngine {
    weak var value: NetworkEngine?
  }
  private let engine = Mutex(WeakEngine())
  /// Counts everything that is done, for the watchdog.
  let progress = Atomic<UInt64>(0)
  /// How many are in progress in the process: without one, sessions need not look for theirs.
  static let activeCount = Atomic<Int>(0)

  #if canImport(FoundationNetworking)
    private let sessions = Mutex(SessionQueues())
  #endif
  private var current: [Work] = []
  private var next = 0
  private var jobsAtInstant = 0
  /// Since when something real is waited for, and nothing moves.
  private var outside: (progress: UInt64, since: UInt64) = (.max, 0)

  /// What is said should the process die while a client's code runs here.
  private let lastWords: LastWords

  init(patience: Duration, capture: ClientCapture = .none, lastWords: LastWords) {
    self.patience = patience
    self.lastWords = lastWords
    Self.activeCount.wrappingAdd(1, ordering: .relaxed)
    #if canImport(FoundationNetworking)
      CancellableTask.cancelHere { SimulationDriver.isDriving }
    #endif
    capturing = capture.makeExecutor?(SimulationTime(driver: self))
  }

  // MARK: From any thread

  /// Takes in a job of one of the simulation's tasks, to run it here.
  func enqueue(_ job: consuming ExecutorJob) {
    // When the simulation is over, a task that was left behind ends as any other task.
    resume(UnownedJob(job))
  }

  /// The network whose time this is, so that jobs can sleep on it.
  func attach(_ engine: NetworkEngine) {
    self.engine.withLock { $0.value = engine }
  }

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
    let isForeign = thread.load(ordering: .relaxed) != 0 && !isCurrentThread && !isSessionsThread
    return line.withLock(signalling: true) { line in
      if line.isOver { return false }
      if isForeign { line.escapes += 1 }
      line.work.append(work)
      return true
    }
  }

  /// Something of the network's was changed: whoever waits for that looks again.
  func poke() {
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
    guard let engine = engine.withLock({ $0.value }) else { return work() }
    engine.call(after: delay, work)
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
    _ engine: NetworkEngine, upTo limit: SimulatedInstant, waitsForStrangers: Bool = true, until isDone: () -> Bool
  ) throws(SimulationError) -> Pause {
    while true {
      guard runReady() else { throw .endlessLoop(at: engine.now, jobs: jobsAtInstant) }
      if isDone() { return .done }
      switch engine.step(upTo: limit) {
      case .happened: continue
      case .limit: return .limit
      case .outside: try waitOutside(engine)
      case .nothing:
        if !waitsForStrangers || !waitForStrangers(engine) { return .nothing }
      }
    }
  }

  /// Runs what is in line, without letting time go on; says no when that takes for ever.
  func runReady() -> Bool {
    while let work = nextWork() {
      progress.wrappingAdd(1, ordering: .relaxed)
      switch work {
      case .job(let job): job.runSynchronously(on: executor.asUnownedTaskExecutor())
      case .call(let call): call()
      }
      settle()
      jobsAtInstant += 1
      if jobsAtInstant > Self.jobsPerInstant { return false }
    }
    return true
  }

  /// Time has gone on.
  func timePassed() {
    jobsAtInstant = 0
  }

  /// Takes no more jobs: those that come go elsewhere.
  ///
  /// What is still in line is run elsewhere, so that no task is left hanging.
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
  private func waitOutside(_ engine: NetworkEngine) throws(SimulationError) {
    let (count, now) = (progress.load(ordering: .relaxed), DispatchTime.now().uptimeNanoseconds)
    if outside.progress != count { outside = (count, now) }
    guard now - outside.since <= UInt64(max(0, patience.wholeNanoseconds)) else {
      throw .stuck(at: engine.now, after: patience, waiting: engine.openRequests)
    }
    wait(for: min(0.1, patience / .seconds(1)))
  }

  /// Waits until something is put in line or the network is changed, at most so many real seconds.
  private func wait(for seconds: Double) {
    line.wait(for: seconds) { !$0.work.isEmpty }
  }

  /// Nothing will happen by itself: somebody on another thread may still come, for a while.
  private func waitForStrangers(_ engine: NetworkEngine) -> Bool {
    let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(max(0, graceForStrangers.wholeNanoseconds))
    while DispatchTime.now().uptimeNanoseconds < deadline {
      wait(for: 0.02)
      if line.withLock({ !$0.work.isEmpty }) || engine.hasSomethingToDo { return true }
    }
    return false
  }

  /// A real wait that is longer than this ends as a deadlock; much shorter than the patience for what is under way.
  private var graceForStrangers: Duration { min(patience / 2, .seconds(1)) }

  // MARK: Sessions

  #if canImport(FoundationNetworking)
    /// The queues on which Foundation works for the sessions of this simulation.
    private struct SessionQueues {
      var context: ClientContext?
      var delegates: [ObjectIdentifier: OperationQueue] = [:]
      var openLoads = 0
      /// Whether a request was stopped by its client, and Foundation may not have told the client yet.
      var hasStopped = false
      /// Counts what Foundation asks of our protocols.
      var activity = 0
    }

    /// Whether the calling thread works for one of the sessions, while the driver waits for that to end.
    private var isSessionsThread: Bool {
      if ClientContext.isMarked { return true }
      guard let queue = OperationQueue.current else { return false }
      return sessions.withLock { $0.delegates[ObjectIdentifier(queue)] != nil }
    }

    /// A session asks whether a request may be simulated: it will start it, on a queue of its own.
    func sessionWillStart() {
      sessions.withLock { $0.activity += 1 }
      line.withLock { $0.starting += 1 }
    }

    /// A session has started a request, or never will.
    func sessionDidStart() {
      sessions.withLock { $0.activity += 1 }
      line.withLock(signalling: true) { $0.starting = max(0, $0.starting - 1) }
    }

    /// A request is under way.
    func loadDidBegin() {
      sessions.withLock { $0.openLoads += 1 }
    }

    /// A request's client is called in this context, and its delegate on a queue of its session's.
    func adopt(_ urlProtocol: URLProtocol) {
      guard let context = ClientContext(of: urlProtocol) else { return }
      let delegates = ClientContext.delegateQueue(of: urlProtocol)
      context.mark()
      sessions.withLock { queues in
        queues.context = context
        if let delegates { queues.delegates[ObjectIdentifier(delegates)] = delegates }
      }
    }

    /// A session stops a request before its end.
    func sessionDidStop() {
      sessions.withLock { queues in
        queues.activity += 1
        queues.hasStopped = true
      }
    }

    /// A request is over, for its session.
    func loadDidEnd() {
      sessions.withLock { queues in
        queues.activity += 1
        queues.openLoads -= 1
      }
    }

    /// Waits until Foundation has done all that the last step made it do, so that the next finds it at rest.
    ///
    /// What it does goes from queue to queue a few times: tasks start, stop and end on the queue that all sessions share,
    /// and delegates and completion handlers are called on queues of their sessions.
    private func settle() {
      guard sessions.withLock({ $0.activity > 0 }) else { return }
      while true {
        waitForStarts()
        let (context, delegates, before) = sessions.withLock { queues in
          // Without a request under way nobody's cancellation is, unless it has just stopped the last one: its client is
          // told only after that. What else Foundation tidies up can wait.
          let isUnderWay = queues.openLoads > 0 || queues.hasStopped
          return (isUnderWay ? queues.context : nil, Array(queues.delegates.values), queues.activity)
        }
        if let context {
          for _ in 0..<4 { context.drain() }
        }
        for queue in delegates where queue.operationCount > 0 { queue.waitUntilAllOperationsAreFinished() }
        let isQuiet = sessions.withLock { queues in
          guard queues.activity == before else { return false }
          if queues.openLoads == 0 { (queues.activity, queues.hasStopped) = (0, false) }
          return true
        }
        if isQuiet { return }
      }
    }

    private func waitForStarts() {
      let deadline = DispatchTime.now().uptimeNanoseconds + Self.startPatience
      while line.withLock({ $0.starting > 0 }) {
        let now = DispatchTime.now().uptimeNanoseconds
        if now >= deadline { return line.withLock { $0.starting = 0 } }
        line.wait(for: Double(deadline - now) / 1e9) { $0.starting == 0 }
      }
    }
  #else
    private var isSessionsThread: Bool { false }
    func sessionWillStart() {}
    func sessionDidStart() {}
    func sessionDidStop() {}
    func loadDidBegin() {}
    func loadDidEnd() {}
    func adopt(_ urlProtocol: URLProtocol) {}
    private func settle() {}
  #endif
}
