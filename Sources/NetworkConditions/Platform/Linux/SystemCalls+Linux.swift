#if !canImport(Darwin)
  import Foundation

  extension stat {
    /// When the file was written last.
    var modified: timespec { st_mtim }
  }

  extension sigaction {
    /// Sets a handler that also gets the cause of the signal (`SA_SIGINFO`).
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

  /// Tells threads apart, faster than Foundation's `Thread.current` does.
  enum CurrentThread {
    /// A number that no other thread has at the same time; never 0.
    static var number: UInt { UInt(pthread_self()) }
  }
#endif
