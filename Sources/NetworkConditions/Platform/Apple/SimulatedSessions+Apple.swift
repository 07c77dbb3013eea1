#if !canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import Synchronization
  import URLLoading

  /// The sessions of one simulation, for which the URL loading system works on threads of its own: knows when they are at
  /// rest.
  ///
  /// Public interfaces say all that is needed of a session that is known, and of no other: its tasks (`getAllTasks`), whether
  /// each has been resumed and has told its client all (`state`, which is `completed` when "the task's delegate receives no
  /// further callbacks"), and the queue on which it tells. A run whose client makes a session of its own is refused; so is one
  /// to which a session comes that was at rest, should the system keep to another order.
  final class SimulatedSessions: Surroundings {
    /// How long the system may take to start a request, or to tell of its end: 2 s.
    private static let patience = DispatchTimeInterval.seconds(2)

    private static let unknownSession = "URLSession(configuration:)"

    private struct Loads: @unchecked Sendable {
      weak var session: URLSession?
      var contexts: [UInt: ClientContext] = [:]
      /// The tasks whose protocols are at work.
      var open: Set<ObjectIdentifier> = []
      /// Counts what the system asks of our protocols.
      var activity = 0
      var refusal: SimulationError?
    }
    private let loads = Mutex(Loads())
    /// Whether they were found at rest, and nothing has happened since that could make them work.
    private let isAtRest = Atomic(false)

    /// Makes a session known, the network's own.
    func know(_ session: URLSession) {
      loads.withLock { $0.session = session }
    }

    package var refusal: SimulationError? { loads.withLock { $0.refusal } }

    package var isCurrentThread: Bool {
      if isAtRest.load(ordering: .acquiring) { return false }
      let queue = OperationQueue.current
      return loads.withLock { loads in
        loads.contexts[CurrentThread.number] != nil || queue != nil && loads.session?.delegateQueue === queue
      }
    }

    /// The system asks whether a request may be simulated, on whatever thread: what is waited for is its task.
    ///
    /// Where all was at rest it is one of a session that nobody knows.
    func willStart(_ timekeeper: any Timekeeper) {
      if isAtRest.load(ordering: .acquiring) { refuse(Self.unknownSession) }
      loads.withLock { $0.activity += 1 }
    }

    func didStart() {}

    func loadDidBegin(_ urlProtocol: URLProtocol) {
      let context = ClientContext(of: urlProtocol)
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

    package func wake() { isAtRest.store(false, ordering: .releasing) }

    /// Waits until the sessions are at rest: each task waits for the network, is suspended, or is over for its client.
    package func settle() -> Int {
      defer { isAtRest.store(true, ordering: .releasing) }
      let deadline = DispatchTime.now() + Self.patience
      while true {
        let (session, contexts, open, before) = loads.withLock {
          ($0.session, Array($0.contexts.values), $0.open, $0.activity)
        }
        for context in contexts { context.drain() }
        guard let session else {
          if !open.isEmpty { refuse(Self.unknownSession) }
          return 0
        }
        let tasks = Self.tasks(of: session)
        session.delegateQueue.waitUntilAllOperationsAreFinished()
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
        if isQuiet {
          // Whatever else is open is of a session that nobody knows.
          let known = Set(tasks.map(ObjectIdentifier.init))
          if !open.isSubset(of: known) { refuse(Self.unknownSession) }
          return 0
        }
        if DispatchTime.now() > deadline {
          refuse("URLSessionTask.resume()")
          return 0
        }
      }
    }

    private func refuse(_ call: String) {
      loads.withLock { loads in
        loads.refusal = loads.refusal ?? .notCaptured(call: call, place: nil, remedy: SimulationError.captureIt)
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

  extension SimulationError {
    /// What to do where a client waits or works on its own.
    static let captureIt = """
      On Apple platforms a simulation waits for network.session and for no other: take that, or the network's data(for:), \
      and let the client wait on the network's clock and in child tasks.
      """
  }
#endif
