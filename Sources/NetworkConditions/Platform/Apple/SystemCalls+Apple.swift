#if canImport(Darwin)
  import Darwin

  extension stat {
    var modified: timespec { st_mtimespec }
  }

  extension sigaction {
    mutating func handle(
      with handler: @escaping @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) {
      __sigaction_u.__sa_sigaction = handler
    }
  }

  enum CurrentThread {
    static var number: UInt { UInt(bitPattern: pthread_self()) }
  }
#endif
