#if os(Linux)
  import Glibc
  import Interposition
  import Synchronization

  extension Answers {
    static func addLocks(to answers: inout interposition_functions) {
      // Only asked when somebody has the lock.
      answers.pthread_mutex_lock = { mutex in
        guard let mutex, let thread = ClientThread.current else { return interposition_real.pthread_mutex_lock(mutex) }
        thread.atWork { Answers.awaitFree(mutex, in: $0) }
        return interposition_real.pthread_mutex_lock(mutex)
      }
      answers.pthread_mutex_timedlock = { mutex, time in
        guard let mutex, let time, let thread = ClientThread.current else {
          return interposition_real.pthread_mutex_timedlock(mutex, time)
        }
        let deadline = ClientTime.instant(time.pointee)
        let outcome = thread.atWork { world in
          world.wait("pthread_mutex_timedlock", until: deadline) { interposition_owner_of(mutex) == 0 }
        }
        return outcome == .expired ? ETIMEDOUT : interposition_real.pthread_mutex_lock(mutex)
      }
      answers.pthread_rwlock_rdlock = { lock in
        Answers.retry { lock.map { pthread_rwlock_tryrdlock($0) } ?? EINVAL }
          ?? interposition_real.pthread_rwlock_rdlock(lock)
      }
      answers.pthread_rwlock_wrlock = { lock in
        Answers.retry { lock.map { pthread_rwlock_trywrlock($0) } ?? EINVAL }
          ?? interposition_real.pthread_rwlock_wrlock(lock)
      }
      answers.pthread_cond_wait = { condition, mutex in
        Answers.wait("pthread_cond_wait", condition, mutex, until: nil)
          ?? interposition_real.pthread_cond_wait(condition, mutex)
      }
      answers.pthread_cond_timedwait = { condition, mutex, time in
        Answers.wait("pthread_cond_timedwait", condition, mutex, until: time)
          ?? interposition_real.pthread_cond_timedwait(condition, mutex, time)
      }
      answers.pthread_cond_clockwait = { condition, mutex, clock, time in
        Answers.wait("pthread_cond_clockwait", condition, mutex, until: time)
          ?? interposition_real.pthread_cond_clockwait(condition, mutex, clock, time)
      }
      answers.pthread_cond_signal = { condition in
        guard let condition, ClientConditions.signal(condition, all: false) else {
          return interposition_real.pthread_cond_signal(condition)
        }
        return 0
      }
      answers.pthread_cond_broadcast = { condition in
        if let condition { _ = ClientConditions.signal(condition, all: true) }
        return interposition_real.pthread_cond_broadcast(condition)
      }
      answers.sem_wait = { semaphore in
        Answers.take("sem_wait", semaphore, until: nil) ?? interposition_real.sem_wait(semaphore)
      }
      answers.sem_timedwait = { semaphore, time in
        Answers.take("sem_timedwait", semaphore, until: time) ?? interposition_real.sem_timedwait(semaphore, time)
      }
      answers.syscall = { number, a, b, c, d, e, f in
        guard number == interposition_futex || number == interposition_getrandom, let thread = ClientThread.current
        else {
          return interposition_real.syscall(number, a, b, c, d, e, f)
        }
        if number == interposition_getrandom {
          thread.fill(UnsafeMutableRawPointer(bitPattern: a), b)
          return b
        }
        guard let word = UnsafeMutablePointer<UInt32>(bitPattern: a) else { return -1 }
        switch b & 0x7F {
        case interposition_futex_lock:  // by which the standard library's Mutex waits
          thread.atWork { world in
            let owner = Int32(bitPattern: word.pointee & 0x3FFF_FFFF)
            guard world.hasThread(owner) else { return }
            _ = world.wait("Mutex.withLock") { word.pointee & 0x3FFF_FFFF == 0 }
          }
        case interposition_futex_wait, interposition_futex_wait_bitset:
          thread.atWork { world in
            let expected = UInt32(truncatingIfNeeded: c)
            _ = world.wait("futex") { word.pointee != expected }
          }
        default: break
        }
        return interposition_real.syscall(number, a, b, c, d, e, f)
      }
    }

    /// Waits until a mutex that another of the client's threads has is free; for others' it is not waited here.
    private static func awaitFree(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, in world: ClientWorld) {
      while true {
        let owner = interposition_owner_of(mutex)
        guard owner != 0, owner != ClientThread.owner?.number, world.hasThread(owner) else { return }
        if world.wait("pthread_mutex_lock", { interposition_owner_of(mutex) == 0 }) == .released { return }
      }
    }

    /// Tries until it works, and lets all others go on in between; `nil` outside of simulations.
    private static func retry(_ attempt: () -> Int32) -> Int32? {
      while let thread = ClientThread.current {
        let result = attempt()
        if result != EBUSY { return result }
        thread.atWork { $0.giveWay() }
      }
      return nil
    }

    /// Waits for a semaphore of POSIX; `nil` outside of simulations.
    private static func take(
      _ call: StaticString, _ semaphore: UnsafeMutablePointer<sem_t>?, until time: UnsafePointer<timespec>?
    ) -> Int32? {
      guard let semaphore, let thread = ClientThread.current else { return nil }
      let outcome = thread.atWork { world in
        world.wait(call, until: time.map { ClientTime.instant($0.pointee) }) { sem_trywait(semaphore) == 0 }
      }
      switch outcome {
      case .over: return 0
      case .released: return nil
      case .expired:
        errno = ETIMEDOUT
        return -1
      }
    }

    /// Waits on a condition variable; `nil` outside of simulations.
    private static func wait(
      _ call: StaticString, _ condition: UnsafeMutablePointer<pthread_cond_t>?,
      _ mutex: UnsafeMutablePointer<pthread_mutex_t>?, until time: UnsafePointer<timespec>?
    ) -> Int32? {
      guard let condition, let mutex, let thread = ClientThread.current else { return nil }
      let outcome = thread.atWork { world in
        let waiter = ClientConditions.Waiter()
        ClientConditions.add(waiter, to: condition)
        defer { ClientConditions.remove(waiter, from: condition) }
        pthread_mutex_unlock(mutex)
        defer {
          awaitFree(mutex, in: world)
          _ = interposition_real.pthread_mutex_lock(mutex)
        }
        return world.wait(call, until: time.map { ClientTime.instant($0.pointee) }) {
          waiter.isSignalled.load(ordering: .acquiring)
        }
      }
      // Whoever waits on a condition looks again by himself, should he have been woken for another reason.
      return outcome == .expired ? ETIMEDOUT : 0
    }
  }
#endif
