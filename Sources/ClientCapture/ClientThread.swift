#if os(Linux)
  import Glibc
  import Interposition

  /// A thread of a simulation's client: it runs while it has the simulation's baton, and otherwise waits.
  // Unchecked: only the thread with the baton uses it, and a semaphore passes the baton on.
  final class ClientThread: @unchecked Sendable {
    unowned let scheduler: ClientScheduler
    /// The kernel's thread ID, which locks store as their owner; 0 before the thread has started.
    var number: Int32 = 0
    /// The pthread handle, if the client started the thread.
    var handle: pthread_t?
    /// Whether this thread stands in for the process's main thread.
    let isMain: Bool
    var hasEnded = false
    /// The queues whose work the thread is running, from the outermost to the innermost.
    var queues: [ClientQueue] = []
    /// How often the thread has read a clock since its last wait.
    ///
    /// All these counts also restart when time has passed.
    var looks = 0
    /// Whether the thread waits until other code of the client runs; its own turns then do not count as such code.
    var isPolling = false
    /// Whether the thread waits in XCTest for an expectation, by reading a clock in a loop.
    private var awaitsExpectation = false
    /// How often the thread has spun for a lock since its last wait.
    var spun = 0
    private var spinsInFoundation = false
    /// How often the thread has yielded since it last waited or read a clock.
    var yieldCount = 0
    /// How often the thread has asked for a run loop since its last wait.
    var polls = 0
    /// The simulation's time up to which the counts are valid.
    private var countedAt: Int64 = 0
    /// Another thread that has asked where this thread waits; the answer is stored in `place`.
    private var asker: ClientThread?
    private var place: ClientPlace?
    private let baton = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ scheduler: ClientScheduler, isMain: Bool = false) {
      self.scheduler = scheduler
      self.isMain = isMain
      sem_init(baton, 0, 0)
    }

    deinit {
      sem_destroy(baton)
      baton.deallocate()
    }

    /// The client thread that is calling; `nil` outside of simulations, after their end, and in the scheduler's work.
    static var current: ClientThread? {
      guard let pointer = interposition_current() else { return nil }
      return live(pointer)
    }

    /// The client thread that is calling, even during the scheduler's own work; `nil` outside of simulations.
    static var owner: ClientThread? {
      guard let pointer = interposition_owner() else { return nil }
      return live(pointer)
    }

    /// Whether an ended simulation left the calling thread behind.
    static var isStray: Bool { interposition_owner() != nil && owner == nil }

    private static func live(_ pointer: UnsafeMutableRawPointer) -> ClientThread? {
      let thread = Unmanaged<ClientThread>.fromOpaque(pointer).takeUnretainedValue()
      return thread.scheduler.isReleased ? nil : thread
    }

    /// Makes the calling system thread act as this client thread while `body` runs.
    func run<Result>(_ body: () -> Result) -> Result {
      let before = interposition_owner()
      let depth = interposition_suspend()
      interposition_set_owner(Unmanaged.passUnretained(self).toOpaque())
      let formerNumber = number
      number = interposition_thread_number()
      scheduler.runs(number)
      // Threads of libdispatch block SIGURG, the signal that samples a thread's position.
      var (signals, formerSignals) = (sigset_t(), sigset_t())
      sigaddset(&signals, SIGURG)
      pthread_sigmask(SIG_UNBLOCK, &signals, &formerSignals)
      defer {
        pthread_sigmask(SIG_SETMASK, &formerSignals, nil)
        number = formerNumber
        interposition_set_owner(before)
        interposition_restore(depth)
      }
      return scheduler.host?.onClientThread(body) ?? body()
    }

    /// How often a thread spins for a lock, for 50 microseconds of real time each, before it lets other threads run.
    private static let spinsOfAnyLock = 1000
    /// After so many spins for a lock of Foundation's, which take five seconds and more, other threads no longer run.
    ///
    /// The run then makes no progress and ends as stuck. On a busy machine the thread that holds the lock may get no
    /// processor for a second.
    private static let spinsOfFoundationsLock = 100_000

    /// Spins once for a lock, as CoreFoundation's locks do with `sleep(0)`; returns `false` after too many spins for a
    /// lock of the client's.
    ///
    /// A thread of another simulation holds such a lock briefly. Yielding for it would make this run depend on others'
    /// timing.
    func spins() -> Bool {
      spun += 1
      if spun == Self.spinsOfAnyLock { spinsInFoundation = ClientPlace.isInFoundation }
      if spun >= Self.spinsOfAnyLock {
        guard spinsInFoundation else { return false }
        // A thread of this simulation may hold the lock.
        if spun < Self.spinsOfFoundationsLock { atWork { $0.giveWay() } }
      }
      _ = interposition_real.usleep(50)
      return true
    }

    /// Returns the simulation's time, and restarts all counts if it has passed other than in pauses, as while a task was
    /// suspended.
    @discardableResult
    private func time() -> Int64 {
      let now = scheduler.now
      guard now != countedAt else { return now }
      // A task that yields in its loop continues on another thread after each pause.
      let isOnlyPaused = scheduler.pausedTime.contains(countedAt) && scheduler.pausedTime.contains(now)
      if !isOnlyPaused {
        (looks, spun, yieldCount, polls) = (0, 0, 0, 0)
        scheduler.looksOfTasks = [:]
      }
      countedAt = now
      return now
    }

    /// Runs a pause of this thread, which does not restart its counts.
    private func pause(_ body: (ClientScheduler) -> Void) {
      atWork(body)
      countedAt = scheduler.now
    }

    /// More clock reads than this at one time, without a wait, count as busy waiting.
    private static let clockReadLimit = 100_000
    /// Up to this many clock reads, no count is kept for each task.
    private static let firstLooks = 20_000

    /// Whether this thread, or the task that it runs, is in a busy wait; many tasks may run on one thread.
    private var waitsBusily: Bool {
      guard looks > Self.firstLooks else { return false }
      guard let task = withUnsafeCurrentTask(body: { $0?.hashValue }) else { return looks > Self.clockReadLimit }
      return scheduler.countLook(of: task) > Self.clockReadLimit - Self.firstLooks
    }

    /// After this many clock reads without a wait, a loop in XCTest's own code counts as waiting for an expectation.
    ///
    /// XCTest runs a run loop until then. Off the main thread that loop is empty and returns at once.
    private static let looksOfXCTest = 100

    /// How long a thread sleeps at least, in nanoseconds: when it looks at a clock, and when it asks for a run loop.
    private static let (lookPause, pollPause): (Int64, Int64) = (1_000_000, 10_000_000)

    /// Whether the thread is running work of this queue, or of one that targets it.
    func isOn(_ queue: UnsafeMutableRawPointer) -> Bool { queues.contains { $0.leads(to: queue) } }

    /// Counts a clock read by this thread, and returns the virtual time that it sees.
    ///
    /// A thread in a busy wait sleeps for a virtual millisecond or more at each further read. Otherwise time would stand
    /// still.
    /// One that waits for an expectation sleeps until other code of the client runs, or for 10 ms.
    func look() -> Int64 {
      let now = time()
      yieldCount = 0
      looks += 1
      if looks == 1 { awaitsExpectation = false }
      if looks == Self.looksOfXCTest { awaitsExpectation = ClientPlace.isInXCTest }
      guard waitsBusily || awaitsExpectation else { return now }
      let before = looks
      pause { scheduler in
        if awaitsExpectation {
          scheduler.waitForWork("an expectation", until: scheduler.now + Self.pollPause)
        } else {
          _ = scheduler.wait("a look at a clock", until: scheduler.endOfPause(atLeast: Self.lookPause)) { false }
        }
      }
      looks = before
      return scheduler.now
    }

    /// A thread that yields more often than this, without a wait or clock read, counts as waiting for another thread.
    private static let yieldLimit = 20_000

    /// Lets other threads run; a thread that yields too often waits until the simulation makes progress.
    func giveWay(_ call: StaticString) {
      time()
      let ways = yieldCount + 1
      defer { yieldCount = ways }
      pause { scheduler in
        if ways > Self.yieldLimit { scheduler.waitForChange(call) } else { scheduler.giveWay() }
      }
    }

    /// A thread that asks for a run loop more often than this, without a wait, counts as waiting for another thread.
    private static let pollsOfAnyClient = 1_000
    var pollsLoop: Bool { polls > Self.pollsOfAnyClient }

    /// Counts a request for a run loop, and waits for other threads if there were many.
    ///
    /// Some clients call `RunLoop.main.run(until: .distantPast)` or `RunLoop.current.run(mode:before:)` until another
    /// thread has set a flag. Off the main thread such a call returns at once, so the client would loop for ever. A loop
    /// that also reads a clock may end by itself, so its waits are short.
    func poll() {
      time()
      polls += 1
      guard pollsLoop else { return }
      let before = polls
      pause { $0.waitForWork("a loop of RunLoop", until: looks > 0 ? $0.endOfPause(atLeast: Self.pollPause) : nil) }
      polls = before
    }

    /// Runs scheduler code on this thread, with its calls passed on to the system.
    func atWork<Result>(_ body: (ClientScheduler) -> Result) -> Result {
      RealTime.run { body(scheduler) }
    }

    /// Runs a client's code from within scheduler code, so that its calls are captured.
    static func forClient(_ body: () -> Void) {
      let depth = interposition_suspend()
      defer { interposition_restore(depth) }
      body()
    }

    /// Blocks until this thread gets the baton; if asked meanwhile, answers where it waits.
    func awaitBaton() {
      while true {
        while sem_wait(baton) != 0 {}
        guard let asker else { return scheduler.runs(number) }
        (self.asker, place) = (nil, .current)
        asker.receiveBaton()
      }
    }

    /// Returns where this thread waits; the caller must have the baton, and gets it back.
    func place(askedBy other: ClientThread) -> ClientPlace? {
      asker = other
      receiveBaton()
      other.awaitBaton()
      return place
    }

    func receiveBaton() {
      sem_post(baton)
    }

    /// Starts a detached system thread for one of the scheduler's threads.
    static func start(_ body: @escaping () -> Void) {
      final class Start {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
      }
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      // A client's synchronous code runs here and may recurse deeply: use the size of a main thread's stack.
      pthread_attr_setstacksize(&attributes, 8 << 20)
      var thread = pthread_t()
      let start = Unmanaged.passRetained(Start(body)).toOpaque()
      let result = interposition_real.pthread_create(
        &thread, &attributes,
        { argument in
          guard let argument else { return nil }
          Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
          return nil
        }, start)
      precondition(result == 0, "The system has no thread left for a simulation (\(result)).")
    }
  }
#endif
