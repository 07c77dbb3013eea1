#if os(Linux)
  import Interposition

  /// Sees where the client of a simulation that does not capture it asks for real time, or waits in it.
  ///
  /// It sees the calls of a program's own code to Foundation, Dispatch, the concurrency library and the C library,
  /// where these are linked dynamically; it does not see the calls of these libraries to each other.
  enum RealTimeWatch {
    /// Begins to watch the calls of the libraries that are loaded.
    static func begin() {
      interposition_watch { call, isInTask in
        SimulationDriver.noticeRealTime(call, isInTask: isInTask != 0) ? 1 : 0
      }
    }

    /// Runs a job of a client's task on the calling thread.
    static func inTask(_ job: () -> Void) {
      let before = interposition_set_in_task(1)
      defer { _ = interposition_set_in_task(before) }
      job()
    }

    /// Runs, wherever the caller is, what is no client's: by the clock on the wall, and the system answers whatever it calls.
    static func outside<Result>(_ body: () -> Result) -> Result {
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
  enum RealTimeWatch {
    static func begin() {}
    static func inTask(_ job: () -> Void) { job() }
    static func outside<Result>(_ body: () -> Result) -> Result { body() }
  }
#endif
