import ClientCapture
import Dispatch
import Internals
import LinkSimulator
import URLLoading
import struct Synchronization.Atomic

/// Owns the time of one simulation, and one thread, on which everything in it runs. Time goes on only when nothing can
/// run: jobs, deliveries and calls of transports wait in one line; when it is empty and nothing outside is waited for,
/// the network goes on to its next event.
// Unchecked: the state that is not behind the lock is touched by the driver's thread alone.
final class SimulationDriver: TimeSource, TaskExecutor, @unchecked Sendable {
  enum Pause: Equatable {
    case done
    case limit
    case nothing
    /// The run has used up its virtual time or its requests.
    case unending(RunLimit)
    case handedOver
  }

  /// More jobs than this at one instant are an endless loop; of captured ones, which are one client's, far fewer.
  var jobsPerInstant: Int {
    isCapturing ? 300_000 + 1_000 * budget.made : 20_000_000
  }

  let stragglers = Stragglers()
  /// How many steps of time the work that was left behind has had; `nil` until it begins.
  var lateSteps: Int?
  let refusals: RunRefusal
  let budget: RequestBudget
  let options: NetworkOptions
  var patience: Duration { options.patience }
  /// Runs the jobs of the client's structured tasks, in the order in which they become ready.
  var executor: (any TaskExecutor)? { self }
  let isCapturing: Bool
  let chance: KeyedRandom
  /// What errors name as the remedy for a client that waits or works where the simulation does not see it.
  let remedy: String
  let line = WorkLine()
  private let thread = Atomic<UInt>(0)
  let isBusy = Atomic(false)
  let isResting = Atomic(false)
  let owner = NetworkReference()
  /// The threads beside its own that work for the simulation; set once, in the initializer.
  private(set) var clientThreads: any ClientThreads
  /// Counts everything that is done, for the watchdog.
  let progress = Atomic<UInt64>(0)
  /// Whether any is in progress in the process: without one, sessions need not look for theirs.
  static var isAnyActive: Bool { activeCount.load(ordering: .relaxed) > 0 }
  static let activeCount = Atomic<Int>(0)

  var jobs = JobCount()
  var standstill = Standstill()

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
    budget = RequestBudget(limit: options.requestLimit)
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

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !submit(.job(job)) { runElsewhere(job) }
  }

  /// At the end a task that was left behind ends as any other; one that takes no error for an answer is left where it
  /// is.
  func runElsewhere(_ job: UnownedJob) {
    if !isRefused, admitsStraggler() { globalConcurrentExecutor.enqueue(job) }
  }

  var now: SimulatedInstant? { nil }
  func keepTime(of network: NetworkEngine) { owner.network = network }
  func perform(_ work: @escaping @Sendable () -> Void) { submit(work) }

  /// In a simulation blocking work runs like any other: time stands still meanwhile.
  func performBlocking(_ work: @escaping @Sendable () -> Void) { submit(work) }

  /// Nothing: a driver ends with ``finish()``, once all that was left behind has ended.
  func stop() {}

  func settleSoon() {
    if !isCurrentThread { submit {} }
  }

  /// Enqueues work for the driver's thread; dropped when the simulation is over.
  func submit(_ work: @escaping @Sendable () -> Void) {
    _ = submit(.call(work))
  }

  private func submit(_ work: WorkLine.Work) -> Bool {
    if case .job(let job) = work { notice("A task went on", at: ClientPlace(of: job), clientThreads.isCurrentThread) }
    return line.append(work)
  }

  /// Wakes the driver: the network has changed.
  func networkRests(_ rest: NetworkRest) {
    progress.wrappingAdd(1, ordering: .relaxed)
    if !isCurrentThread { line.wake() }
  }

  func admitsRequest() -> Bool {
    if isRefused { return false }
    if refusals.isClosed { return admitsStraggler() }
    return budget.admitsRequest { owner.network?.mostEndsOfOneRequest ?? 0 }
  }

  func admitsStraggler() -> Bool { !isRefused && stragglers.admitsOne() }

  func notice(_ call: StaticString) { notice(call, clientThreads.isClientThread) }

  /// Refuses a call from a thread that the driver does not know: its time would be chance.
  private func notice(
    _ call: some CustomStringConvertible, at place: @autoclosure () -> ClientPlace = .current,
    _ isKnown: @autoclosure () -> Bool
  ) {
    // Allowed between the steps of a stepped simulation, and while something real is waited for.
    guard thread.load(ordering: .relaxed) != 0, !isResting.load(ordering: .relaxed), !isCurrentThread, !isKnown(),
      owner.network?.isWaitingOutside == false, line.isOpen
    else { return }
    // A captured client has no such thread: another run's has come.
    let remedy = """
      Leave its network, its sessions, its clock and its static objects to this run: code outside of it, or another run \
      at the same time, uses them.
      """
    refuse(
      "\(call) from a thread that the simulation does not drive", at: place(), remedy: isCapturing ? remedy : nil,
      waits: false)
  }

  /// Ends the run with an error: this call would make it inexact; returns `false` where the run had ended before.
  @discardableResult
  func refuse(
    _ call: String, at place: @autoclosure () -> ClientPlace = .current, remedy: String? = nil,
    waits: Bool = true
  ) -> Bool {
    if refusals.isOpen, line.isOpen {
      refusals.begin(at: place(), waits: waits) { [remedy = remedy ?? self.remedy] in
        .notCaptured(call: call, place: $0, remedy: remedy)
      }
      line.wake()
    }
    return isRefused
  }

  var isRefused: Bool { refusals.hasBegun }

  var refusal: SimulationError? {
    if let refusal = clientThreads.refusal { refuse(with: refusal) }
    return refusals.error
  }

  func refuse(with error: SimulationError) { refusals.begin(at: nil) { _ in error } }

  private var isCurrentThread: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  // MARK: Driving

  private static let threads = Mutex<[UInt: SimulationDriver]>([:])

  /// Whether the calling thread is some simulation's: there nothing else runs that one would have to make way for.
  static var isDriving: Bool {
    isAnyActive && (isCapturedThread || threads.withLock { $0[CurrentThread.number] } != nil)
  }

  var simulationHere: SimulationDriver? { isCurrentThread || clientThreads.isCurrentThread ? self : nil }

  var time: SimulatedInstant { owner.network?.now ?? .zero }

  func call(at time: SimulatedInstant, _ work: @escaping @Sendable () -> Void) -> TimerTicket? {
    owner.network?.call(at: time, work)
  }

  func cancel(_ call: TimerTicket) { owner.network?.cancel(call) }

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

  /// Longer waits are reported; much shorter than the patience.
  var graceForStrangers: Duration { min(patience / 2, .seconds(1)) }
}
