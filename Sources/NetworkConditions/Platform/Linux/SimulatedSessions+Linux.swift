#if canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading

  /// The sessions of one simulation, which Foundation works for on queues of its own: knows when they are at rest.
  final class SimulatedSessions: Surroundings {
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
    }
    private let queues = Mutex(Queues())
    /// Requests that a session has taken in and not started yet.
    private let starting = ConditionLock(0)

    init() {
      CancellableTask.cancelHere { SimulationDriver.isDriving }
    }

    /// Each session shows itself here by its tasks.
    func know(_ session: URLSession) {}
    func forget(_ session: URLSession) {}
    func handOutConfiguration() {}

    package var isCurrentThread: Bool {
      ClientContext.isMarked || isClientThread
    }

    package var isClientThread: Bool {
      guard let queue = OperationQueue.current else { return false }
      return queues.withLock { $0.delegates[ObjectIdentifier(queue)] != nil }
    }

    /// A session asks whether a request may be simulated: it will start it, on a queue of its own.
    func willStart(_ timekeeper: any Timekeeper) {
      timekeeper.notice("A request of a session was resumed")
      queues.withLock { $0.activity += 1 }
      starting.withLock { $0 += 1 }
    }

    /// A session has started a request, or never will.
    func didStart() {
      queues.withLock { $0.activity += 1 }
      starting.withLock(signalling: true) { $0 = max(0, $0 - 1) }
    }

    /// A request is under way: its client is called in its context, and its delegate on a queue of its session's.
    func loadDidBegin(_ urlProtocol: URLProtocol) {
      let context = ClientContext(of: urlProtocol)
      let delegates = ClientContext.delegateQueue(of: urlProtocol)
      context?.mark()
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

    /// Waits until Foundation is at rest.
    ///
    /// Its work goes from queue to queue a few times: tasks start, stop and end on the queue that all sessions share,
    /// and delegates and completion handlers are called on queues of their sessions.
    package func settle() -> Int {
      guard queues.withLock({ $0.activity > 0 }) else { return 0 }
      // The client may ask for something that makes this necessary.
      return outside(waitForRest)
    }

    package func outside<Result>(_ body: () -> Result) -> Result { RealTimeWatch.run(inTask: false, body) }

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
          for queue in delegates where queue.operationCount > 0 { queue.waitUntilAllOperationsAreFinished() }
        }
        let isQuiet = queues.withLock { queues in
          guard queues.activity == before else { return false }
          if queues.openLoads == 0 { (queues.activity, queues.hasStopped) = (0, false) }
          return true
        }
        if isQuiet { return 0 }
      }
    }

    private func waitForStarts() {
      guard starting.withLock({ $0 > 0 }) else { return }
      var grace = QueueGrace(from: DispatchTime.now().uptimeNanoseconds, for: Self.startPatience)
      while starting.withLock({ $0 > 0 }) {
        if grace.isOver(at: DispatchTime.now().uptimeNanoseconds) { return starting.withLock { $0 = 0 } }
        starting.wait(for: 0.1) { $0 == 0 }
      }
    }
  }

  extension SimulationError {
    /// The remedy that errors name for a client that waits or works where the simulation does not see it.
    static let captureIt = """
      Have the client captured (import ClientCapture, capturing: .everything), or let it wait on the network's clock and \
      in child tasks.
      """
  }
#endif
