import ClientCapture
import Dispatch
import Internals
import LinkSimulator
import URLLoading
import struct Synchronization.Atomic

/// Owns the time of one simulation, and the thread on which everything in it runs.
///
/// Jobs, deliveries and transports' calls wait in one queue. Time passes only when that queue is empty and nothing outside
/// is awaited; then the network advances to its next event.
// Unchecked: only the driver's thread touches state without a lock.
final class SimulationDriver: TimeSource, TaskExecutor, @unchecked Sendable {
  enum Pause: Equatable {
    case done
    case limit
    case nothing
    /// The run has used up its virtual time or its requests.
    case unending(RunLimit)
    case handedOver
  }

  /// The limit of jobs at one instant, above which they count as an endless loop; far lower for a captured client.
  var jobsPerInstant: Int {
    isCapturing ? 300_000 + 1_000 * budget.made : 20_000_000
  }

  let stragglers = Stragglers()
  /// How many time steps the leftover work of an ended run has had; `nil` before the end.
  var lateSteps: Int?
  let refusals: RunRefusal
  let budget: RequestBudget
  let options: NetworkOptions
  var patience: Duration { options.patience }
  let isCapturing: Bool
  let chance: KeyedRandom
  /// The remedy in errors, if a client waits or works where the simulation does not see it.
  let remedy: String
  let line = WorkLine()
  private let thread = Atomic<UInt>(0)
  let isBusy = Atomic(false)
  let isResting = Atomic(false)
  /// The hash of the task that waits for the run or its present step, or that made the last step; 0 before any.
  let caller = Atomic(0)
  let owner = NetworkReference()
  /// The threads besides the driver's that work for the simulation; set only in the initializer.
  private(set) var clientThreads: any ClientThreads
  /// Counts all work of the run; the watchdog stops a run whose count does not change.
  let progress = Atomic<UInt64>(0)
  /// The real time that the run waited for its turn with objects that exist once per process, in nanoseconds.
  let waitedForTurns = Atomic<UInt64>(0)

  var jobs = JobCount()
  var standstill = Standstill()
  /// Whether a call from an unknown thread moved the run on when the simulation had no more events.
  var wasMovedFromOutside = false

  /// Makes a session that the client made itself run over the network; set before the run has further threads.
  var adoptsSession: @Sendable (URLSession) -> Bool = { _ in false }

  let lives = Mutex<ClientLives?>(nil)

  private let crashReport: CrashReporter
  /// The run that a crash report names; set before the run has further threads.
  private(set) var reportedRun: CrashReporter.Run?

  init(
    options: NetworkOptions, capture: CaptureMode, seed: UInt64, sessions: SimulatedSessions, crashReport: CrashReporter
  ) {
    self.options = options
    budget = RequestBudget(limit: options.requestLimit)
    clientThreads = sessions
    self.crashReport = crashReport
    refusals = RunRefusal(of: crashReport)
    isCapturing = capture.isCapturing
    chance = KeyedRandom(seed: seed).keyed(by: "threads")
    remedy = capture.remedy
    // With capture, the capture's scheduler makes the sessions' calls.
    if isCapturing { clientThreads = capturedThreads() } else { sessions.serve(self) }
  }

  // MARK: From any thread

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !submit(.job(job)) { runElsewhere(job) }
  }

  /// Runs a leftover job of an ended simulation on another thread; beyond a limit of jobs, the task is suspended for
  /// ever.
  func runElsewhere(_ job: UnownedJob) {
    if !isRefused, admitsStraggler() { globalConcurrentExecutor.enqueue(job) }
  }

  var now: SimulatedInstant? { nil }
  func keepTime(of network: NetworkEngine) { owner.network = network }
  func perform(_ work: @escaping @Sendable () -> Void) { submit(work) }

  func stop() {}

  func settleSoon() {
    if !isCurrentThread { submit {} }
  }

  /// Enqueues work for the driver's thread; drops it when the simulation is over.
  func submit(_ work: @escaping @Sendable () -> Void) {
    _ = submit(.call(work))
  }

  private func submit(_ work: WorkLine.Work) -> Bool {
    if case .job(let job) = work { notice("A task continued", at: ClientPlace(of: job), clientThreads.isCurrentThread) }
    return line.append(work)
  }

  func networkRests(_ rest: NetworkRest) {
    progress.wrappingAdd(1, ordering: .relaxed)
    if !isCurrentThread { line.wake() }
  }

  /// Counts a request; returns `false` beyond the limit, where requests get no answer.
  func admitsRequest() -> Bool {
    if isRefused { return false }
    if refusals.isClosed { return admitsStraggler() }
    return budget.admitsRequest { owner.network?.mostEndsOfOneRequest ?? 0 }
  }

  func admitsStraggler() -> Bool { !isRefused && stragglers.admitsOne() }

  /// Records a call to the network; if it comes from a thread outside of the simulation, the run may be refused.
  func notice(_ call: StaticString) { notice(call, clientThreads.isClientThread) }

  /// Refuses the run for a call from a thread unknown to the driver, because its timing would be random.
  private func notice(
    _ call: some CustomStringConvertible, at place: @autoclosure () -> ClientPlace = .current,
    _ isKnown: @autoclosure () -> Bool
  ) {
    // Allowed between the steps of a stepped simulation, and while it waits for something real.
    guard thread.load(ordering: .relaxed) != 0, !isResting.load(ordering: .relaxed), !isCurrentThread, !isKnown(),
      owner.network?.isWaitingOutside == false, line.isOpen
    else { return }
    // A captured client has no thread unknown to the driver, so this thread belongs to another run.
    let remedy = """
      Use this run's network, sessions, clock and static objects only inside the run: code outside of it, or another \
      run at the same time, uses them.
      """
    refuse(
      "\(call) from a thread that the simulation does not drive", at: place(), remedy: isCapturing ? remedy : nil,
      waits: false)
  }

  /// Ends the run with an error, because a call would make it inexact; returns `false` if the run had already ended.
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

  var isRefused: Bool { refusals.holdsClient }
  var endedAtRequestLimit: Bool { !line.isOpen && budget.wasExceeded }

  var refusal: SimulationError? {
    if let refusal = clientThreads.refusal { refuse(with: refusal) }
    return refusals.error
  }

  func refuse(with error: SimulationError) { refusals.begin(at: nil) { _ in error } }

  func noteCaller() { caller.store(withUnsafeCurrentTask { $0?.hashValue ?? 0 }, ordering: .relaxed) }

  private var isCurrentThread: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  // MARK: Driving

  private static let threads = Mutex<[UInt: SimulationDriver]>([:])

  /// Whether the calling thread belongs to any simulation, which stands still while this thread waits.
  static var isDriving: Bool {
    isCapturedThread || threads.withLock { $0[CurrentThread.number] } != nil
  }

  /// This driver, if the calling thread belongs to it; while that thread waits, the whole simulation waits.
  var here: SimulationDriver? { isCurrentThread || clientThreads.isCurrentThread ? self : nil }

  func cancel(_ call: TimerTicket) { owner.network?.cancel(call) }

  func onThisThread<Result>(_ body: () -> Result) -> Result {
    let number = CurrentThread.number
    thread.store(number, ordering: .releasing)
    Self.threads.withLock { $0[number] = self }
    defer {
      thread.store(0, ordering: .releasing)
      Self.threads.withLock { $0[number] = nil }
    }
    return crashReport.keepReport { run in
      reportedRun = run
      return clientThreads.runAsClient(body)
    }
  }

  /// How long to wait for unknown threads in real time; longer waits are reported.
  var graceForStrangers: Duration { min(patience / 2, isCapturing ? options.silence : .seconds(1)) }
}
