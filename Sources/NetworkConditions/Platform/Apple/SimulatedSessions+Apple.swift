#if !canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading
  import struct Synchronization.Atomic

  /// The sessions of one simulation; detects when the URL loading system's threads have no more work for them.
  ///
  /// Public interfaces reveal enough about a known session: its tasks (`getAllTasks`), each task's `state`, and its
  /// delegate queue. (`completed` means that "the task's delegate receives no further callbacks".) They reveal nothing
  /// about other sessions. So a run whose client makes its own session is refused, and also a run in which an idle
  /// session starts a request.
  final class SimulatedSessions: ClientThreads {
    /// How long the system may take to start a request, or to report its end.
    private let patience: Duration
    /// How long the thread that runs protocols may be busy; it may serve all sessions of the process.
    private var threadPatience: Duration { patience * 6 }
    /// How long an idle session may take to list its tasks; an invalidated session may never answer.
    private static let listing = Duration.seconds(2)
    private static let unknownSession = "URLSession(configuration:)"

    private struct Loads: @unchecked Sendable {
      var sessions: [Known] = []
      var contexts: [UInt: ClientContext] = [:]
      /// The tasks whose protocols are loading.
      var open: Set<TaskKey> = []
      /// The tasks that were loading when the sessions were last idle.
      var settled: Set<TaskKey> = []
      /// Counts the URL loading system's calls to the protocols; an unchanged count shows that it is idle.
      var activity = 0
      var refusal: SimulationError?
      weak var driver: SimulationDriver?
    }
    private struct Known {
      weak var session: URLSession?
      let slot: ObjectIdentifier
      let hasDelegate: Bool

      /// Whether the session has told its delegate of its end: it then releases the delegate.
      var hasEnded: Bool { hasDelegate && session?.delegate == nil }
    }
    /// Identifies a task by its protocol class and number, because a protocol may see a copy of the task.
    private struct TaskKey: Hashable {
      let slot: ObjectIdentifier
      let number: Int
    }
    private let loads = Mutex(Loads())
    /// Whether the sessions were found idle, and nothing since could give them work.
    private let isAtRest = Atomic(false)

    init(patience: Duration = .seconds(10)) { self.patience = patience }

    /// Sets the run that these sessions serve; waiting for them counts as that run's progress.
    func serve(_ driver: SimulationDriver) { loads.withLock { $0.driver = driver } }
    func delegateQueue() -> OperationQueue? { nil }

    /// Adds a session to wait for; `slot` is its protocols' class if the configuration does not contain it.
    func know(_ session: URLSession, servedBy slot: AnyClass? = nil) {
      guard let slot = slot ?? session.configuration.protocolClasses?.first(where: { $0 is SimulatedURLProtocol.Type })
      else { return }
      loads.withLock { loads in
        loads.sessions.removeAll { $0.session == nil }
        loads.sessions.append(
          Known(session: session, slot: ObjectIdentifier(slot), hasDelegate: session.delegate != nil))
      }
    }

    func forget(_ session: URLSession) {
      loads.withLock { loads in loads.sessions.removeAll { $0.session === session } }
    }

    /// Refuses the run, because the client asks for a configuration: a session made from it would be unknown to the
    /// run.
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

    /// Counts a call of the system that asks whether to simulate a request; such calls come at any time, on any thread.
    func willStart(_ driver: SimulationDriver?) { loads.withLock { $0.activity += 1 } }

    func didStart() {}
    func didStop() {}

    /// Notes the start of a request; if the sessions were idle, it belongs to an unknown session.
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

    /// Runs `work` in a client's context and waits for it, but not if the run is refused already.
    func perform(in context: ClientContext?, _ work: @escaping @Sendable () -> Void) {
      let time = refusal == nil ? threadPatience : .zero
      if context?.performAndWait(within: time, work) == false { refuseBlockedThread() }
    }

    private func refuseBlockedThread() {
      refuse(
        "The thread on which the system runs protocols was blocked for \(threadPatience)",
        remedy: "A protocol in this process is waiting there: let it return.")
    }

    /// Waits until the sessions are idle, in the middle of a step of the simulation.
    func settleMeanwhile() {
      _ = settle()
      wake()
    }

    /// Waits until the sessions are idle: each task waits for the network, is suspended, or has reported its end to its client.
    func settle() -> Int {
      guard refusal == nil else { return 0 }
      if let driver = loads.withLock({ $0.driver }) { driver.whileBusy(waitForRest) } else { waitForRest() }
      isAtRest.store(true, ordering: .releasing)
      return 0
    }

    /// Waits until the sessions are idle in two checks in a row, because a client may make tasks in a callback.
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
          guard let found = self.tasks(of: session, known) else {
            return refuse("A delegate queue that accepts no work")
          }
          for task in found { tasks[TaskKey(slot: known.slot, number: task.taskIdentifier)] = task }
        }
        // A task may have reported its end to its client before its protocol is stopped.
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
          // All other open tasks belong to unknown sessions.
          if !open.isSubset(of: keys) { refuse(Self.unknownSession) }
          // Each session starts its requests on its own thread.
          let fresh = loads.withLock { loads in
            defer { loads.settled = open }
            return open.subtracting(loads.settled)
          }
          let busy = Set(fresh.intersection(keys).map(\.slot)).count
          if busy > 1 { refuse("Requests of \(busy) sessions at the same instant, in random order") }
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

    /// The tasks of a session, after its pending calls to the client; `nil` if its delegate queue is blocked.
    ///
    /// A session's queue should be serial, so that a later operation waits for the earlier ones. In other queues a
    /// barrier waits.
    private func tasks(of session: URLSession, _ known: Known) -> [URLSessionTask]? {
      let result = Mutex<[URLSessionTask]>([])
      let (isListed, isIdle) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      session.getAllTasks { tasks in
        result.withLock { $0 = tasks }
        isListed.signal()
      }
      let isPrompt = Self.wait(for: isListed, within: Self.listing) { known.hasEnded }
      if session.delegateQueue.maxConcurrentOperationCount == 1 {
        session.delegateQueue.addOperation { isIdle.signal() }
      } else {
        session.delegateQueue.addBarrierBlock { isIdle.signal() }
      }
      guard Self.wait(for: isIdle, within: patience) else { return nil }
      if !isPrompt, !Self.wait(for: isListed, within: .zero) { forget(session) }
      return result.withLock { $0 }
    }

    static func wait(
      for semaphore: DispatchSemaphore, within time: Duration, unless isVain: () -> Bool = { false }
    ) -> Bool {
      var grace = QueueGrace(from: DispatchTime.uptime, for: time)
      while semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
        if isVain() || grace.isOver(at: DispatchTime.uptime) { return false }
      }
      return true
    }
  }
#endif
