#if os(Linux)
  import Internals
  import Interposition
  import URLLoading

  /// Sees where the client of a simulation that does not capture it asks for real time, or waits in it.
  ///
  /// It sees the calls of a program's own code to Foundation, Dispatch, the concurrency library and the C library,
  /// where these are linked dynamically; it does not see the calls of these libraries to each other.
  package enum RealTimeWatch {
    /// Begins to watch the calls of the libraries that are loaded.
    static func begin() {
      interposition_watch(
        interposition_watcher { call, isInTask in
          SimulationDriver.noticeRealTime(call, isInTask: isInTask != 0) ? 1 : 0
        } blocking: { call in
          SimulationDriver.noticeBlocking(call) ? 1 : 0
        } stopping: { call, object in
          guard let call, let object, SimulationDriver.isAnyActive else { return }
          let stopped = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
          let session = stopped as? URLSession ?? (stopped as? URLSessionTask).flatMap(FoundationInternals.session(of:))
          if let session { SimulationDriver.noticeStopping(call, in: session) }
        })
    }

    /// Leaves every call to the system, for the process is dying; may be called in a signal's handler.
    static func end() { interposition_end() }

    /// Runs a client's code on its simulation's thread, which may be blocked for so long.
    static func inTask(grace: Duration, _ code: () -> Void) {
      let before = interposition_set_in_task(max(1, Int32(clamping: grace.wholeNanoseconds / 1_000_000)))
      defer { _ = interposition_set_in_task(before) }
      code()
    }

    /// Runs, wherever the caller is, what is no client's: by the clock on the wall, and the system answers whatever it calls.
    package static func outside<Result>(_ body: () -> Result) -> Result {
      let before = interposition_set_in_task(0)
      interposition_enter()
      defer {
        interposition_leave()
        _ = interposition_set_in_task(before)
      }
      return body()
    }
  }
#else
  /// Nothing is seen elsewhere.
  package enum RealTimeWatch {
    static func begin() {}
    static func end() {}
    static func inTask(grace: Duration, _ code: () -> Void) { code() }
    package static func outside<Result>(_ body: () -> Result) -> Result { body() }
  }
#endif
