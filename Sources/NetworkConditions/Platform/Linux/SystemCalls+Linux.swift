#if !canImport(Darwin)
  import Foundation

  extension stat {
    var modified: timespec { st_mtim }
  }

  extension sigaction {
    /// Sets a handler that also receives the signal's cause (`SA_SIGINFO`).
    mutating func handle(
      with handler: @escaping @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) {
      #if canImport(Musl)
        __sa_handler.sa_sigaction = handler
      #elseif canImport(Glibc)
        __sigaction_handler.sa_sigaction = handler
      #else
        sa_sigaction = handler
      #endif
    }
  }

  /// Identifies the calling thread, faster than Foundation's `Thread.current`.
  enum CurrentThread {
    /// The thread's number, unique among living threads; never 0.
    static var number: UInt { UInt(pthread_self()) }
  }
#endif
