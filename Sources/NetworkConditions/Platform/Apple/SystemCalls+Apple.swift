#if canImport(Darwin)
  import Darwin

  extension stat {
    var modified: timespec { st_mtimespec }
  }

  extension sigaction {
    /// Sets a handler that also receives the signal's cause (`SA_SIGINFO`).
    mutating func handle(
      with handler: @escaping @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) {
      __sigaction_u.__sa_sigaction = handler
    }
  }

  /// Identifies the calling thread, faster than Foundation's `Thread.current`.
  enum CurrentThread {
    /// The thread's number, unique among living threads; never 0.
    static var number: UInt { UInt(bitPattern: pthread_self()) }
  }
#endif
