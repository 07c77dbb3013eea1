#if os(Linux)
  import Glibc
  import Interposition

  /// One of the threads of a simulation's client: it runs while it has the simulation's baton, and waits otherwise.
  // Unchecked: only the thread with the baton touches it, and a semaphore passes the baton on.
  final class ClientThread: @unchecked Sendable {
    unowned let scheduler: ClientScheduler
    /// The kernel's number, by which locks know their owners; 0 until the thread has started.
    var number: Int32 = 0
    /// The system's name for it, where the client started it.
    var handle: pthread_t?
    /// Whether it stands for the process's main thread.
    let isMain: Bool
    /// Whether its function has returned.
    var hasEnded = false
    /// The queues whose work it does, each within the one before.
    var queues: [ClientQueue] = []
    /// How often it has looked at a clock since it last waited.
    var looks = 0
    /// How often it has spun since it last waited.
    var spun = 0
    /// How often it has given way since it last waited or looked at a clock.
    var gaveWay = 0
    /// Who asks where it waits, and the answer.
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

    /// The client's thread that the caller is on; `nil` outside of simulations, after their end, and in the scheduler's own
    /// work.
    static var current: ClientThread? {
      guard let pointer = interposition_current() else { return nil }
      return live(pointer)
    }

    /// The same, the scheduler's own work included.
    static var owner: ClientThread? {
      guard let pointer = interposition_owner() else { return nil }
      return live(pointer)
    }

    private static func live(_ pointer: UnsafeMutableRawPointer) -> ClientThread? {
      let thread = Unmanaged<ClientThread>.fromOpaque(pointer).takeUnretainedValue()
      return thread.scheduler.isReleased ? nil : thread
    }

    /// Makes the calling thread this one for as long as `body` runs.
    func run<Result>(_ body: () -> Result) -> Result {
      let before = interposition_owner()
      let depth = interposition_suspend()
      interposition_set_owner(Unmanaged.passUnretained(self).toOpaque())
      let formerNumber = number
      number = interposition_thread_number()
      scheduler.runs(number)
      // Threads of libdispatch block it: by this signal a thread is asked where it is.
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

    /// How often it spins, for 50 microseconds of real time each, before another thread has a turn.
    private static let spinsOfAnyLock = 1000

    /// Spins once for a lock, as CoreFoundation's do with `sleep(0)`; returns `false` where that was of no use.
    ///
    /// A thread of another simulation has it then, and is about to leave it: were it a reason to give way, when others
    /// collide would decide the course of this one.
    func spins() -> Bool {
      guard spun < Self.spinsOfAnyLock else { return false }
      spun += 1
      _ = interposition_real.usleep(50)
      return true
    }

    /// More looks at a clock than this, without any wait between them, are taken for a busy wait.
    private static let looksOfAnyClient = 100_000

    /// Whether it does work of a queue, or of one that leads to it.
    func isOn(_ queue: UnsafeMutableRawPointer) -> Bool { queues.contains { $0.leads(to: queue) } }

    /// Counts a look of this thread at a clock, and returns the time of the simulation that it sees.
    ///
    /// A thread that waits by looking again and again sleeps for a millisecond of virtual time at each look, once that
    /// is clear: time would stand still otherwise.
    func look() -> Int64 {
      gaveWay = 0
      looks += 1
      guard looks > Self.looksOfAnyClient else { return scheduler.now }
      let before = looks
      atWork { scheduler in _ = scheduler.wait("a look at a clock", until: scheduler.now + 1_000_000) { false } }
      looks = before
      return scheduler.now
    }

    /// A thread that gives way more often than this, without any wait or look at a clock, waits for what another does.
    private static let waysOfAnyClient = 20_000

    /// Lets the others run; one that does so again and again waits until anything has happened.
    func giveWay(_ call: StaticString) {
      let ways = gaveWay + 1
      defer { gaveWay = ways }
      atWork { scheduler in
        if ways > Self.waysOfAnyClient { scheduler.waitForChange(call) } else { scheduler.giveWay() }
      }
    }

    /// Runs the scheduler's own work, whose calls are passed on.
    func atWork<Result>(_ body: (ClientScheduler) -> Result) -> Result {
      interposition_enter()
      defer { interposition_leave() }
      return body(scheduler)
    }

    /// Runs a client's work within the scheduler's.
    static func forClient(_ body: () -> Void) {
      let depth = interposition_suspend()
      defer { interposition_restore(depth) }
      body()
    }

    /// Waits for the baton.
    func awaitBaton() {
      while true {
        while sem_wait(baton) != 0 {}
        guard let asker else { return scheduler.runs(number) }
        (self.asker, place) = (nil, .current)
        asker.receiveBaton()
      }
    }

    /// Where it waits; asked by the thread that has the baton, and gets it back.
    func place(askedBy other: ClientThread) -> ClientPlace? {
      asker = other
      receiveBaton()
      other.awaitBaton()
      return place
    }

    /// Hands the baton over.
    func receiveBaton() {
      sem_post(baton)
    }

    /// Starts a thread of the system's for one of the scheduler's own.
    static func start(_ body: @escaping () -> Void) {
      final class Start {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
      }
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      // A client's synchronous code runs here, which may be deep: as much as a main thread has.
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
