#if os(Linux)
  import Glibc
  import Interposition
  import Synchronization

  extension Answers {
    static func addLocks(to answers: inout interposition_functions) {
      // Called only when the lock is taken.
      answers.pthread_mutex_lock = { mutex in
        guard let mutex, let thread = ClientThread.current else { return interposition_real.pthread_mutex_lock(mutex) }
        thread.atWork { Answers.awaitFree(mutex, in: $0) }
        return interposition_real.pthread_mutex_lock(mutex)
      }
      answers.pthread_mutex_timedlock = { mutex, time in
        Answers.lock(mutex, until: time) ?? interposition_real.pthread_mutex_timedlock(mutex, time)
      }
      answers.pthread_mutex_clocklock = { mutex, clock, time in
        Answers.lock(mutex, until: time) ?? interposition_real.pthread_mutex_clocklock(mutex, clock, time)
      }
      answers.pthread_rwlock_rdlock = { lock in
        Answers.take(lock, pthread_rwlock_tryrdlock) ?? interposition_real.pthread_rwlock_rdlock(lock)
      }
      answers.pthread_rwlock_wrlock = { lock in
        Answers.take(lock, pthread_rwlock_trywrlock) ?? interposition_real.pthread_rwlock_wrlock(lock)
      }
      answers.pthread_rwlock_timedrdlock = { lock, time in
        Answers.take(lock, until: time, pthread_rwlock_tryrdlock)
          ?? interposition_real.pthread_rwlock_timedrdlock(lock, time)
      }
      answers.pthread_rwlock_timedwrlock = { lock, time in
        Answers.take(lock, until: time, pthread_rwlock_trywrlock)
          ?? interposition_real.pthread_rwlock_timedwrlock(lock, time)
      }
      answers.pthread_rwlock_clockrdlock = { lock, clock, time in
        Answers.take(lock, until: time, pthread_rwlock_tryrdlock)
          ?? interposition_real.pthread_rwlock_clockrdlock(lock, clock, time)
      }
      answers.pthread_rwlock_clockwrlock = { lock, clock, time in
        Answers.take(lock, until: time, pthread_rwlock_trywrlock)
          ?? interposition_real.pthread_rwlock_clockwrlock(lock, clock, time)
      }
    }

    static func addConditions(to answers: inout interposition_functions) {
      answers.pthread_barrier_wait = { barrier in
        // Only the barrier itself knows how many threads it waits for.
        ClientThread.current?.atWork { scheduler in
          scheduler.refuse("pthread_barrier_wait")
          _ = scheduler.wait("pthread_barrier_wait") { false }
        }
        return interposition_real.pthread_barrier_wait(barrier)
      }
      answers.pthread_cond_wait = { condition, mutex in
        Answers.wait("pthread_cond_wait", condition, mutex, until: nil)
          ?? ClientConditions.waitOutside(condition) { interposition_real.pthread_cond_wait(condition, mutex) }
      }
      answers.pthread_cond_timedwait = { condition, mutex, time in
        Answers.wait("pthread_cond_timedwait", condition, mutex, until: time)
          ?? ClientConditions.waitOutside(condition) {
            interposition_real.pthread_cond_timedwait(condition, mutex, time)
          }
      }
      answers.pthread_cond_clockwait = { condition, mutex, clock, time in
        Answers.wait("pthread_cond_clockwait", condition, mutex, until: time)
          ?? ClientConditions.waitOutside(condition) {
            interposition_real.pthread_cond_clockwait(condition, mutex, clock, time)
          }
      }
      answers.pthread_cond_signal = { condition in
        guard let condition, ClientConditions.signal(condition, all: false) || ClientConditions.keepsInside(condition)
        else { return interposition_real.pthread_cond_signal(condition) }
        return 0
      }
      answers.pthread_cond_broadcast = { condition in
        if let condition {
          _ = ClientConditions.signal(condition, all: true)
          if ClientConditions.keepsInside(condition) { return 0 }
        }
        return interposition_real.pthread_cond_broadcast(condition)
      }
      answers.sem_wait = { semaphore in
        Answers.take("sem_wait", semaphore, until: nil) ?? interposition_real.sem_wait(semaphore)
      }
      answers.sem_timedwait = { semaphore, time in
        Answers.take("sem_timedwait", semaphore, until: time) ?? interposition_real.sem_timedwait(semaphore, time)
      }
      answers.sem_clockwait = { semaphore, clock, time in
        Answers.take("sem_clockwait", semaphore, until: time)
          ?? interposition_real.sem_clockwait(semaphore, clock, time)
      }
    }

    /// Waits while a thread of the client holds the mutex: also the caller, unless the mutex is recursive or reports
    /// errors.
    ///
    /// It does not wait for threads outside of the client.
    private static func awaitFree(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, in scheduler: ClientScheduler) {
      while true {
        let owner = interposition_owner_of(mutex)
        guard owner != 0, scheduler.hasThread(owner) else { return }
        if owner == ClientThread.owner?.number, interposition_is_recursive(mutex) != 0 { return }
        if scheduler.waitForLock("pthread_mutex_lock", { interposition_owner_of(mutex) }) == .released { return }
      }
    }

    /// Locks a mutex within a time; `nil` outside of simulations.
    private static func lock(
      _ mutex: UnsafeMutablePointer<pthread_mutex_t>?, until time: UnsafePointer<timespec>?
    ) -> Int32? {
      guard let mutex, let time, let thread = ClientThread.current else { return nil }
      let outcome = thread.atWork { scheduler in
        scheduler.waitForLock("pthread_mutex_timedlock", until: scheduler.instant(time.pointee)) {
          interposition_owner_of(mutex)
        }
      }
      return outcome == .expired ? ETIMEDOUT : interposition_real.pthread_mutex_lock(mutex)
    }

    /// How often to try a lock that a thread of another simulation may hold briefly, every 50 microseconds of real
    /// time.
    private static let attemptsAtAnyLock = 100

    /// Takes a read-write lock; first waits a short real time, because a thread of another simulation may hold it.
    private static func take(
      _ lock: UnsafeMutablePointer<pthread_rwlock_t>?, until time: UnsafePointer<timespec>? = nil,
      _ attempt: @escaping (UnsafeMutablePointer<pthread_rwlock_t>) -> Int32
    ) -> Int32? {
      guard let lock, let thread = ClientThread.current else { return nil }
      return thread.atWork { scheduler in
        var result = attempt(lock)
        for _ in 0..<attemptsAtAnyLock where result == EBUSY && !scheduler.hasThread(interposition_writer_of(lock)) {
          scheduler.giveWay()
          result = attempt(lock)
          if result == EBUSY { _ = interposition_real.usleep(50) }
        }
        let deadline = time.map { scheduler.instant($0.pointee) }
        while result == EBUSY {
          let outcome = scheduler.wait("pthread_rwlock", until: deadline) {
            // Unlock at once: another thread may run this check, and the lock stores that thread as its writer.
            let answer = attempt(lock)
            if answer == 0 { pthread_rwlock_unlock(lock) }
            return answer != EBUSY
          }
          if outcome == .released { return nil }
          if outcome == .expired { return ETIMEDOUT }
          result = attempt(lock)
        }
        return result
      }
    }

    /// Waits for a POSIX semaphore; `nil` outside of simulations.
    private static func take(
      _ call: StaticString, _ semaphore: UnsafeMutablePointer<sem_t>?, until time: UnsafePointer<timespec>?
    ) -> Int32? {
      guard let semaphore, let thread = ClientThread.current else { return nil }
      let outcome = thread.atWork { scheduler in
        scheduler.wait(call, until: time.map { scheduler.instant($0.pointee) }) { sem_trywait(semaphore) == 0 }
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
      let outcome = thread.atWork { scheduler in
        let waiter = ClientConditions.Waiter()
        ClientConditions.add(waiter, to: condition)
        defer { ClientConditions.remove(waiter, from: condition) }
        pthread_mutex_unlock(mutex)
        defer {
          awaitFree(mutex, in: scheduler)
          _ = interposition_real.pthread_mutex_lock(mutex)
        }
        return scheduler.wait(call, until: time.map { scheduler.instant($0.pointee) }) {
          waiter.isSignalled.load(ordering: .acquiring)
        }
      }
      // A thread that waits on a condition checks it again after each wake-up.
      return outcome == .expired ? ETIMEDOUT : 0
    }
  }
#endif
