import ClientCapture
import Dispatch
import Internals
import LinkSimulator
import URLLoading
import struct Synchronization.Atomic

/// Owns the time of one simulation, and one thread, on which everything in it runs.
///
/// The rule is one sentence: time goes on only when nothing can run. Jobs of tasks, deliveries to sessions and calls of
/// transports wait in one line; when the line is empty and nothing outside is waited for, the network's next event is
/// let happen, whenever it is due.
// Unchecked: the state that is not behind the lock is touched by the driver's thread alone.
final class SimulationDriver: TimeSource, TaskExecutor, @unchecked Sendable {
  /// Something to be done on the driver's thread.
  private enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  private struct Line {
    var work: [Work] = []
    /// Whether the simulation has ended: nothing is taken in any more.
    var isOver = false
  }

  /// The reason why a driver stopped driving.
  enum Pause: Equatable {
    /// The closure has returned.
    case done
    /// Time has come as far as it was to go.
    case limit
    /// Nothing will ever happen.
    case nothing
    /// The run has used up its virtual time or its requests.
    case unending(RunLimit)
    /// Another thread drives from here on.
    case handedOver
  }

  /// More jobs than this at one instant are an endless loop; of captured ones, which are one client's, far fewer.
  private var jobsPerInstant: Int {
    isCapturing ? 300_000 + 1_000 * requests.load(ordering: .relaxed) : 20_000_000
  }

  /// So many jobs and calls are enough for what a short run left behind to come to its end.
  private static let fewStragglers = 1_000
  /// A run that was long gets no more than these.
  private static let mostStragglers = 100_000
  private let stragglerLimit = Atomic<Int>(fewStragglers)
  private let stragglers = Atomic<Int>(0)
  private var hasLimitedLeftovers = false
  private let isEnding = Atomic<Bool>(false)
  /// Ends the run where it is not exact any more.
  private let refusals: RunRefusal
  private let requests = Atomic<Int>(0)
  private let requestsAtInstant = Atomic<Int>(0)
  private let options: NetworkOptions
  var patience: Duration { options.patience }
  /// Runs the jobs of the client's structured tasks, in the order in which they become ready.
  var executor: (any TaskExecutor)? { self }
  let isCapturing: Bool
  let chance: KeyedRandom
  /// What errors name as the remedy for a client that waits or works where the simulation does not see it.
  let remedy: String
  private let line: ConditionLock<Line> = ConditionLock(Line())
  private let thread = Atomic<UInt>(0)
  /// Whether it finds places or waits for sessions, for as long as that takes: it is not stuck.
  let isBusy = Atomic(false)
  /// Whether it is between two steps.
  private let isResting = Atomic(false)
  private let owner = TimedNetworkReference()
  /// The threads beside its own that work for the simulation; set once, in the initializer.
  private(set) var clientThreads: any ClientThreads
  /// The limit of requests that the client broke first, or ``unbroken``.
  private let brokenLimit = Atomic<Int>(unbroken)
  private static let unbroken = Int.min
  /// Counts everything that is done, for the watchdog.
  let progress = Atomic<UInt64>(0)
  /// Whether any is in progress in the process: without one, sessions need not look for theirs.
  static var isAnyActive: Bool { activeCount.load(ordering: .relaxed) > 0 }
  private static let activeCount = Atomic<Int>(0)

  private var current: [Work] = []
  private var next = 0
  private var jobsAtInstant = 0
  /// The jobs of the instants before.
  private var jobsBefore = 0
  /// Since when something real is waited for, and nothing moves.
  private var outside: (progress: UInt64, since: UInt64) = (.max, 0)

  /// The lives of a client that was launched, which counts the changes of its files.
  let lives = Mutex<ClientLives?>(nil)

  /// The words to say should the process die while a client's code runs here.
  private let lastWords: LastWords
  /// The run that a trap names; set before the run has further threads.
  private(set) var toldRun: LastWords.Run?

  init(
    options: NetworkOptions, capture: CaptureMode, seed: UInt64, clientThreads: any ClientThreads, lastWords: LastWords
  ) {
    self.options = options
    graceForStrangers = min(options.patience / 2, .seconds(1))
    self.clientThreads = clientThreads
    self.lastWords = lastWords
    refusals = RunRefusal(of: lastWords)
    isCapturing = capture.isCapturing
    chance = KeyedRandom(seed: seed).keyed(by: "threads")
    remedy = capture.remedy
    Self.activeCount.wrappingAdd(1, ordering: .relaxed)
    if isCapturing { self.clientThreads = capturedThreads() }
  }

  // MARK: From any thread

  /// Takes in a job of one of the simulation's tasks, to run it here.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !submit(.job(job)) { runElsewhere(job) }
  }

  /// When the simulation is over, a task that was left behind ends as any other task; one that does not end, since it takes no
  /// error for an answer, is left where it is.
  private func runElsewhere(_ job: UnownedJob) {
    if !isRefused, admitsStraggler() { globalConcurrentExecutor.enqueue(job) }
  }

  var now: SimulatedInstant? { nil }
  func keepTime(of network: any TimedNetwork) { owner.network = network }
  func perform(_ work: @escaping @Sendable () -> Void) { submit(work) }

  /// Where time stands still until everyone is done, there is nobody to keep waiting.
  func performBlocking(_ work: @escaping @Sendable () -> Void) { submit(work) }

  /// Nothing: a driver ends with ``finish()``, once all that was left behind has ended.
  func stop() {}

  /// Has somebody who may be asleep look after what its clientThreads have yet to do.
  func settleSoon() {
    if !isCurrentThread { submit {} }
  }

  /// Has `work` done on the driver's thread, after what is in line; drops it when the simulation is over.
  func submit(_ work: @escaping @Sendable () -> Void) {
    _ = submit(.call(work))
  }

  private func submit(_ work: Work) -> Bool {
    if case .job(let job) = work { notice("A task went on", at: ClientPlace(of: job), clientThreads.isCurrentThread) }
    return line.withLock(signalling: true) { line in
      if line.isOver { return false }
      line.work.append(work)
      return true
    }
  }

  /// Has whoever waits for the network look again: something of it was changed.
  func networkRests(_ rest: NetworkRest) {
    progress.wrappingAdd(1, ordering: .relaxed)
    if !isCurrentThread { line.withLock(signalling: true) { _ in } }
  }

  func admitsRequest() -> Bool {
    if isRefused { return false }
    if isEnding.load(ordering: .relaxed) { return admitsStraggler() }
    let count = requestsAtInstant.wrappingAdd(1, ordering: .relaxed).newValue
    if requests.wrappingAdd(1, ordering: .relaxed).newValue > options.requestLimit {
      breaks(options.requestLimit)
    } else if count % limitAtOnce == 0, owner.network?.mostEndsOfOneRequest ?? 0 >= limitAtOnce / 2 {
      breaks(limitAtOnce)
    }
    return !mustEnd
  }

  private func breaks(_ limit: Int) {
    _ = brokenLimit.compareExchange(expected: Self.unbroken, desired: limit, ordering: .relaxed)
  }

  /// So many requests at one instant, half of them one and the same that fails or is cancelled, are those of a client that
  /// tries for ever.
  ///
  /// Many clients that fail at once make requests of their own.
  private var limitAtOnce: Int { max(8_000, options.requestLimit / 30) }

  func admitsStraggler() -> Bool {
    !isRefused
      && stragglers.wrappingAdd(1, ordering: .relaxed).newValue < stragglerLimit.load(ordering: .relaxed)
  }

  func notice(_ call: StaticString) { notice(call, clientThreads.isClientThread) }

  /// Takes note of somebody who comes to the simulation: from a thread that the driver knows nothing of, at a time that is
  /// chance.
  private func notice(
    _ call: some CustomStringConvertible, at place: @autoclosure () -> ClientPlace = .current,
    _ isKnown: @autoclosure () -> Bool
  ) {
    // Between the steps of a stepped simulation nobody drives, and whoever comes is welcome. So is he who comes while
    // something real is waited for.
    guard thread.load(ordering: .relaxed) != 0, !isResting.load(ordering: .relaxed), !isCurrentThread, !isKnown(),
      owner.network?.isWaitingOutside == false,
      line.withLock({ !$0.isOver })
    else { return }
    // A captured client has no such thread: another run's has come.
    let remedy = "Leave its network, its sessions and its clock to this run: code outside of it uses them."
    refuse(
      "\(call) from a thread that the simulation does not drive", at: place(), remedy: isCapturing ? remedy : nil,
      waits: false)
  }

  /// Has the run end with a call by which it is not exact any more; its client is never called again.
  ///
  /// - Returns: whether it does; what a client does after its run's end is its own business.
  @discardableResult
  func refuse(
    _ call: String, at place: @autoclosure () -> ClientPlace = .current, remedy: String? = nil,
    waits: Bool = true
  ) -> Bool {
    if refusals.isOpen, line.withLock({ !$0.isOver }) {
      refusals.begin(at: place(), waits: waits) { [remedy = remedy ?? self.remedy] in
        .notCaptured(call: call, place: $0, remedy: remedy)
      }
      line.withLock(signalling: true) { _ in }
    }
    return isRefused
  }

  /// Whether the run is not exact any more.
  var isRefused: Bool { refusals.hasBegun }

  /// Why the run must end; said on standard error by the time that this returns.
  var refusal: SimulationError? {
    if let refusal = clientThreads.refusal { refuse(with: refusal) }
    return refusals.error
  }

  /// Has the run end with an error that says why it is not exact any more.
  func refuse(with error: SimulationError) { refusals.begin(at: nil) { _ in error } }

  private var isCurrentThread: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  // MARK: Driving

  /// The threads of all drivers that run.
  private static let threads = Mutex<[UInt: SimulationDriver]>([:])

  /// Whether the calling thread is some simulation's: there nothing else runs that one would have to make way for.
  static var isDriving: Bool {
    isAnyActive && (isCapturedThread || threads.withLock { $0[CurrentThread.number] } != nil)
  }

  var simulationHere: SimulationDriver? { isCurrentThread || clientThreads.isCurrentThread ? self : nil }

  /// The time of the simulation's network.
  var time: SimulatedInstant { owner.network?.now ?? .zero }

  /// Has something done at a time of the simulation's; `nil` when nobody drives any more.
  func call(at time: SimulatedInstant, _ work: @escaping @Sendable () -> Void) -> TimerTicket? {
    owner.network?.call(at: time, work)
  }

  func cancel(_ call: TimerTicket) { owner.network?.cancel(call) }

  /// Makes this thread the driver's for as long as `body` runs.
  func onThisThread<Result>(_ body: () -> Result) -> Result {
    let number = CurrentThread.number
    thread.store(number, ordering: .releasing)
    Self.threads.withLock { $0[number] = self }
    defer {
      thread.store(0, ordering: .releasing)
      Self.threads.withLock { $0[number] = nil }
    }
    return lastWords.standing { run in
      toldRun = run
      return clientThreads.runAsClient(body)
    }
  }

  /// Runs all that can run, and lets time go on whenever nothing can, until `isDone`, or up to `limit`.
  ///
  /// - Parameter beginning: the instant from which the limit of virtual time counts.
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
        // Nobody has been woken beyond it: whoever sleeps is among those who wait.
        network.pass(to: last)
        return .unending(.time(options.timeLimit))
      case .outside: try waitOutside(network)
      case .nothing:
        if limit < .distantFuture { return .limit }
        if !waitsForStrangers || !waitForStrangers(network) { return .nothing }
      }
    }
  }

  /// Lets time pass without an event, as far as a limit.
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

  /// Begins a step.
  func rise() {
    isResting.store(false, ordering: .relaxed)
    toldRun?.goOn()
  }

  /// Has nothing that the client does from here on refused, since its run ends; says whether it is not refused already.
  func beginEnding() -> Bool {
    guard refusals.close() else { return false }
    isEnding.store(true, ordering: .relaxed)
    return true
  }

  /// Runs the work in line at the end of a simulation, up to the limit for stragglers.
  ///
  /// Each task that is left had its jobs in the run, so a few times as many are enough to end it. One that tries again for
  /// ever, whatever it is told, is left where it is. Where another thread goes on with it, the limit is the same.
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

  /// So often time goes on after the end, which is enough for what ends at all; what sleeps still then never wakes.
  private static let mostLateSteps = 100
  private var lateSteps = 0

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

  private var mustEnd: Bool { brokenLimit.load(ordering: .relaxed) != Self.unbroken }

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
      case .job(let job): runElsewhere(job)
      case .call(let call): call()
      }
    }
    current = []
    next = 0
    clientThreads.release()
    Self.activeCount.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Leaves a run that is refused where it is: nothing of its client runs again, and its threads wait for ever.
  func abandon() {
    let isFirst = line.withLock { line in
      defer { (line.isOver, line.work) = (true, []) }
      return !line.isOver
    }
    clientThreads.abandon()
    guard isFirst else { return }
    Self.activeCount.wrappingSubtract(1, ordering: .relaxed)
  }

  /// The calls in which the client's threads are blocked.
  ///
  /// To find their places takes seconds, in which nothing else moves.
  func blocked() -> [String] {
    whileBusy { clientThreads.blocked }
  }

  /// Runs what ends by itself, however long it takes: meanwhile the run is not stuck.
  func whileBusy<Result>(_ body: () -> Result) -> Result {
    isBusy.store(true, ordering: .relaxed)
    defer { isBusy.store(false, ordering: .relaxed) }
    return body()
  }

  /// Where the next job goes on.
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

  /// Waits for something real, such as a server, while anything of it moves within the patience.
  private func waitOutside(_ network: any TimedNetwork) throws(SimulationError) {
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

  /// The system's time in nanoseconds, whoever asks.
  var realTime: UInt64 { RealTime.run { DispatchTime.uptime } }

  /// Nothing will happen by itself: somebody on another thread may still come, for a while.
  private func waitForStrangers(_ network: any TimedNetwork) -> Bool {
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

  /// A real wait that is longer than this is none that the simulation need not know of; much shorter than the patience for
  /// what is under way.
  let graceForStrangers: Duration
}
