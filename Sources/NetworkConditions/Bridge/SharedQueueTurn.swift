#if canImport(FoundationNetworking)
  import Dispatch
  import FoundationNetworking
  import Synchronization

  /// Loaders whose output waits for a turn on the one queue that all sessions of a process share on Linux.
  ///
  /// The work queues of all tasks end in one serial queue, and a session that receives at full speed keeps it: whoever asks
  /// for a turn of its own may wait for a hundred milliseconds, while tens of megabytes pile up. But whatever runs for one
  /// session on that queue keeps all others off it: so the session of ``URLSessionTransport``, each time it hands over a
  /// piece there, lets those who wait have their turn in its own. Who had none that way has asked for one as usual.
  enum SharedQueueTurn {
    /// Marks the work queues of the sessions that lend their turns: a session also hands over from elsewhere, such as at
    /// the end of an authentication, and there nobody else is kept off.
    private static let isLender = DispatchSpecificKey<Bool>()
    private static let hasLender = Atomic<Bool>(false)
    private static let waiting = Mutex<[ObjectIdentifier: ProtocolLoader]>([:])

    /// From now on, a session lends its turns.
    static func lend(by session: URLSession) {
      guard let queue = FoundationInternals.workQueue(of: session) else { return }
      queue.setSpecific(key: isLender, value: true)
      hasLender.store(true, ordering: .relaxed)
    }

    /// A loader has output, and would take a turn that is lent.
    static func wait(_ loader: ProtocolLoader) {
      guard hasLender.load(ordering: .relaxed) else { return }
      waiting.withLock { $0[ObjectIdentifier(loader)] = loader }
    }

    /// A loader has had its turn, of whatever kind.
    static func leave(_ loader: ProtocolLoader) {
      guard hasLender.load(ordering: .relaxed) else { return }
      _ = waiting.withLock { $0.removeValue(forKey: ObjectIdentifier(loader)) }
    }

    /// Lets those who wait have their turn, when the shared queue is held by a session that lends its own.
    static func give() {
      guard DispatchQueue.getSpecific(key: isLender) == true else { return }
      for loader in waiting.withLock({ $0 }).values { loader.drainInTurn() }
    }
  }
#endif
