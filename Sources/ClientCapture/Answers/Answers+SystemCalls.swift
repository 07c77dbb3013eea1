#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    /// The calls of clients that go past the C library's functions.
    static func addSystemCalls(to answers: inout interposition_functions) {
      answers.syscall = { number, a, b, c, d, e, f in
        guard let thread = ClientThread.current else { return interposition_real.syscall(number, a, b, c, d, e, f) }
        // The functions of the same names are answered here as well.
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
          Answers.awaitFutex(a, operation: b, value: c, on: thread)
        default: break
        }
        return interposition_real.syscall(number, a, b, c, d, e, f)
      }
    }

    private static func awaitFutex(_ address: Int, operation: Int, value: Int, on thread: ClientThread) {
      guard let word = UnsafeMutablePointer<UInt32>(bitPattern: address) else { return }
      switch operation & 0x7F {
      case Int(interposition_futex_lock):  // by which the standard library's Mutex waits
        thread.atWork { scheduler in
          let owner = Int32(bitPattern: word.pointee & 0x3FFF_FFFF)
          guard scheduler.hasThread(owner) else { return }
          _ = scheduler.wait("Mutex.withLock") { word.pointee & 0x3FFF_FFFF == 0 }
        }
      case Int(interposition_futex_wait), Int(interposition_futex_wait_bitset):
        thread.atWork { scheduler in
          let expected = UInt32(truncatingIfNeeded: value)
          _ = scheduler.wait("futex") { word.pointee != expected }
        }
      default: break
      }
    }
  }
#endif
