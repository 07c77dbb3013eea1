#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    static func addThreads(to answers: inout interposition_functions) {
      answers.pthread_create = { handle, attributes, start, argument in
        guard let parent = ClientThread.current, let start, !Answers.isService(start, argument) else {
          return interposition_real.pthread_create(handle, attributes, start, argument)
        }
        return parent.atWork { scheduler in
          let thread = scheduler.newThread()
          let birth = Unmanaged.passRetained(Birth(thread, start, argument))
          let result = interposition_real.pthread_create(
            handle, attributes,
            { argument in
              guard let argument else { return nil }
              return Unmanaged<Birth>.fromOpaque(argument).takeRetainedValue().run()
            }, birth.toOpaque())
          if result == 0 {
            if let handle { thread.handle = handle.pointee }
            scheduler.turns.add(thread)
          } else {
            birth.release()
          }
          return result
        }
      }
      answers.posix_spawn = { process, path, actions, attributes, arguments, environment in
        guard let thread = ClientThread.current else {
          return interposition_real.posix_spawn(process, path, actions, attributes, arguments, environment)
        }
        // A process would run in real time, and Foundation would handle its end at an arbitrary virtual time.
        thread.atWork {
          $0.refuse(
            "Another process (posix_spawn)",
            remedy: "Replace it with a stub, and put an exit test into a test without a network.")
        }
        return ENOSYS
      }
      answers.pthread_exit = { result in
        ClientThread.current?.atWork { _ in ClientThread.owner.map { $0.scheduler.end($0) } }
        interposition_set_owner(nil)
        interposition_real.pthread_exit(result)
      }
      answers.pthread_join = { handle, result in
        ClientThread.current?.atWork { scheduler in
          guard let thread = scheduler.thread(of: handle) else { return }
          _ = scheduler.wait("pthread_join") { thread.hasEnded }
        }
        return interposition_real.pthread_join(handle, result)
      }
      answers.pthread_timedjoin_np = { handle, result, end in
        Answers.join(handle, result, by: end)
          ?? interposition_real.pthread_timedjoin_np(handle, result, end)
      }
      answers.pthread_clockjoin_np = { handle, result, clock, end in
        Answers.join(handle, result, by: end)
          ?? interposition_real.pthread_clockjoin_np(handle, result, clock, end)
      }
      answers.pause = {
        ClientThread.current?.atWork { $0.refuse("pause()") }
        return interposition_real.pause()
      }
      answers.sigsuspend = { signals in
        ClientThread.current?.atWork { $0.refuse("sigsuspend()") }
        return interposition_real.sigsuspend(signals)
      }
      answers.alarm = { seconds in
        ClientThread.current?.atWork { $0.refuse("alarm()") }
        return interposition_real.alarm(seconds)
      }
      answers.sigtimedwait = { signals, found, time in
        ClientThread.current?.atWork { $0.refuse("sigtimedwait()") }
        return interposition_real.sigtimedwait(signals, found, time)
      }
      answers.timer_create = { clock, event, timer in
        ClientThread.current?.atWork { $0.refuse("timer_create()") }
        return interposition_real.timer_create(clock, event, timer)
      }
    }

    /// Joins one of a simulation's threads until a time in virtual time; `nil` for other threads.
    private static func join(
      _ handle: pthread_t, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, by end: UnsafePointer<timespec>?
    ) -> Int32? {
      let outcome = ClientThread.current?.atWork { scheduler in
        scheduler.thread(of: handle).map { thread in
          let deadline = end.map { scheduler.instant($0.pointee) }
          return scheduler.wait("pthread_timedjoin_np", until: deadline) { thread.hasEnded }
        }
      }
      guard let outcome else { return nil }
      return outcome == .expired ? ETIMEDOUT : interposition_real.pthread_join(handle, result)
    }

    /// Whether a new thread is one of Foundation's service threads, which get no argument; a client's get their
    /// `Thread`.
    private static func isService(
      _ start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
      _ argument: UnsafeMutableRawPointer?
    ) -> Bool {
      argument == nil && interposition_is_foundation(unsafeBitCast(start, to: UnsafeRawPointer.self)) != 0
    }

    /// A new client thread's start function and argument, with its representation in the simulation.
    private final class Birth {
      let thread: ClientThread
      let scheduler: ClientScheduler
      let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
      let argument: UnsafeMutableRawPointer?

      init(
        _ thread: ClientThread,
        _ start: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
        _ argument: UnsafeMutableRawPointer?
      ) {
        self.thread = thread
        scheduler = thread.scheduler
        self.start = start
        self.argument = argument
      }

      func run() -> UnsafeMutableRawPointer? {
        thread.awaitBaton()
        return thread.run {
          let result = start(argument)
          thread.atWork { $0.end(thread) }
          return result
        }
      }
    }
  }
#endif
