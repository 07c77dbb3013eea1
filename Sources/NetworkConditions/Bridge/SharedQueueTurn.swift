#if canImport(FoundationNetworking)
  import Synchronization

  /// Loaders whose output waits for a turn on the one queue that all sessions of a process share on Linux.
  ///
  /// The work queues of all tasks end in one serial queue, and a session that receives at full speed keeps it: whoever asks
  /// for a turn of its own may wait for a hundred milliseconds, while tens of megabytes pile up. But whatever runs for one
  /// session on that queue keeps all others off it: so the session of ``URLSessionTransport``, each time it hands over a
  /// piece there, lets those who wait have their turn in its own. Who had none that way has asked for one as usual.
  enum SharedQueueTurn {
    /// Whether any session lends its turns.
    private static let isLent = Atomic<Bool>(false)
    private static let waiting = Mutex<[ProtocolLoader]>([])

    /// From now on, turns are lent.
    static func lend() {
      isLent.store(true, ordering: .relaxed)
    }

    /// A loader has output, and would take a turn that is lent.
    static func wait(_ loader: ProtocolLoader) {
      guard isLent.load(ordering: .relaxed) else { return }
      waiting.withLock { $0.append(loader) }
    }

    /// Lets those who wait have their turn; only to be called where the shared queue is held.
    static func give() {
      let loaders = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for loader in loaders where !loader.drainInTurn() { wait(loader) }
    }
  }
#endif
