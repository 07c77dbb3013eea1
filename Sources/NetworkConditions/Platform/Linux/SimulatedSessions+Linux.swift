#if canImport(FoundationNetworking)
  import ClientCapture
  import Dispatch
  import Internals
  import URLLoading
  import struct Synchronization.Atomic

  /// The sessions of one simulation, which Foundation works for on queues of its own: knows when they are at rest.
  final class SimulatedSessions: ClientThreads {
    /// How long a session's start is waited for, should it never come: 2 s.
    ///
    /// A busy machine lets a thread wait for 50 ms and more, and what is not waited for happens at a time that is chance.
    private static let startPatience = Duration.seconds(2)

    private struct Queues {
      var context: ClientContext?
      var delegates: [ObjectIdentifier: OperationQueue] = [:]
      var openLoads = 0
      /// Whether a request was stopped by its client, and Foundation may not have told the client yet.
      var hasStopped = false
      /// Counts what Foundation asks of our protocols.
      var activity = 0
      /// Calls of delegates and completion handlers that have yet to be made here, in their order.
      var calls: [@Sendable () -> Void] = []
      /// Whether one is being made: what it calls for waits until it is over.
      var isCalling = false
      /// Whether a step of the simulation is under way, or Foundation's work after it.
      var isAwaited = false
      /// The driver that makes these calls; `nil` where each session makes its own.
      var caller: SimulationDriver?
    }
    private let queues = Mutex(Queues())
    /// Tells it from all others of the process.
    private let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    private static let last = Atomic<Int>(0)
    /// Requests that a session has taken in and not started yet.
    private let starting = ConditionLock(0)

    init() {
      CancellableTask.cancelHere { SimulationDriver.isDriving }
    }

    // MARK: Calls to clients

    /// Serves a run: the calls of sessions that were given no queue for them are made on its driver's thread from now on.
    ///
    /// A thread's turn for each takes longer than most of what the client does in it.
    func serve(_ driver: SimulationDriver) { queues.withLock { $0.caller = driver } }

    /// The queue of a new session that is given none; `nil` is one of the session's own.
    func delegateQueue() -> OperationQueue? {
      queues.withLock { $0.caller != nil } ? SimulatedDelegateQueue(self) : nil
    }

    /// Takes in a call of a session's.
    ///
    /// - Returns: whether it will be made here; no more once the simulation is over.
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

    /// A session was handed out; one that the client makes itself shows itself by its tasks.
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

    /// A session asks whether a request may be simulated: it will start it, on a queue of its own.
    func willStart(_ timeSource: any TimeSource) {
      timeSource.notice("A request of a session was resumed")
      queues.withLock { $0.activity += 1 }
      starting.withLock { $0 += 1 }
    }

    /// A session has started a request, or never will.
    func didStart() {
      queues.withLock { $0.activity += 1 }
      starting.withLock(signalling: true) { $0 = max(0, $0 - 1) }
    }

    /// A request is under way: its client is called in its context, and its delegate on a queue of its session's.
    func loadDidBegin(_ urlProtocol: URLProtocol, in context: ClientContext?) {
      let delegates = ClientContext.markSession(of: urlProtocol, as: number)
      queues.withLock { queues in
        queues.openLoads += 1
        guard let context else { return }
        queues.context = context
        if let delegates { queues.delegates[ObjectIdentifier(delegates)] = delegates }
      }
    }

    /// A session stops a request before its end.
    func didStop() {
      queues.withLock { queues in
        queues.activity += 1
        queues.hasStopped = true
      }
    }

    /// A request is over, for its session.
    func loadDidEnd(_ urlProtocol: URLProtocol) {
      queues.withLock { queues in
        queues.activity += 1
        queues.openLoads -= 1
      }
    }

    func wake() { queues.withLock { $0.isAwaited = true } }

    /// Waits until Foundation is at rest.
    ///
    /// Its work goes from queue to queue a few times: tasks start, stop and end on the queue that all sessions share,
    /// and delegates and completion handlers are called on queues of their sessions.
    func settle() -> Int {
      // The client may ask for something that makes this necessary.
      RealTime.run { isResting ? 0 : waitForRest() }
    }

    /// Runs `work` where a protocol's client may be called, and waits for it.
    func perform(in context: ClientContext?, _ work: () -> Void) { context?.performAndWait(work) }

    /// Waits in the middle of something, which goes on afterwards.
    func settleMeanwhile() {
      if ClientScheduler.isClientThread {
        // All that is captured takes turns there.
        let context = queues.withLock { $0.context }
        for _ in 0..<4 { context?.drain() }
        return
      }
      let isAwaited = queues.withLock { $0.isAwaited }
      _ = settle()
      queues.withLock { $0.isAwaited = isAwaited }
    }

    /// Whether Foundation has nothing to do for requests, nor calls its clients for anything else that they asked of it.
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
          // Without a request under way no cancellation is, either, unless one has just stopped the last request: the
          // client is told only after that. All else that Foundation tidies up can wait.
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
      // The queue of any task leads to the one in which a start is in line already: one turn instead of several.
      queues.withLock { $0.context }?.drain()
      guard starting.withLock({ $0 > 0 }) else { return }
      var grace = QueueGrace(from: DispatchTime.uptime, for: Self.startPatience)
      while starting.withLock({ $0 > 0 }) {
        if grace.isOver(at: DispatchTime.uptime) { return starting.withLock { $0 = 0 } }
        starting.wait(for: 0.1) { $0 == 0 }
      }
    }
  }

  /// The queue of a simulated session's delegate, whose calls the simulation makes itself while it lasts.
  ///
  /// Unchecked like its superclass, which is safe to use from any thread; it adds a constant only.
  private final class SimulatedDelegateQueue: OperationQueue, @unchecked Sendable {
    private let reference: WeakReference<SimulatedSessions>
    private var sessions: SimulatedSessions? { reference.object }

    init(_ sessions: SimulatedSessions) {
      reference = WeakReference(sessions)
      super.init()
      maxConcurrentOperationCount = 1
    }

    /// Called by Foundation, and by whoever has something done among the calls of the session.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      if isSuspended || sessions?.willMake(block) != true { super.addOperation(block) }
    }
  }
#endif
