#if !canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading
  import struct Synchronization.Atomic

  /// The sessions of one simulation, for which the URL loading system works on threads of its own: knows when they are at
  /// rest.
  ///
  /// Public interfaces say all that is needed of a session that is known, and of no other: its tasks (`getAllTasks`), whether
  /// each has been resumed and has told its client all (`state`, which is `completed` when "the task's delegate receives no
  /// further callbacks"), and the queue on which it tells. A run whose client makes a session of its own is refused; so is one
  /// to which a session comes that was at rest, should the system keep to another order.
  final class SimulatedSessions: ClientThreads {
    /// How long the system may take to start a request, or to tell of its end: 10 s.
    ///
    /// One thread may serve the protocols of a whole process, where those of others come first.
    private static let patience = Duration.seconds(10)

    private static let unknownSession = "URLSession(configuration:)"

    private struct Loads: @unchecked Sendable {
      var sessions: [Known] = []
      var contexts: [UInt: ClientContext] = [:]
      /// The tasks whose protocols are at work.
      var open: Set<ObjectIdentifier> = []
      /// Those that were at work when all was last at rest.
      var settled: Set<ObjectIdentifier> = []
      /// Counts what the system asks of our protocols.
      var activity = 0
      var refusal: SimulationError?
    }
    private struct Known {
      weak var session: URLSession?
    }
    private let loads = Mutex(Loads())
    /// Whether they were found at rest, and nothing has happened since that could make them work.
    private let isAtRest = Atomic(false)

    /// Nothing: here a session calls its client on its own queue.
    func makeCalls(by driver: SimulationDriver) {}
    func delegateQueue() -> OperationQueue? { nil }

    /// Makes a session of the network's known.
    func know(_ session: URLSession) {
      loads.withLock { loads in
        loads.sessions.removeAll { $0.session == nil }
        loads.sessions.append(Known(session: session))
      }
    }

    /// Waits for a session no longer.
    func forget(_ session: URLSession) {
      loads.withLock { loads in loads.sessions.removeAll { $0.session === session } }
    }

    /// Somebody is about to make a session that nobody will know, and whose requests may come when the run is over.
    func handOutConfiguration() { refuse(Self.unknownSession) }

    var refusal: SimulationError? { loads.withLock { $0.refusal } }

    var isCurrentThread: Bool {
      if isAtRest.load(ordering: .acquiring) { return false }
      let queue = OperationQueue.current
      return loads.withLock { loads in
        loads.contexts[CurrentThread.number] != nil
          || queue != nil && loads.sessions.contains { $0.session?.delegateQueue === queue }
      }
    }

    /// The system asks whether a request may be simulated, on whatever thread: what is waited for is its task.
    ///
    /// Where all was at rest it is one of a session that nobody knows.
    func willStart(_ timeSource: any TimeSource) {
      if isAtRest.load(ordering: .acquiring) { refuse(Self.unknownSession) }
      loads.withLock { $0.activity += 1 }
    }

    func didStart() {}

    func loadDidBegin(_ urlProtocol: URLProtocol, in context: ClientContext?) {
      let number = CurrentThread.number
      loads.withLock { loads in
        loads.activity += 1
        loads.contexts[number] = loads.contexts[number] ?? context
        if let task = urlProtocol.task { loads.open.insert(ObjectIdentifier(task)) }
      }
    }

    func didStop() {}

    func loadDidEnd(_ urlProtocol: URLProtocol) {
      loads.withLock { loads in
        loads.activity += 1
        if let task = urlProtocol.task { loads.open.remove(ObjectIdentifier(task)) }
      }
    }

    func wake() { isAtRest.store(false, ordering: .releasing) }

    /// Waits in the middle of something, which goes on afterwards.
    func settleMeanwhile() {
      _ = settle()
      wake()
    }

    /// Waits until the sessions are at rest: each task waits for the network, is suspended, or is over for its client.
    ///
    /// They have to be found so twice, since a client that is told of something may make tasks.
    func settle() -> Int {
      defer { isAtRest.store(true, ordering: .releasing) }
      var grace = QueueGrace(from: DispatchTime.uptime, for: Self.patience)
      var seen: (tasks: [URLSessionTask], activity: Int)?
      while true {
        let (sessions, contexts, open, before) = loads.withLock { loads in
          (loads.sessions.compactMap(\.session), Array(loads.contexts.values), loads.open, loads.activity)
        }
        for context in contexts { context.drain() }
        let tasksOfSessions = sessions.map(Self.tasks)
        let tasks = tasksOfSessions.flatMap { $0 }
        for session in sessions { session.delegateQueue.waitUntilAllOperationsAreFinished() }
        let isQuiet = loads.withLock { loads in
          loads.activity == before
            && tasks.allSatisfy { task in
              switch task.state {
              case .running: loads.open.contains(ObjectIdentifier(task))
              case .canceling: false
              default: true
              }
            }
        }
        if isQuiet, let seen, seen == (tasks, before) {
          // Whatever else is open is of a session that nobody knows.
          let known = Set(tasks.map(ObjectIdentifier.init))
          if !open.isSubset(of: known) { refuse(Self.unknownSession) }
          // Each session asks on a thread of its own.
          let fresh = loads.withLock { loads in
            defer { loads.settled = open }
            return open.subtracting(loads.settled)
          }
          let busy = tasksOfSessions.count { tasks in tasks.contains { fresh.contains(ObjectIdentifier($0)) } }
          if busy > 1 { refuse("Requests of \(busy) sessions at one instant, whose order is chance") }
          return 0
        }
        seen = isQuiet ? (tasks, before) : nil
        if grace.isOver(at: DispatchTime.uptime) {
          refuse("URLSessionTask.resume()")
          return 0
        }
      }
    }

    private func refuse(_ call: String) {
      loads.withLock { loads in
        loads.refusal =
          loads.refusal ?? .notCaptured(call: call, place: nil, remedy: CaptureMode.everything.remedy)
      }
    }

    private static func tasks(of session: URLSession) -> [URLSessionTask] {
      let result = Mutex<[URLSessionTask]>([])
      let isDone = DispatchSemaphore(value: 0)
      session.getAllTasks { tasks in
        result.withLock { $0 = tasks }
        isDone.signal()
      }
      isDone.wait()
      return result.withLock { $0 }
    }
  }
#endif
