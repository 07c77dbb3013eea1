#if canImport(Darwin)
  import Darwin

  extension stat {
    /// When the file was written last.
    var modified: timespec { st_mtimespec }
  }

  extension sigaction {
    /// Sets a handler that also gets the cause of the signal (`SA_SIGINFO`).
    mutating func handle(
      with handler: @escaping @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) {
      __sigaction_u.__sa_sigaction = handler
    }
  }

  /// Tells threads apart, faster than Foundation's `Thread.current` does.
  enum CurrentThread {
    /// A number that no other thread has at the same time; never 0.
    static var number: UInt { UInt(bitPattern: pthread_self()) }
  }
#endif
