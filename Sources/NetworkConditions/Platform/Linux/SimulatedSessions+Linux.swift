#if canImport(FoundationNetworking)
  import ClientCapture
  import Dispatch
  import Internals
  import URLLoading
  import struct Synchronization.Atomic

  /// The sessions of one simulation; detects when Foundation's queues have no more work for them.
  final class SimulatedSessions: ClientThreads {
    /// How long to wait for a session's start: 2 s.
    ///
    /// On a busy machine a thread may wait for 50 ms or more. A start that is not awaited would happen at a random
    /// time.
    private static let startPatience = Duration.seconds(2)

    private struct Queues {
      var context: ClientContext?
      var delegates: [ObjectIdentifier: OperationQueue] = [:]
      var openLoads = 0
      /// Whether a client stopped a request, and Foundation may not have notified it yet.
      var hasStopped = false
      var activity = 0
      /// Pending calls of delegates and completion handlers, in order.
      var calls: [@Sendable () -> Void] = []
      /// Whether one of ``calls`` is running; the next waits until it returns.
      var isCalling = false
      /// Whether a step of the simulation, or Foundation's work after it, is running.
      var isAwaited = false
      /// The driver that makes ``calls``; `nil` if each session makes its own.
      var caller: SimulationDriver?
    }
    private let queues = Mutex(Queues())
    /// This simulation's number, unique in the process.
    private let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    private static let last = Atomic<Int>(0)
    /// The number of requests that a session has accepted and not started yet.
    private let starting = ConditionLock(0)

    init() {
      CancellableTask.mayCancelHere.set { SimulationDriver.isDriving }
    }

    // MARK: Calls to clients

    /// Sets the driver that makes the calls of sessions without a queue, since a thread switch would take longer than
    /// most calls.
    func serve(_ driver: SimulationDriver) { queues.withLock { $0.caller = driver } }

    /// The delegate queue for a new session that has none; `nil` lets the session make one.
    func delegateQueue() -> OperationQueue? {
      queues.withLock { $0.caller != nil } ? SimulatedDelegateQueue(self) : nil
    }

    /// Enqueues a session's call; returns `false` after the simulation, when the driver makes no more calls.
    func willMake(_ call: @escaping @Sendable () -> Void) -> Bool {
      let (caller, isAwaited) = queues.withLock { queues in
        if queues.caller != nil { queues.calls.append(call) }
        return (queues.caller, queues.isAwaited)
      }
      guard let caller else { return false }
      if caller.isRefused { return true }
      if !isAwaited {
        caller.notice("A session called its client")
        caller.settleSoon()
      }
      return true
    }

    private func makeCalls() {
      while let call = queues.withLock({ queues -> (@Sendable () -> Void)? in
        guard queues.caller?.isRefused == false, !queues.isCalling, !queues.calls.isEmpty else { return nil }
        queues.isCalling = true
        return queues.calls.removeFirst()
      }) {
        call()
        queues.withLock { $0.isCalling = false }
      }
    }

    func release() {
      let left = queues.withLock { queues in
        defer { (queues.calls, queues.caller) = ([], nil) }
        return queues.calls
      }
      if !left.isEmpty { DispatchQueue.global().async { for call in left { call() } } }
    }

    // MARK: Sessions

    /// Registers a session of the network; sessions that the client makes become known by their tasks.
    func know(_ session: URLSession, servedBy slot: AnyClass? = nil) {
      let context = ClientContext(of: session)
      queues.withLock { $0.context = $0.context ?? context }
    }
    func forget(_ session: URLSession) {}
    func handOutConfiguration() {}

    var isCurrentThread: Bool {
      ClientContext.isMarked || isClientThread
    }

    var isClientThread: Bool {
      guard let queue = OperationQueue.current else { return false }
      return queues.withLock { $0.delegates[ObjectIdentifier(queue)] != nil }
    }

    func willStart(_ driver: SimulationDriver?) {
      driver?.notice("A request of a session was resumed")
      queues.withLock { $0.activity += 1 }
      starting.withLock { $0 += 1 }
    }

    /// Records that a session has started a request, or will never start it.
    func didStart() {
      queues.withLock { $0.activity += 1 }
      starting.withLock(signalling: true) { $0 = max(0, $0 - 1) }
    }

    func loadDidBegin(_ urlProtocol: URLProtocol, in context: ClientContext?) {
      // A captured client's queues run on the simulation's own threads and need no mark.
      let isMarked = queues.withLock { $0.caller != nil }
      let delegates = isMarked ? ClientContext.markSession(of: urlProtocol, as: number) : nil
      queues.withLock { queues in
        queues.openLoads += 1
        guard let context else { return }
        queues.context = context
        if let delegates { queues.delegates[ObjectIdentifier(delegates)] = delegates }
      }
    }

    func didStop() {
      queues.withLock { queues in
        queues.activity += 1
        queues.hasStopped = true
      }
    }

    func loadDidEnd(_ urlProtocol: URLProtocol) {
      queues.withLock { queues in
        queues.activity += 1
        queues.openLoads -= 1
      }
    }

    func wake() { queues.withLock { $0.isAwaited = true } }

    /// Waits until Foundation has no more work for the sessions.
    ///
    /// Its work moves between queues several times. Tasks start, stop and end on the queue that all sessions share.
    /// Delegates and completion handlers run on their sessions' queues.
    func settle() -> Int {
      // Requests that the client makes during the wait may make another wait necessary.
      RealTime.run { isResting ? 0 : waitForRest() }
    }

    func perform(in context: ClientContext?, _ work: () -> Void) { context?.performAndWait(work) }

    func settleMeanwhile() {
      if ClientScheduler.isClientThread {
        // All captured threads take turns on this one, so only the context can be drained.
        let context = queues.withLock { $0.context }
        for _ in 0..<4 { context?.drain() }
        return
      }
      let isAwaited = queues.withLock { $0.isAwaited }
      _ = settle()
      queues.withLock { $0.isAwaited = isAwaited }
    }

    /// Whether Foundation has no work for requests and no pending calls to clients.
    private var isResting: Bool {
      let (context, delegates) = queues.withLock { queues in
        queues.isAwaited = true
        return (queues.activity > 0 ? nil : queues.context, queues.delegates.values)
      }
      context?.drain()
      if delegates.contains(where: { $0.operationCount > 0 }) { return false }
      return queues.withLock { queues in
        queues.isAwaited = queues.activity > 0 || !queues.calls.isEmpty
        return !queues.isAwaited
      }
    }

    private func waitForRest() -> Int {
      while true {
        waitForStarts()
        let (context, delegates, before) = queues.withLock { queues in
          // Without an open request no cancellation is pending, except one that just stopped the last request and is
          // not yet reported to its client. All other clean-up can wait.
          let isUnderWay = queues.openLoads > 0 || queues.hasStopped
          return (isUnderWay ? queues.context : nil, Array(queues.delegates.values), queues.activity)
        }
        for _ in 0..<4 {
          context?.drain()
          makeCalls()
          for queue in delegates where queue.operationCount > 0 { queue.waitUntilAllOperationsAreFinished() }
        }
        let isQuiet = queues.withLock { queues in
          let makesCalls = !queues.calls.isEmpty && !queues.isCalling && queues.caller?.isRefused == false
          guard queues.activity == before, !makesCalls else { return false }
          queues.isAwaited = queues.isCalling
          if queues.openLoads == 0 { (queues.activity, queues.hasStopped) = (0, false) }
          return true
        }
        if isQuiet { return 0 }
      }
    }

    private func waitForStarts() {
      guard starting.withLock({ $0 > 0 }) else { return }
      // Any task's queue leads to the queue in which a start already waits, so one turn is enough.
      queues.withLock { $0.context }?.drain()
      var grace = QueueGrace(from: DispatchTime.uptime, for: Self.startPatience)
      while starting.withLock({ $0 > 0 }) {
        if grace.isOver(at: DispatchTime.uptime) { return starting.withLock { $0 = 0 } }
        starting.wait(for: 0.1) { $0 == 0 }
      }
    }
  }

  /// A simulated session's delegate queue; the simulation makes its calls while it lasts.
  ///
  /// Unchecked, like its thread-safe superclass; it adds only a constant.
  private final class SimulatedDelegateQueue: OperationQueue, @unchecked Sendable {
    private let reference: WeakReference<SimulatedSessions>
    private var sessions: SimulatedSessions? { reference.object }

    init(_ sessions: SimulatedSessions) {
      reference = WeakReference(sessions)
      super.init()
      maxConcurrentOperationCount = 1
    }

    /// Enqueues work; called by Foundation, and by code that adds work between the session's calls.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      if isSuspended || sessions?.willMake(block) != true { super.addOperation(block) }
    }
  }
#endif
