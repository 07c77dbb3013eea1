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
    /// How long the system may take to start a request, or to tell of its end.
    private let patience: Duration
    /// How long the thread of protocols may be busy: one thread may serve all sessions of the process.
    private var threadPatience: Duration { patience * 6 }
    /// How long a session may take to list its tasks while its queue is idle: an invalidated one may never answer.
    private static let listing = Duration.seconds(2)
    private static let unknownSession = "URLSession(configuration:)"

    private struct Loads: @unchecked Sendable {
      var sessions: [Known] = []
      var contexts: [UInt: ClientContext] = [:]
      /// The tasks whose protocols are at work.
      var open: Set<TaskKey> = []
      /// Those that were at work when all was last at rest.
      var settled: Set<TaskKey> = []
      /// Counts what the system asks of our protocols.
      var activity = 0
      var refusal: SimulationError?
      weak var driver: SimulationDriver?
    }
    private struct Known {
      weak var session: URLSession?
      let slot: ObjectIdentifier
    }
    /// A task by its protocol class and its number, since the object that a protocol sees may be a copy.
    private struct TaskKey: Hashable {
      let slot: ObjectIdentifier
      let number: Int
    }
    private let loads = Mutex(Loads())
    /// Whether they were found at rest, and nothing has happened since that could make them work.
    private let isAtRest = Atomic(false)

    init(patience: Duration = .seconds(10)) { self.patience = patience }

    /// Serves a run, whose progress is noted while sessions are waited for.
    ///
    /// They call the client on their own queues.
    func serve(_ driver: SimulationDriver) { loads.withLock { $0.driver = driver } }
    func delegateQueue() -> OperationQueue? { nil }

    /// Makes a session of the network's known.
    ///
    /// - Parameter slot: the class of its protocols, where its configuration does not have it.
    func know(_ session: URLSession, servedBy slot: AnyClass? = nil) {
      guard let slot = slot ?? session.configuration.protocolClasses?.first(where: { $0 is SimulatedURLProtocol.Type })
      else { return }
      loads.withLock { loads in
        loads.sessions.removeAll { $0.session == nil }
        loads.sessions.append(Known(session: session, slot: ObjectIdentifier(slot)))
      }
    }

    /// Waits for a session no longer.
    func forget(_ session: URLSession) {
      loads.withLock { loads in loads.sessions.removeAll { $0.session === session } }
    }

    /// A session is about to be made that the simulation does not know, so its requests may come after the run.
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

    /// The system asks whether a request may be simulated, as often as it likes and on whatever thread.
    func willStart(_ timeSource: any TimeSource) { loads.withLock { $0.activity += 1 } }

    func didStart() {}
    func didStop() {}

    /// A request begins; where all was at rest it is one of a session that nobody knows.
    func loadDidBegin(_ urlProtocol: URLProtocol, in context: ClientContext?) {
      if isAtRest.load(ordering: .acquiring) { refuse(Self.unknownSession) }
      let number = CurrentThread.number
      loads.withLock { loads in
        loads.activity += 1
        loads.contexts[number] = loads.contexts[number] ?? context
        if let key = Self.key(of: urlProtocol) { loads.open.insert(key) }
      }
    }

    func loadDidEnd(_ urlProtocol: URLProtocol) {
      loads.withLock { loads in
        loads.activity += 1
        if let key = Self.key(of: urlProtocol) { loads.open.remove(key) }
      }
    }

    func wake() { isAtRest.store(false, ordering: .releasing) }

    /// Runs `work` where a protocol's client may be called, and waits for it, unless the run is refused already.
    func perform(in context: ClientContext?, _ work: @escaping @Sendable () -> Void) {
      let time = refusal == nil ? threadPatience : .zero
      if context?.performAndWait(within: time, work) == false { refuseBlockedThread() }
    }

    private func refuseBlockedThread() {
      refuse(
        "The thread on which the system runs protocols was blocked for \(threadPatience)",
        remedy: "Some protocol of this process waits there: let it return.")
    }

    /// Waits in the middle of something, which goes on afterwards.
    func settleMeanwhile() {
      _ = settle()
      wake()
    }

    /// Waits until the sessions are at rest: each task waits for the network, is suspended, or is over for its client.
    func settle() -> Int {
      guard refusal == nil else { return 0 }
      if let driver = loads.withLock({ $0.driver }) { driver.whileBusy(waitForRest) } else { waitForRest() }
      isAtRest.store(true, ordering: .releasing)
      return 0
    }

    /// They have to be found at rest twice, since a client that is told of something may make tasks.
    private func waitForRest() {
      var grace = QueueGrace(from: DispatchTime.uptime, for: patience)
      var seen: (tasks: Set<TaskKey>, activity: Int)?
      while true {
        let (sessions, contexts, open, before) = loads.withLock { loads in
          (loads.sessions, Array(loads.contexts.values), loads.open, loads.activity)
        }
        for context in contexts where !context.drain(within: threadPatience) { return refuseBlockedThread() }
        var tasks: [TaskKey: URLSessionTask] = [:]
        for known in sessions {
          guard let session = known.session else { continue }
          guard let found = self.tasks(of: session) else { return refuse("A delegate queue that takes no work") }
          for task in found { tasks[TaskKey(slot: known.slot, number: task.taskIdentifier)] = task }
        }
        // A task may be over for its client before its protocol is stopped.
        let slots = Set(sessions.map(\.slot))
        let isStopping = open.contains { slots.contains($0.slot) && tasks[$0] == nil }
        let areWaiting = tasks.allSatisfy { key, task in
          switch task.state {
          case .running: open.contains(key)
          case .canceling: false
          default: true
          }
        }
        let isQuiet = areWaiting && !isStopping && loads.withLock { $0.activity } == before
        let keys = Set(tasks.keys)
        if isQuiet, let seen, seen == (keys, before) {
          // Whatever else is open is of a session that nobody knows.
          if !open.isSubset(of: keys) { refuse(Self.unknownSession) }
          // Each session asks on a thread of its own.
          let fresh = loads.withLock { loads in
            defer { loads.settled = open }
            return open.subtracting(loads.settled)
          }
          let busy = Set(fresh.intersection(keys).map(\.slot)).count
          if busy > 1 { refuse("Requests of \(busy) sessions at one instant, whose order is chance") }
          return
        }
        seen = isQuiet ? (keys, before) : nil
        if grace.isOver(at: DispatchTime.uptime) { return refuse("URLSessionTask.resume()") }
      }
    }

    private static func key(of urlProtocol: URLProtocol) -> TaskKey? {
      urlProtocol.task.map { TaskKey(slot: ObjectIdentifier(type(of: urlProtocol)), number: $0.taskIdentifier) }
    }

    private func refuse(_ call: String, remedy: String = CaptureMode.everything.remedy) {
      loads.withLock { $0.refusal = $0.refusal ?? .notCaptured(call: call, place: nil, remedy: remedy) }
    }

    /// The tasks of a session, once its client was told all that it was to be told; `nil` while its queue takes no work.
    ///
    /// A serial queue, as a session's should be, does one thing after another. In others a barrier waits for all.
    private func tasks(of session: URLSession) -> [URLSessionTask]? {
      let result = Mutex<[URLSessionTask]>([])
      let (isListed, isIdle) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      session.getAllTasks { tasks in
        result.withLock { $0 = tasks }
        isListed.signal()
      }
      let isPrompt = Self.wait(for: isListed, within: Self.listing)
      if session.delegateQueue.maxConcurrentOperationCount == 1 {
        session.delegateQueue.addOperation { isIdle.signal() }
      } else {
        session.delegateQueue.addBarrierBlock { isIdle.signal() }
      }
      guard Self.wait(for: isIdle, within: patience) else { return nil }
      if !isPrompt, !Self.wait(for: isListed, within: .zero) { forget(session) }
      return result.withLock { $0 }
    }

    static func wait(for semaphore: DispatchSemaphore, within time: Duration) -> Bool {
      var grace = QueueGrace(from: DispatchTime.uptime, for: time)
      while semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
        if grace.isOver(at: DispatchTime.uptime) { return false }
      }
      return true
    }
  }
#endif
