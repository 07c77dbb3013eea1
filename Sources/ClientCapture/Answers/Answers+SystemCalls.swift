#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    /// Answers system calls that clients make directly, without the C library's functions.
    static func addSystemCalls(to answers: inout interposition_functions) {
      answers.syscall = { number, a, b, c, d, e, f in
        guard let thread = ClientThread.current else { return interposition_real.syscall(number, a, b, c, d, e, f) }
        // The functions called here are themselves intercepted, and so answered by the simulation.
        switch number {
        case Int(interposition_getrandom):
          thread.fill(UnsafeMutableRawPointer(bitPattern: a), b)
          return b
        case Int(interposition_clock_gettime):
          guard let time = UnsafeMutablePointer<timespec>(bitPattern: b) else { break }
          return Int(clock_gettime(clockid_t(truncatingIfNeeded: a), time))
        case Int(interposition_gettimeofday):
          guard let time = UnsafeMutablePointer<timeval>(bitPattern: a) else { break }
          return Int(gettimeofday(time, nil))
        case Int(interposition_nanosleep):
          return Int(nanosleep(UnsafePointer(bitPattern: a), nil))
        case Int(interposition_clock_nanosleep):
          return Int(
            clock_nanosleep(
              clockid_t(truncatingIfNeeded: a), Int32(truncatingIfNeeded: b), UnsafePointer(bitPattern: c), nil))
        case Int(interposition_sched_yield):
          return Int(sched_yield())
        case Int(interposition_ppoll), Int(interposition_pselect), Int(interposition_epoll_pwait):
          thread.atWork { $0.refuse("A wait by syscall()") }
        case Int(interposition_futex):
          if Answers.awaitFutex(a, operation: b, value: c, timeout: d, on: thread) == .expired {
            errno = ETIMEDOUT
            return -1
          }
        default: break
        }
        return interposition_real.syscall(number, a, b, c, d, e, f)
      }
    }

    /// The value of a C++ guard word while one thread initializes and another waits (`guard.cc` of libstdc++).
    private static let guardAwaited: UInt32 = 0x10100

    /// How often to poll a C++ guard word, every 50 microseconds of real time.
    ///
    /// The initializing thread is outside of the simulation, unless the client has stopped within the initializer.
    private static let looksAtAnyGuard = 20_000

    private static func awaitFutex(
      _ address: Int, operation: Int, value: Int, timeout: Int, on thread: ClientThread
    ) -> ClientScheduler.Outcome? {
      guard let word = UnsafeMutablePointer<UInt32>(bitPattern: address) else { return nil }
      let command = operation & 0x7F
      switch command {
      case Int(interposition_futex_lock):  // by which the standard library's Mutex waits
        // If the owner is outside of the simulation, the system call waits for it.
        return thread.atWork { scheduler in
          scheduler.waitForLock("Mutex.withLock") { Int32(bitPattern: word.pointee & 0x3FFF_FFFF) }
        }
      case Int(interposition_futex_wait), Int(interposition_futex_wait_bitset):
        let expected = UInt32(truncatingIfNeeded: value)
        return thread.atWork { scheduler in
          let end = UnsafePointer<timespec>(bitPattern: timeout).map { time in
            // FUTEX_WAIT has a relative timeout, FUTEX_WAIT_BITSET an absolute one.
            command == Int(interposition_futex_wait)
              ? scheduler.now + ClientTime.nanoseconds(time.pointee) : scheduler.instant(time.pointee)
          }
          if expected == guardAwaited {
            for _ in 0..<looksAtAnyGuard where word.pointee == expected { _ = interposition_real.usleep(50) }
          }
          return scheduler.wait("futex", until: end) { word.pointee != expected }
        }
      default: return nil
      }
    }
  }
#endif
